"""What and whom a message is about, when findings of several rules and layers disagree."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from re import Pattern
from typing import Any, cast

from safety.levels import RiskCategory, RiskLevel, RiskMatch
from safety.normalize import NormalizedText
from safety.rule_book import compile_patterns
from safety.spelling_tables import RULES_FOLDER
from safety.yaml_file import read_yaml

MAX_EVERYDAY = 120
"""Longest message, in characters, that is read clause by clause; a longer one tells more than one thing."""
_CLAUSE_ENDS = re.compile(r"[,;:。!?…~\s]+|\.{2,6}")
_WISH_OR_ACT = frozenset({RiskCategory.SUICIDE, RiskCategory.SELF_HARM, RiskCategory.THIRD_PARTY})
"""What turns into a medical emergency once something was swallowed."""


@dataclass(frozen=True, slots=True)
class PlainWord:
    """A word of an idiom and the plain one, as long, that stands for it.

    Attributes:
        where: The idiom.
        word: The word in it that sounds like danger.
        plain: What is read instead.
    """

    where: Pattern[str]
    word: str
    plain: str

    def put_in(self, text: str) -> str:
        """``text`` with the plain word, as long as before."""
        return self.where.sub(lambda found: found[0].replace(self.word, self.plain), text)


@dataclass(frozen=True, slots=True)
class Concern:
    """Chooses among findings; holds compiled patterns only.

    Attributes:
        swallowed: Something is in the body already.
        not_yet: Words that take that back.
        another: Somebody else says or does it.
        own: The writer's own danger.
        grown_up: Somebody of a grown-up's life, such as a boss.
        child: Signs that the writer, or who is hurt, is a child.
        bets: A message about bets.
        drink_or_drugs: Drink or drugs in it.
        denial: A message that does nothing but deny.
        everyday: A message that is one everyday thing from its first word to its last.
        one_world: A message whose words of danger belong to a dish, a game, a farm or office mail.
        few_words: A message of a word or two.
        about: A clause that says which everyday thing a message is about.
        beside: A clause that may stand beside such a one and says nothing on its own.
        plain_words: Words of idioms and what the classifier reads for them.
        filler: A message of words that tell nothing: "ok", "sorry", "ignore me".
    """

    swallowed: Pattern[str]
    not_yet: Pattern[str]
    another: Pattern[str]
    own: Pattern[str]
    grown_up: Pattern[str]
    child: Pattern[str]
    bets: Pattern[str]
    drink_or_drugs: Pattern[str]
    denial: Pattern[str]
    everyday: Pattern[str]
    one_world: Pattern[str]
    few_words: Pattern[str]
    about: Pattern[str]
    beside: Pattern[str]
    plain_words: tuple[PlainWord, ...]
    filler: Pattern[str]

    def in_plain_words(self, text: NormalizedText) -> NormalizedText:
        """The message as the classifier reads it; every place stays where it was."""
        message = text.text
        for plain_word in self.plain_words:
            message = plain_word.put_in(message)
        return replace(text, text=message)

    def says_it_all(self, text: NormalizedText) -> bool:
        """Whether it is a denial, one everyday thing or a word or two: no classifier has a sign to find."""
        message = text.text.strip()
        whole = (self.denial, self.everyday, self.one_world, self.few_words)
        return any(one.search(message) is not None for one in whole) or self._everyday_clauses(message)

    def _everyday_clauses(self, message: str) -> bool:
        """Whether every clause is everyday and one of them says what all of it is about."""
        if len(message) > MAX_EVERYDAY:
            return False
        clauses = [clause for clause in _CLAUSE_ENDS.split(message) if clause]
        named = [self.about.fullmatch(clause) is not None for clause in clauses]
        return any(named) and all(
            said or self.beside.fullmatch(clause) for clause, said in zip(clauses, named, strict=True)
        )

    def tells_nothing(self, text: NormalizedText) -> bool:
        """Whether a message says nothing from which danger could be seen to be over."""
        return self.filler.search(text.text.strip()) is not None

    def settle(self, matches: Sequence[RiskMatch], text: NormalizedText) -> list[RiskMatch]:
        """The findings with the category that each has in this message, the one that decides in front.

        Only findings of the highest level change places; no level changes.

        Args:
            matches: Findings, strongest first.
            text: The folded message.
        """
        if not matches:
            return []
        matches = self._with_bets(matches, text)
        top = matches[0].level
        if top < RiskLevel.MODERATE:
            return matches
        strongest = [self._seen(match, text) for match in matches if match.level == top]
        strongest.sort(key=lambda match: (match.layer != "rules", _urgency(match)))
        return [*strongest, *(match for match in matches if match.level < top)]

    def _with_bets(self, matches: Sequence[RiskMatch], message: NormalizedText) -> list[RiskMatch]:
        """What is said of substances where only bets are spoken of, as said of bets."""
        text = message.text
        if all(match.category is not RiskCategory.SUBSTANCE for match in matches):
            return list(matches)
        if not self.bets.search(text) or self.drink_or_drugs.search(text):
            return list(matches)
        return [
            replace(match, category=RiskCategory.GAMBLING)
            if match.category is RiskCategory.SUBSTANCE
            else match
            for match in matches
        ]

    def _seen(self, match: RiskMatch, message: NormalizedText) -> RiskMatch:
        text = message.text
        start, end = message.folded_span(match.start, match.end)
        if match.category is RiskCategory.CHILD_SAFETY and self.grown_up.search(text):
            return match if self.child.search(text) else replace(match, category=RiskCategory.ABUSE)
        if match.layer != "rules" or match.category not in _WISH_OR_ACT:
            return match
        if (
            match.level is RiskLevel.IMMINENT
            and self.swallowed.search(text, start, end)
            and not self.not_yet.search(text)
        ):
            return replace(match, category=RiskCategory.MEDICAL_EMERGENCY)
        told = self.another.search(text, 0, end)
        if told and not self.own.search(text, min(start, told.end()), end):
            return replace(match, category=RiskCategory.THIRD_PARTY)
        return match


def _urgency(match: RiskMatch) -> int:
    """A poisoning or a stopped breath can't wait for anything else, money can; in between the order stays."""
    if match.category is RiskCategory.MEDICAL_EMERGENCY:
        return 0
    return 2 if match.category is RiskCategory.GAMBLING else 1


def _read_plain_word(entry: Mapping[str, str], pieces: Mapping[str, str]) -> PlainWord:
    word, plain = entry["word"], entry["plain"]
    if len(word) != len(plain):
        raise ValueError(f"{word!r} and {plain!r} differ in length")
    return PlainWord(compile_patterns([entry["where"]], pieces), word, plain)


@lru_cache(maxsize=1)
def load_concern(path: Path = RULES_FOLDER / "concern.yaml") -> Concern:
    """Read and compile the patterns; raises ``ValueError`` or ``re.error`` when the file is broken."""
    raw = cast("Mapping[str, Any]", read_yaml(path))
    pieces = cast("Mapping[str, str]", raw["pieces"])
    return Concern(
        swallowed=compile_patterns(raw["swallowed"], pieces),
        not_yet=compile_patterns(raw["not_yet"], pieces),
        another=compile_patterns(raw["another"], pieces),
        own=compile_patterns(raw["self"], pieces),
        grown_up=compile_patterns(raw["grown_up"], pieces),
        child=compile_patterns(raw["child"], pieces),
        bets=compile_patterns(raw["bets"], pieces),
        drink_or_drugs=compile_patterns(raw["drink_or_drugs"], pieces),
        denial=compile_patterns(raw["denial"], pieces),
        everyday=compile_patterns(raw["everyday"], pieces),
        one_world=compile_patterns(raw["one_world"], pieces),
        few_words=compile_patterns(raw["few_words"], pieces),
        about=compile_patterns(raw["everyday_about"], pieces),
        beside=compile_patterns(raw["everyday_beside"], pieces),
        plain_words=tuple(_read_plain_word(entry, pieces) for entry in raw["in_plain_words"]),
        filler=compile_patterns(raw["filler"], pieces),
    )
