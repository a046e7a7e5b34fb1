"""Find what the rules of all languages say about one message, sentence by sentence."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from re import Match

from safety.levels import RiskCategory, RiskLevel, RiskMatch
from safety.normalize import NormalizedText
from safety.pattern_index import PatternIndex
from safety.rule_book import Combination, Guard, Rule, RuleBook, RulePattern, Scope

LAYER = "rules"
MAX_UNIT = 400
"""Longest stretch read at once; a longer run without punctuation is read in overlapping stretches."""
UNIT_OVERLAP = 120
MAX_WEIGHT = 2.4
"""What one message may add to the build-up: alone it never argues for more than moderate."""
SENTENCES_ACROSS = 3
"""Neighbouring sentences that a rule marked ``across`` reads as one."""
MAX_HITS_PER_PATTERN = 8
"""In one stretch; a hundred repetitions say no more than a few."""

_SENTENCE = re.compile(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "…")
_CLAUSE_BORDER = re.compile(
    r"[,;:，；、：—()（）]|\b(?:but|though|although|however|because|and then|yet)\b"
    r"|但是|可是|不过|只是|但|却|其实"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of normalized text that is read at once."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What the rules found in one message.

    Attributes:
        matches: Findings at ``low`` or above, strongest first.
        signals: Names of all signals, also of those without a level.
        weight: Sum of the weights of distinct signals, for the session's build-up.
        suspicion: For the offset of each sentence how many patterns came close to matching.
    """

    matches: tuple[RiskMatch, ...]
    signals: frozenset[str]
    weight: float
    suspicion: Mapping[int, int] = field(default_factory=dict[int, int])


class RuleEngine:
    """Holds the rule books; has no state of its own and may be shared between threads."""

    def __init__(self, books: Sequence[RuleBook], combinations: Sequence[Combination]) -> None:
        rules = [rule for book in books for rule in book.rules]
        self._index = PatternIndex((rule, p) for rule in rules if not rule.across for p in rule.patterns)
        self._across = PatternIndex((rule, p) for rule in rules if rule.across for p in rule.patterns)
        self._combinations = tuple(combinations)

    def find(self, text: NormalizedText, earlier: frozenset[str] = frozenset()) -> Findings:
        """Read a whole message.

        Args:
            text: The normalized message.
            earlier: Signals that hold from before (``stressor``, ``prior_low``, ``prior_moderate``,
                ``prior_abuse``); they complete combinations but start none.
        """
        matches: dict[RiskMatch, None] = {}  # in order; what two stretches share is found in both
        weights: dict[str, float] = {}
        spans: dict[str, tuple[int, int]] = {}
        suspicion: dict[int, int] = {}
        units = list(split_units(text.text))
        for unit in units:
            candidates = self._index.candidates(unit.text)
            suspicion[unit.offset] = len(candidates)
            for rule, pattern in candidates:
                matches |= _found(rule, pattern, unit, text, weights, spans)
        for rule, pattern in self._across.candidates(text.text.replace("\n", " ")):
            for unit in neighbours(text.text, units):
                matches |= _found(rule, pattern, unit, text, weights, spans)
        signals = frozenset(weights)
        matches |= dict.fromkeys(self._combine(signals, earlier, spans))
        weight = min(MAX_WEIGHT, sum(weights.values()))
        return Findings(tuple(_strongest_first(matches)), signals, weight, suspicion)

    def _combine(
        self, signals: frozenset[str], earlier: frozenset[str], spans: dict[str, tuple[int, int]]
    ) -> Iterator[RiskMatch]:
        for combination in self._combinations:
            present = combination.signals & signals & combination.fresh
            if present and combination.signals <= signals | earlier:
                start = min(spans[name][0] for name in combination.signals & signals)
                end = max(spans[name][1] for name in combination.signals & signals)
                yield RiskMatch(combination.level, combination.category, LAYER, combination.id, start, end)


def split_units(text: str) -> Iterator[Unit]:
    """Cut text into sentences; join lines that were only wrapped; cut run-on text with overlap."""
    previous: Match[str] | None = None
    for match in _SENTENCE.finditer(text):
        yield from _stretches(match[0].replace("\n", " "), match.start())
        if previous and previous[0].endswith("\n") and len(previous[0]) < 2 * UNIT_OVERLAP:
            joined = text[previous.start() : min(match.end(), previous.start() + MAX_UNIT)]
            if not previous[0].rstrip("\n").endswith(_SENTENCE_ENDS):
                yield Unit(joined.replace("\n", " "), previous.start())
        previous = match


def neighbours(text: str, units: Sequence[Unit]) -> Iterator[Unit]:
    """For each sentence, the stretch from its start over the sentences after it; a wrapped line ends none."""
    for number, unit in enumerate(units):
        end, ended = unit.offset, 0
        for later in units[number:]:
            if later.offset + len(later.text) > end:
                end, ended = (
                    later.offset + len(later.text),
                    ended + later.text.rstrip().endswith(_SENTENCE_ENDS),
                )
            if ended == SENTENCES_ACROSS or end >= unit.offset + MAX_UNIT:
                break
        yield Unit(text[unit.offset : min(end, unit.offset + MAX_UNIT)].replace("\n", " "), unit.offset)


def _stretches(sentence: str, offset: int) -> Iterator[Unit]:
    start = len(sentence) - len(sentence.lstrip())
    while True:
        yield Unit(sentence[start : start + MAX_UNIT], offset + start)
        if start + MAX_UNIT >= len(sentence):
            return
        start += MAX_UNIT - UNIT_OVERLAP


def _found(
    rule: Rule,
    pattern: RulePattern,
    unit: Unit,
    text: NormalizedText,
    weights: dict[str, float],
    spans: dict[str, tuple[int, int]],
) -> dict[RiskMatch, None]:
    """Findings of one pattern in one stretch; notes its signals."""
    found: dict[RiskMatch, None] = {}
    for level, category, start, end in _hits(rule, pattern, unit, text.text):
        span = text.original_span(start, end)
        _note_signals(rule, level, span, weights, spans)
        if level > RiskLevel.NONE:
            found[RiskMatch(level, category, LAYER, rule.id, *span)] = None
    return found


def _hits(
    rule: Rule, pattern: RulePattern, unit: Unit, message: str
) -> Iterator[tuple[RiskLevel, RiskCategory, int, int]]:
    for match in islice(pattern.regex.finditer(unit.text), MAX_HITS_PER_PATTERN):
        level, category, dropped = rule.level, rule.category, False
        for guard in rule.guards:
            if not _applies(guard, match, unit.text, message):
                continue
            cap = guard.cap_for(rule.step)
            level = min(level, cap)
            category = guard.category or category
            dropped |= cap is RiskLevel.NONE and guard.category is None
        if not dropped and match.end() > match.start():
            yield level, category, unit.offset + match.start(), unit.offset + match.end()


def _applies(guard: Guard, match: Match[str], sentence: str, message: str) -> bool:
    if guard.unless and guard.unless.search(sentence):
        return False
    if guard.also and not guard.also.search(message):
        return False
    if guard.scope is Scope.BEFORE:
        return guard.pattern.search(_clause_before(sentence, match.start())) is not None
    if guard.scope is Scope.OVERLAP:
        return any(
            found.start() < match.end() and match.start() < found.end()
            for found in guard.pattern.finditer(sentence)
        )
    return guard.pattern.search(sentence if guard.scope is Scope.SENTENCE else message) is not None


def clause_around(sentence: str, match: Match[str]) -> str:
    """The clause that a match stands in, up to the borders before and after it."""
    before = _clause_before(sentence, match.start())
    border = _CLAUSE_BORDER.search(sentence, match.end())
    return before + sentence[match.start() : border.start() if border else len(sentence)]


def _clause_before(sentence: str, position: int) -> str:
    before = sentence[max(0, position - UNIT_OVERLAP) : position]
    last = 0
    for border in _CLAUSE_BORDER.finditer(before):
        last = border.end()
    return before[last:]


def _note_signals(
    rule: Rule,
    level: RiskLevel,
    span: tuple[int, int],
    weights: dict[str, float],
    spans: dict[str, tuple[int, int]],
) -> None:
    names: list[str] = [rule.signal] if rule.signal else []
    if level >= RiskLevel.MODERATE and rule.category is RiskCategory.SUICIDE:
        names.append("ideation")
    for name in names:
        if name in spans and not (span[0] < spans[name][1] and spans[name][0] < span[1]):
            weights[f"{name}_twice"] = 0.0
            spans.setdefault(f"{name}_twice", span)
        if level >= rule.level:
            weights[name] = max(weights.get(name, 0.0), rule.weight if name == rule.signal else 0.0)
            spans.setdefault(name, span)


def _strongest_first(matches: Iterable[RiskMatch]) -> list[RiskMatch]:
    return sorted(matches, key=lambda m: (-m.level, m.start, m.rule))
