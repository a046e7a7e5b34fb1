"""From rankings by people to a table: win rate, top-2 rate and mean rank of each setting.

The measures are those of MindChat's blind comparison. Ties share what their places are worth: of two
that are best together each has half a win, and each has the rank 1.5.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

RESAMPLES = 500
_SEED = 20261128
_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """One candidate in one ranking.

    Attributes:
        ranking_id: The ranking; candidates with the same one were compared with each other.
        turn_id: What was ranked; rankings of one turn by several raters are not independent.
        model: Name of the model it came from.
        chosen: Whether Hearken had shown it.
        place: 1 is the best, equal numbers are a tie.
    """

    ranking_id: str
    turn_id: str
    model: str
    chosen: bool
    place: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % bootstrap interval over turns."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One line of the table.

    Attributes:
        rankings: Rankings in which the setting has a candidate.
        candidates: Its candidates in them.
        win: Share of first places.
        by_chance: The share of first places if the order were drawn by lot.
        top_two: Share of first and second places.
        mean_rank: 1 is the best.
    """

    setting: str
    rankings: int
    candidates: int
    win: Interval
    by_chance: float
    top_two: Interval
    mean_rank: Interval


@dataclass(frozen=True, slots=True)
class _Credit:
    turn_id: str
    ranking_id: str
    win: float
    by_chance: float
    top_two: float
    rank: float


def by_model(rows: Iterable[RankedCandidate]) -> list[SettingRow]:
    """The table by model, the best first."""
    return _table(rows, {})


def by_choice(rows: Iterable[RankedCandidate], chosen: str, others: str) -> list[SettingRow]:
    """The table of what Hearken had shown against all that it had not.

    Args:
        rows: All ranked candidates.
        chosen: Name of the line of those that were shown.
        others: Name of the line of the rest.
    """
    return _table(rows, {True: chosen, False: others})


def _table(rows: Iterable[RankedCandidate], names: Mapping[bool, str]) -> list[SettingRow]:
    rankings: defaultdict[str, list[RankedCandidate]] = defaultdict(list)
    for row in rows:
        rankings[row.ranking_id].append(row)
    credits: defaultdict[str, list[_Credit]] = defaultdict(list)
    for ranked in rankings.values():
        for row in ranked:
            credits[names.get(row.chosen, row.model)].append(_credit(row, ranked))
    table = [_row(setting, found) for setting, found in credits.items()]
    return sorted(table, key=lambda row: (row.mean_rank.mean, row.setting))


def _credit(row: RankedCandidate, ranked: Sequence[RankedCandidate]) -> _Credit:
    better = sum(other.place < row.place for other in ranked)
    tied = sum(other.place == row.place for other in ranked)
    return _Credit(
        turn_id=row.turn_id,
        ranking_id=row.ranking_id,
        win=_share(1, better, tied),
        by_chance=1 / len(ranked),
        top_two=_share(2, better, tied),
        rank=better + (tied + 1) / 2,
    )


def _share(places: int, better: int, tied: int) -> float:
    """How much of the first places each of those has that are tied behind ``better`` others."""
    return min(max(places - better, 0), tied) / tied


def _row(setting: str, credits: Sequence[_Credit]) -> SettingRow:
    return SettingRow(
        setting=setting,
        rankings=len({credit.ranking_id for credit in credits}),
        candidates=len(credits),
        win=_interval([(credit.turn_id, credit.win) for credit in credits]),
        by_chance=sum(credit.by_chance for credit in credits) / len(credits),
        top_two=_interval([(credit.turn_id, credit.top_two) for credit in credits]),
        mean_rank=_interval([(credit.turn_id, credit.rank) for credit in credits]),
    )


def _interval(values: Sequence[tuple[str, float]]) -> Interval:
    """The mean, and how it moves when turns are drawn again with replacement."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for turn_id, value in values:
        sums[turn_id][0] += value
        sums[turn_id][1] += 1
    turns = [sums[turn_id] for turn_id in sorted(sums)]
    numbers = Random(_SEED)  # noqa: S311 - the same rankings give the same interval

    def drawn() -> float:
        picked = numbers.choices(turns, k=len(turns))
        return sum(total for total, _ in picked) / sum(count for _, count in picked)

    means = sorted(drawn() for _ in range(RESAMPLES))
    mean = sum(value for _, value in values) / len(values)
    return Interval(mean, means[int(_LOW * RESAMPLES)], means[int(_HIGH * RESAMPLES) - 1])
