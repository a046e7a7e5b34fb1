"""What a person told: which families of things, numbers and names their words hold, and what they imply."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.chinese_mentions import chinese_mentions
from models.english_mentions import OTHERS, english_mentions, english_tokens
from models.invention_lists import Family, lists_of
from models.number_words import chinese_numbers, english_numbers
from models.role_reversal import Doers, chinese_doers, english_doers

LANGUAGES = ("en", "zh")
_CJK = re.compile(r"[\u3400-\u9fff]")
_SOMEBODY = re.compile(r"(?<=[^\s.!?。！？])\s+[A-Z][a-z]+|\b(?:some(?:one|body)|person|they|ta)\b|有人")
_HE = frozenset({"he", "him", "his", "himself"})
_SHE = frozenset({"she", "her", "hers", "herself"})


@dataclass(frozen=True, slots=True)
class Told:
    """What all texts of a person hold.

    Attributes:
        words: English words, as they stand and in their base forms.
        phrases: The same in order, each between blanks.
        lower: Everything in lower case.
        named: Families that are named.
        others: Families that are only named as another's ("her sister").
        numbers: All numbers.
        sexes: ``m`` and ``f`` of the persons named and the pronouns used.
        neutral: Whether somebody is named whose sex isn't said.
        english_doers: Who did what, in English.
        chinese_doers: The same in Chinese.
    """

    words: frozenset[str]
    phrases: str
    lower: str
    named: frozenset[str]
    others: frozenset[str]
    numbers: frozenset[float]
    sexes: frozenset[str]
    neutral: bool
    english_doers: Doers
    chinese_doers: Doers

    def holds(self, family: Family) -> bool:
        """Whether a family was told, in so many words or by implication."""
        return bool(self._grounds(family))

    def is_another_s(self, family: Family) -> bool:
        """Whether it was told, but only as something of somebody else."""
        grounds = self._grounds(family)
        return bool(grounds) and grounds <= self.others

    def _grounds(self, family: Family) -> frozenset[str]:
        found = self.named & (family.wider | {family.name})
        implying = family.wider | {family.name}
        known = (lists_of(language).families.get(name) for language in LANGUAGES for name in implying)
        if any(one is not None and self._implies(one.hints) for one in known):
            return found | {"hint"}
        return found

    def _implies(self, hints: Sequence[str]) -> bool:
        return any(
            hint in self.words
            or (f" {hint} " in self.phrases if " " in hint else bool(_CJK.match(hint)) and hint in self.lower)
            for hint in hints
        )


def read_told(texts: Sequence[str]) -> Told:
    """Read everything a person told once, for any number of replies.

    Args:
        texts: Their messages and what else is known of them, in any order and language.
    """
    text = "\n".join(texts)
    tokens, lower = english_tokens(text), text.lower()
    english = [(one.family, one.whose in OTHERS) for one in english_mentions(tokens)]
    chinese = [(one.family, one.whose == "his") for one in chinese_mentions(text)]
    both = [*english, *chinese]
    own = {family.name for family, another in both if not another}
    named = frozenset(family.name for family, _ in both)
    raw, base = [token.raw for token in tokens], [token.base for token in tokens]
    numbers = {value for value, _, _ in english_numbers(raw, ordinals=True)}
    numbers |= {value for value, _, _ in chinese_numbers(text)}
    people = [family for family, _ in both if family.kind in ("people", "pets")]
    sexes = {family.sex for family in people if family.sex} | _pronouns(raw, text)
    return Told(
        frozenset((*raw, *base)),
        f" {' '.join(raw)} | {' '.join(base)} ",
        lower,
        named,
        frozenset(named - own),
        frozenset(numbers),
        frozenset(sexes),
        any(not family.sex for family in people) or _names_somebody(text),
        english_doers(tokens),
        chinese_doers(text) if _CJK.search(text) else {},
    )


def _pronouns(raw: Sequence[str], text: str) -> set[str]:
    words = {word.partition("'")[0] for word in raw}
    found = {"m"} if _HE & words or "他" in text.replace("他们", "") else set[str]()
    return found | ({"f"} if _SHE & words or "她" in text.replace("她们", "") else set[str]())


def _names_somebody(text: str) -> bool:
    """Whether there is a name or another word for a person whose sex nobody knows."""
    return (
        re.search(r"(?<=[^\s.!?。！？])\s+[A-Z][a-z]+|\b(?:some(?:one|body)|person|they)\b|有人|\bta\b", text)
        is not None
    )
