"""The rules of one language as data: read from YAML, checked, compiled.

Patterns are ordinary regular expressions over folded text, with named pieces ``<piece>`` from the file's
``pieces`` table. Unbounded repetition is refused, so that the time for one start position is bounded and a
whole message takes time proportional to its length.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from re import Pattern
from typing import Any, cast

from safety.levels import RiskCategory, RiskLevel
from safety.literals import Clause, required_literals
from safety.yaml_file import read_yaml

_PIECE = re.compile(r"<([a-z_]+)>")
_WORD = re.compile(r"[a-z]{2,}")
_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\}")
_PIECE_DEPTH = 6


class RuleFileError(ValueError):
    """A rule file is broken; the message names file and rule."""


class Step(StrEnum):
    """Steps of severity after C-SSRS, plus ``sign`` for everything that is no such step."""

    SIGN = "sign"
    WISH = "wish"
    THOUGHTS = "thoughts"
    METHOD = "method"
    INTENT = "intent"
    PLAN = "plan"
    BEHAVIOUR = "behaviour"

    @property
    def is_stated_plan(self) -> bool:
        """Whether guards may lower it only to their second, higher cap."""
        return self in {Step.METHOD, Step.INTENT, Step.PLAN, Step.BEHAVIOUR}


class Scope(StrEnum):
    """Where a guard's words must stand to count."""

    BEFORE = "before"
    OVERLAP = "overlap"
    SENTENCE = "sentence"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Guard:
    """Words around a finding that lower it.

    Attributes:
        name: As rules list it.
        scope: Where its pattern is looked for.
        pattern: What is looked for; for ``before`` it must end where the finding begins.
        unless: Cancels the guard when found in the same sentence.
        also: Must be found somewhere in the message too.
        cap: Highest level that is left of wishes and thoughts.
        plan_cap: Highest level that is left of a method, intent, plan or behaviour.
        category: Category of the finding from now on, if the guard changes it.
    """

    name: str
    scope: Scope
    pattern: Pattern[str]
    unless: Pattern[str] | None
    also: Pattern[str] | None
    cap: RiskLevel
    plan_cap: RiskLevel
    category: RiskCategory | None

    def cap_for(self, step: Step) -> RiskLevel:
        """Highest level left of a finding of ``step``."""
        return self.plan_cap if step.is_stated_plan else self.cap


@dataclass(frozen=True, slots=True)
class RulePattern:
    """One pattern, with the pieces of text without which it cannot match."""

    regex: Pattern[str]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One group of patterns that mean the same.

    Attributes:
        id: Stable id, ``language.category.name``.
        category: What it is about.
        step: Step of severity.
        level: Level that it alone argues for; ``none`` for a mere signal.
        signal: Name under which combinations and the session know it.
        weight: What it adds to the session's accumulated weak signals.
        guards: Guards that apply.
        patterns: Each alone is enough.
        across: Whether its patterns are read over the border to the next two sentences. A guard's "sentence"
            is then that whole stretch.
    """

    id: str
    category: RiskCategory
    step: Step
    level: RiskLevel
    signal: str | None
    weight: float
    guards: tuple[Guard, ...]
    patterns: tuple[RulePattern, ...]
    across: bool = False


@dataclass(frozen=True, slots=True)
class Combination:
    """Signals that together mean more than each alone."""

    id: str
    signals: frozenset[str]
    level: RiskLevel
    category: RiskCategory
    fresh: frozenset[str]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """All rules of one language."""

    language: str
    rules: tuple[Rule, ...]
    vocabulary: frozenset[str]


def load_rule_book(path: Path, fold: Callable[[str], str] = str) -> RuleBook:
    """Read and compile one rule file.

    Args:
        path: The file.
        fold: Applied to each pattern and piece, for files that are written as people write.

    Raises:
        RuleFileError: A pattern does not compile, repeats without bound, or names an unknown piece,
            guard, category, step or level.
    """
    raw = cast("dict[str, Any]", read_yaml(path))
    pieces = {name: fold(piece) for name, piece in cast("Mapping[str, str]", raw.get("pieces", {})).items()}
    for entry in (*raw["guards"].values(), *raw["rules"]):
        for key in {"patterns", "unless", "also"} & entry.keys():
            entry[key] = [fold(pattern) for pattern in entry[key]]
    try:
        guards = {name: _read_guard(name, entry, pieces) for name, entry in raw["guards"].items()}
        rules = tuple(_read_rule(entry, pieces, guards) for entry in raw["rules"])
    except (KeyError, ValueError, re.error) as error:
        raise RuleFileError(f"{path.name}: {error}") from error
    sources = [pattern.regex.pattern for rule in rules for pattern in rule.patterns]
    words = {word for source in sources for word in _WORD.findall(_strip_syntax(source))}
    return RuleBook(str(raw["language"]), rules, frozenset(words | set(raw.get("extra_words", ()))))


def load_combinations(path: Path) -> tuple[Combination, ...]:
    """Read the combinations of signals, which are the same for all languages.

    An entry with ``prior`` stands for one combination per kind of danger named there: it holds in a
    conversation at risk of that kind, and its finding is of that kind.
    """
    raw = cast("dict[str, Any]", read_yaml(path))
    return tuple(combination for entry in raw["combinations"] for combination in _read_combination(entry))


def prior_signal(category: RiskCategory) -> str:
    """Name under which combinations know a conversation at moderate or above, for danger of this kind."""
    return f"prior_{category.value}"


def _read_combination(entry: Mapping[str, Any]) -> Iterator[Combination]:
    signals = frozenset[str](entry["signals"])
    fresh = frozenset[str](entry.get("fresh", signals))
    level = RiskLevel[entry["level"].upper()]
    if "prior" not in entry:
        yield Combination(entry["id"], signals, level, RiskCategory(entry["category"]), fresh)
        return
    for category in map(RiskCategory, entry["prior"]):
        yield Combination(entry["id"], signals | {prior_signal(category)}, level, category, fresh)


def compile_patterns(patterns: list[str], pieces: Mapping[str, str]) -> Pattern[str]:
    """Join patterns after putting in the pieces; raises ``ValueError`` on unbounded repetition."""
    whole = "|".join(f"(?:{_expand(pattern, pieces)})" for pattern in patterns)
    bare = _CLASS.sub("", re.sub(r"\\.", "", whole))
    found = _UNBOUNDED.search(bare)
    if found:
        raise ValueError(f"unbounded repetition near {bare[max(0, found.start() - 20) : found.end()]!r}")
    return re.compile(whole)


def _read_pattern(pattern: str, pieces: Mapping[str, str]) -> RulePattern:
    regex = compile_patterns([pattern], pieces)
    return RulePattern(regex, required_literals(regex.pattern))


def _expand(pattern: str, pieces: Mapping[str, str]) -> str:
    for _ in range(_PIECE_DEPTH):
        if not _PIECE.search(pattern):
            return pattern
        pattern = _PIECE.sub(lambda m: f"(?:{pieces[m[1]]})", pattern)
    raise ValueError(f"pieces nest too deeply in {pattern[:60]!r}")


def _strip_syntax(pattern: str) -> str:
    return _CLASS.sub(" ", re.sub(r"\(\?[:=!<]+|\\.", " ", pattern))


def _read_guard(name: str, entry: Mapping[str, Any], pieces: Mapping[str, str]) -> Guard:
    scope = Scope(entry["scope"])
    patterns = [f"{p}$" for p in entry["patterns"]] if scope is Scope.BEFORE else list(entry["patterns"])
    cap = RiskLevel[entry["cap"].upper()]
    return Guard(
        name=name,
        scope=scope,
        pattern=compile_patterns(patterns, pieces),
        unless=compile_patterns(entry["unless"], pieces) if "unless" in entry else None,
        also=compile_patterns(entry["also"], pieces) if "also" in entry else None,
        cap=cap,
        plan_cap=RiskLevel[entry.get("plan_cap", cap.name).upper()],
        category=RiskCategory(entry["category"]) if "category" in entry else None,
    )


def _read_rule(entry: Mapping[str, Any], pieces: Mapping[str, str], guards: Mapping[str, Guard]) -> Rule:
    try:
        return Rule(
            id=entry["id"],
            category=RiskCategory(entry["category"]),
            step=Step(entry.get("step", "sign")),
            level=RiskLevel[entry.get("level", "none").upper()],
            signal=entry.get("signal"),
            weight=float(entry.get("weight", 0)),
            guards=tuple(guards[name] for name in entry.get("guards", ())),
            patterns=tuple(_read_pattern(pattern, pieces) for pattern in entry["patterns"]),
            across=bool(entry.get("across", False)),
        )
    except (KeyError, ValueError, re.error) as error:
        raise ValueError(f"rule {entry.get('id')!r}: {error}") from error
