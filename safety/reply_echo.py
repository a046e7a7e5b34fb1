"""Notice that a model's reply speaks of a danger to the person which no layer found in the message.

The model may have read what the layers could not: another spelling, another language, a hint. Each
sentence of a reply that speaks to "you" is turned to the first person and judged by the same layers; a few
turns of phrase that only a reply has are known by themselves (``rules/echo.yaml``).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from re import Pattern
from typing import cast

from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch
from safety.rule_book import compile_patterns
from safety.spelling_tables import RULES_FOLDER
from safety.yaml_file import read_yaml

LAYER = "echo"
MAX_SENTENCES = 6
"""Sentences of all replies together that are judged."""
_ABOUT_ONESELF = frozenset({RiskCategory.SUICIDE, RiskCategory.SELF_HARM, RiskCategory.MEDICAL_EMERGENCY})
_SENTENCE = re.compile(r"[^.!?。！？\n]{1,400}[.!?。！？]?")
_FIRST_PERSON = (
    (re.compile(r"\byou(?:['’]?re| are)\b"), "i am"),
    (re.compile(r"\byou['’]?ve\b"), "i have"),
    (re.compile(r"\byou['’]ll\b"), "i will"),
    (re.compile(r"\byourself\b"), "myself"),
    (re.compile(r"\byours?\b"), "my"),
    (re.compile(r"\byou\b"), "i"),
    (re.compile(r"[你您]"), "我"),
)


@lru_cache(maxsize=1)
def _words() -> dict[str, Pattern[str]]:
    """What ``rules/echo.yaml`` lists, compiled."""
    raw = read_yaml(RULES_FOLDER / "echo.yaml")
    return {name: compile_patterns(found, {}) for name, found in cast("dict[str, list[str]]", raw).items()}


def echoed_danger(
    replies: Sequence[str], asked: str, assess: Callable[[str], RiskAssessment]
) -> RiskMatch | None:
    """A moderate finding about the whole message, if a candidate reply speaks of the person's danger.

    Args:
        replies: Candidates as they were sampled.
        asked: The message; where it tells of somebody else or of a story, a reply says nothing new.
        assess: Judges one sentence, as if it were a message of its own.
    """
    if _words()["somebody_else"].search(asked.lower()):
        return None
    for sentence in islice(_telling(replies), MAX_SENTENCES):
        category = _category(sentence, assess)
        if category is not None:
            return RiskMatch(RiskLevel.MODERATE, category, LAYER, f"echo.{category.value}", 0, len(asked))
    return None


def in_first_person(sentence: str) -> str:
    """``you want to die`` becomes ``i want to die``; the sentence is lower case."""
    for pattern, mine in _FIRST_PERSON:
        sentence = pattern.sub(mine, sentence)
    return sentence


def _telling(replies: Sequence[str]) -> Iterator[str]:
    """Sentences in which "you" stands with a danger, neither offered nor asked nor an idiom."""
    words = _words()
    for reply in replies:
        for found in _SENTENCE.finditer(reply.lower()):
            sentence = found[0].strip()
            spoken_to = any(
                words["to_you"].search(sentence, 0, sign.end()) for sign in words["sign"].finditer(sentence)
            )
            if spoken_to and not any(words[name].search(sentence) for name in ("open", "idiom", "denied")):
                yield sentence


def _category(sentence: str, assess: Callable[[str], RiskAssessment]) -> RiskCategory | None:
    for match in assess(in_first_person(sentence)).matches:
        if match.layer == "rules" and match.level >= RiskLevel.MODERATE and match.category in _ABOUT_ONESELF:
            return match.category
    return RiskCategory.SUICIDE if _words()["phrase"].search(sentence) else None
