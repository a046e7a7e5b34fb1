"""Reads the phrase books (``models/training/phrases/*.txt``) and builds dialogues from them.

The embedded model is too small to learn a style from a few hundred dialogues. A phrase book gives it
many: for each topic there are things a person may say and, by kind, sentences that fit them; each
combination is a short conversation. The format is described in ``phrases/general.txt``.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.prompts.build import RISK_BLOCKS

PHRASE_FOLDER = Path(__file__).parent / "phrases"

PATTERNS = (
    *("p v q", "f p q", "p e q", "p v e", "p a q", "v p q"),
    *("f p v q", "p v e q", "v p a q", "p v a q", "f p e q", "p e a q", "f p v e"),
)
"""Orders of kinds a reply may have, unless a topic names its own."""

FOLLOW_PATTERNS = ("p v q", "v q", "v e q", "p v e", "v a q", "p a q", "p e q", "p v a")
"""The same for a second reply in one conversation."""

GENERAL, FOLLOW = "general", "follow"

_HEADING = re.compile(r"\[\[(\w+)\]\]")
_LINE = re.compile(r"(?P<key>[a-z]+)(?: (?P<slot>\w+))?: (?P<text>\S.*)")
_VALUE = re.compile(r"(?P<word>.+?)(?:\((?P<pronoun>he|she)\))?")
_PRONOUNS = {"he": ("he", "him", "his"), "she": ("she", "her", "her")}


@dataclass(slots=True)
class Topic:
    """One block of a phrase book.

    Attributes:
        name: Its heading.
        lines: Texts by key: ``you``, ``then`` and the one-letter kinds.
        slots: Values of each slot, with the pronoun they ask for.
        patterns: Orders of kinds of a first reply.
        risk_level: 0 to 3.
        labels: Names of emotions (``emotions``) and counselling topics (``counselchat``) it answers.
    """

    name: str
    lines: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    slots: dict[str, list[tuple[str, str | None]]] = field(
        default_factory=dict[str, list[tuple[str, str | None]]]
    )
    patterns: tuple[str, ...] = PATTERNS
    risk_level: int = 0
    labels: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


def read_phrases(folder: Path = PHRASE_FOLDER) -> dict[str, Topic]:
    """All topics of a folder by name; files may add lines to each other's topics.

    Raises:
        ValueError: With file and line number, for a line of another form.
    """
    topics: dict[str, Topic] = {}
    for file in sorted(folder.glob("*.txt")):
        topic: Topic | None = None
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            heading = _HEADING.fullmatch(line.strip())
            if heading is not None:
                topic = topics.setdefault(heading[1], Topic(heading[1]))
            elif line.strip() and not line.startswith("#"):
                match = _LINE.fullmatch(line.strip())
                if match is None or topic is None:
                    msg = f"{file.name}, line {number}: expected '[[topic]]' or 'key: text'"
                    raise ValueError(msg)
                _add(topic, match)
    return topics


def _add(topic: Topic, match: re.Match[str]) -> None:
    key, text = match["key"], match["text"].strip()
    if key == "slot":
        values = [_VALUE.fullmatch(part.strip()) for part in text.split("|")]
        topic.slots[match["slot"]] = [(value["word"], value["pronoun"]) for value in values if value]
    elif key == "patterns":
        topic.patterns = tuple(part.strip() for part in text.split("|"))
    elif key == "risk":
        topic.risk_level = RISK_BLOCKS.index(text)
    elif key in {"emotions", "counselchat"}:
        topic.labels[key] = [part.strip() for part in text.split(",")]
    else:
        topic.lines.setdefault(key, []).append(text)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A person's message and the reply built for it, perhaps with a second pair after it."""

    topic: str
    risk_level: int
    turns: tuple[tuple[str, str], ...]


class PhraseBook:
    """Builds replies of a set of topics.

    Args:
        topics: As read by :func:`read_phrases`.
        chance: Source of randomness.
        general_share: How often a sentence comes from the general block instead of the topic's own.
    """

    def __init__(
        self, topics: Mapping[str, Topic], chance: random.Random, general_share: float = 0.06
    ) -> None:
        self._topics = topics
        self._chance = chance
        self._general_share = general_share

    def exchanges(self, per_topic: int) -> Iterator[Exchange]:
        """``per_topic`` conversations for each topic that knows what a person may say."""
        for topic in self._topics.values():
            if "you" in topic.lines:
                for _ in range(per_topic):
                    yield self._exchange(topic)

    def reply_for_label(self, kind: str, label: str) -> str | None:
        """A reply to somebody else's text that is labelled so; ``None`` for unknown labels."""
        fitting = [topic for topic in self._topics.values() if label in topic.labels.get(kind, [])]
        if not fitting:
            return None
        topic = self._chance.choice(fitting)
        general = GENERAL if topic.patterns == PATTERNS else None
        return self._reply(topic, {}, self._chance.choice(topic.patterns), set(), general)

    def _exchange(self, topic: Topic) -> Exchange:
        values = self._fill_slots(topic)
        used: set[str] = set()
        first = _fill(self._chance.choice(topic.lines["you"]), values)
        general = GENERAL if topic.patterns == PATTERNS else None
        turns = [(first, self._reply(topic, values, self._chance.choice(topic.patterns), used, general))]
        if "then" in topic.lines and self._chance.random() < 0.5:
            then = _fill(self._chance.choice(topic.lines["then"]), values)
            own = topic.patterns != PATTERNS
            pattern = self._chance.choice(topic.patterns if own else FOLLOW_PATTERNS)
            turns.append((then, self._reply(topic, values, pattern, used, None if own else FOLLOW)))
        return Exchange(topic.name, topic.risk_level, tuple(turns))

    def _reply(
        self, topic: Topic, values: Mapping[str, str], pattern: str, used: set[str], extra: str | None
    ) -> str:
        sentences: list[str] = []
        for kind in pattern.split():
            # A second reply reacts to what was just said, so its paraphrase comes from the follow block.
            follows = extra == FOLLOW and (kind == "p" or self._chance.random() < 0.2)
            general = extra == GENERAL and self._chance.random() < self._general_share
            own = self._unused(topic, kind, values, used)
            block = self._topics.get(extra) if extra is not None else None
            other = self._unused(block, kind, values, used) if block is not None else []
            pool = (other or own) if follows or general or not own else own
            if pool:
                choice = self._chance.choice(pool)
                used.add(choice)
                sentences.append(_fill(choice, values))
        return " ".join(sentences)

    @staticmethod
    def _unused(topic: Topic, kind: str, values: Mapping[str, str], used: set[str]) -> list[str]:
        lines = topic.lines.get(kind, [])
        return [line for line in lines if line not in used and ("{" not in line or values)]

    def _fill_slots(self, topic: Topic) -> dict[str, str]:
        values: dict[str, str] = {}
        for name, options in topic.slots.items():
            word, pronoun = self._chance.choice(options)
            values[name] = word
            if pronoun is not None:
                they, them, their = _PRONOUNS[pronoun]
                values |= {"they": they, "them": them, "their": their}
                values |= {"They": they.capitalize(), "Their": their.capitalize()}
        return values


def _fill(text: str, values: Mapping[str, str]) -> str:
    return text.format_map(dict(values)) if "{" in text else text


def sentence_count(topics: Sequence[Topic]) -> int:
    """Number of sentences a set of topics offers for replies."""
    return sum(len(found) for topic in topics for key, found in topic.lines.items() if len(key) == 1)
