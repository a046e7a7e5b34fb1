"""Figures of replayed conversations and the interval of their difference."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from models.novelty import pooled_stickiness
from models.tactics import Tactic
from models.training.metrics import mean_of

if TYPE_CHECKING:  # figures are also computed where the application's packages are missing
    from evals.live_replay import LiveTurn

Row = dict[str, Any]
"""One turn in a results file: numbers and names of tactics, no text."""
Conversations = Mapping[str, Sequence[Row]]
"""The turns of each conversation in order."""


def rows_of(turns: Sequence["LiveTurn"], n: int) -> dict[str, list[Row]]:
    """Turns with ``n`` candidates as rows for a results file, by the conversation's number."""
    found: dict[str, list[Row]] = {}
    for turn in sorted((t for t in turns if t.n == n), key=lambda t: (t.conversation, t.turn)):
        found.setdefault(turn.conversation.split(":")[0], []).append(
            {
                "tactics": sorted(turn.tactics),
                "quality": round(turn.quality, 4),
                "repeated_opening": turn.repeated_opening,
                "similarity": round(turn.similarity, 4),
                "words": turn.words,
                "level": turn.level,
                "fallback": turn.fallback,
                "model_s": round(turn.model_s, 3),
                "choose_s": round(turn.choose_s, 4),
            }
        )
    return found


def figures(conversations: Sequence[Sequence[Row]]) -> dict[str, float]:
    """Means over the turns, and stickiness over all pairs of a turn and the next."""
    rows = [row for turns in conversations for row in turns]
    later = [row for turns in conversations for row in turns[1:]]
    return {
        "stickiness": stickiness_of(conversations),
        "quality": mean_of(row["quality"] for row in rows),
        "distinct_tactics": mean_of(float(len(_all_tactics(turns))) for turns in conversations),
        "tactics_per_turn": mean_of(float(len(row["tactics"])) for row in rows),
        "repeated_openings": mean_of(float(row["repeated_opening"]) for row in later),
        "wording": mean_of(row["similarity"] for row in later),
        "words": mean_of(float(row["words"]) for row in rows),
        "fallbacks": mean_of(float(row["fallback"]) for row in rows),
        "model_s": mean_of(row["model_s"] for row in rows),
        "choose_s": mean_of(row["choose_s"] for row in rows),
    }


def stickiness_of(conversations: Sequence[Sequence[Row]]) -> float:
    """Pooled stickiness against own previous turns; ``nan`` without any pair."""
    found = pooled_stickiness(
        (frozenset(map(Tactic, a["tactics"])), frozenset(map(Tactic, b["tactics"])))
        for turns in conversations
        for a, b in pairwise(turns)
    )
    return float("nan") if found is None else found


def _all_tactics(turns: Sequence[Row]) -> set[str]:
    return {name for row in turns for name in row["tactics"]}


def difference(
    several: Conversations, one: Conversations, seed: int, samples: int = 2000
) -> dict[str, dict[str, Any]]:
    """Several candidates minus one, with 95 % intervals: conversations are drawn with replacement.

    Raises:
        ValueError: The two sides do not hold the same conversations and turns.
    """
    names: list[str] = sorted(several)
    if names != sorted(one) or any(len(several[name]) != len(one[name]) for name in names) or not names:
        raise ValueError("both sides must hold the same conversations and turns")
    rng = np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {"quality": [], "stickiness": []}
    for _ in range(samples):
        picked = [names[int(i)] for i in rng.integers(len(names), size=len(names))]
        gain = _gain([several[name] for name in picked], [one[name] for name in picked])
        for measure, values in drawn.items():
            values.append(gain[measure])
    whole = _gain([several[name] for name in names], [one[name] for name in names])
    return {
        measure: {
            "mean": round(whole[measure], 4),
            "interval": [round(float(v), 4) for v in np.nanpercentile(values, [2.5, 97.5])],
        }
        for measure, values in drawn.items()
    }


def is_better(found: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the intervals say higher Q and lower stickiness."""
    return found["quality"]["interval"][0] > 0 and found["stickiness"]["interval"][1] < 0


def _gain(several: Sequence[Sequence[Row]], one: Sequence[Sequence[Row]]) -> dict[str, float]:
    return {
        "quality": mean_of(r["quality"] for turns in several for r in turns)
        - mean_of(r["quality"] for turns in one for r in turns),
        "stickiness": stickiness_of(several) - stickiness_of(one),
    }
