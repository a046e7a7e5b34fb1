"""What :mod:`evals.crisis` reports: recall, false cards, referrals rendered, confusion, misses."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from evals.crisis_data import Case
from evals.crisis_pipeline import SeenTurn
from safety.levels import RiskLevel

_EVERYDAY = "everyday"
"""Stands for the label of text whose label is unknown and which is taken as ordinary."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One turn: what was wanted and what was seen."""

    case: Case
    turn: int
    text: str
    wanted: RiskLevel | None
    seen: SeenTurn

    @property
    def name(self) -> str:
        """Set, id and turn; lists name turns so, because texts of the data sets are not copied."""
        return f"{self.case.source}:{self.case.id}:{self.turn}"

    def as_row(self) -> dict[str, Any]:
        """One line of the predictions file; keys are documented in docs/safety.md."""
        return {
            "set": self.case.source,
            "id": self.case.id,
            "turn": self.turn,
            "lang": self.case.lang,
            "text": self.text,
            "label": None if self.wanted is None else self.wanted.label,
            "kind": self.case.kind,
            "level": self.seen.level.label,
            "category": self.seen.category,
            "layer": self.seen.layer,
            "card": self.seen.card,
            "repeated": self.seen.repeated,
        }


def report(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """All tables; keys are documented in docs/safety.md."""
    labelled = [p for p in predictions if p.wanted is not None]
    crises = [p for p in labelled if p.wanted is not None and p.wanted >= RiskLevel.MODERATE]
    calm = [p for p in labelled if p.wanted is not None and p.wanted < RiskLevel.MODERATE]
    return {
        "turns": len(predictions),
        "languages": {lang: _recall(rows) for lang, rows in _by_language(labelled).items()},
        "sets": _sets(predictions),
        "everyday": _rates((p.case.source, p) for p in predictions if p.wanted is None),
        "kinds": _rates((p.case.kind or "unnamed", p) for p in calm),
        "referrals": _referrals(predictions),
        "confusion": {lang: _confusion(rows) for lang, rows in _by_language(labelled).items()},
        "milliseconds": _times([p.seen.milliseconds for p in predictions]),
        "missed_cards": [p.name for p in crises if not p.seen.card],
        "false_cards": [p.name for p in calm if p.seen.card],
        "imminent_shown_lower": [
            p.name for p in crises if p.wanted is RiskLevel.IMMINENT and p.seen.level < RiskLevel.IMMINENT
        ],
    }


def _by_language(predictions: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    groups: defaultdict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        groups[prediction.case.lang].append(prediction)
    return {**dict(sorted(groups.items())), "all": list(predictions)} if predictions else {}


def _recall(rows: Sequence[Prediction]) -> dict[str, Any]:
    """For each wanted level: how many got a card, and how many at least that level."""
    table: dict[str, Any] = {}
    for level in sorted({p.wanted for p in rows if p.wanted is not None}, reverse=True):
        own = [p for p in rows if p.wanted is level]
        reached = sum(p.seen.level >= level for p in own)
        table[level.label] = {**_rate(own), "level_reached": reached}
    return table


def _rate(rows: Sequence[Prediction]) -> dict[str, Any]:
    cards = sum(p.seen.card for p in rows)
    return {"turns": len(rows), "cards": cards, "card_rate": round(cards / len(rows), 4) if rows else None}


def _rates(named: Iterable[tuple[str, Prediction]]) -> dict[str, dict[str, Any]]:
    groups: defaultdict[str, list[Prediction]] = defaultdict(list)
    for name, prediction in named:
        groups[name].append(prediction)
    return {name: _rate(rows) for name, rows in sorted(groups.items())}


def _sets(predictions: Sequence[Prediction]) -> dict[str, dict[str, dict[str, Any]]]:
    groups: defaultdict[tuple[str, str, str], list[Prediction]] = defaultdict(list)
    for p in predictions:
        wanted = p.wanted.label if p.wanted is not None else _EVERYDAY
        groups[p.case.source, p.case.lang, wanted].append(p)
    sets: dict[str, dict[str, dict[str, Any]]] = {}
    for (source, lang, wanted), rows in sorted(groups.items()):
        found = dict(Counter(p.seen.level.label for p in rows))
        exact = sum(p.wanted == p.seen.level for p in rows)
        row = {**_rate(rows), "exact_level": exact, "predicted": found}
        sets.setdefault(source, {}).setdefault(lang, {})[wanted] = row
    return sets


def _referrals(predictions: Sequence[Prediction]) -> dict[str, int]:
    """Turns for which the score asks for a card, against cards that the page really shows."""
    due = [p for p in predictions if p.seen.level >= RiskLevel.MODERATE]
    return {
        "due": len(due),
        "rendered": sum(p.seen.card for p in due),
        "rendered_though_not_due": sum(p.seen.card for p in predictions) - sum(p.seen.card for p in due),
        "repeated": sum(p.seen.repeated for p in predictions),
    }


def _confusion(rows: Sequence[Prediction]) -> dict[str, dict[str, int]]:
    table = {wanted.label: {found.label: 0 for found in RiskLevel} for wanted in RiskLevel}
    for p in rows:
        if p.wanted is not None:
            table[p.wanted.label][p.seen.level.label] += 1
    return table


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    times = sorted(milliseconds)
    return {
        "median": round(median(times), 2),
        "p95": round(times[int(len(times) * 0.95)], 2),
        "max": round(times[-1], 2),
    }
