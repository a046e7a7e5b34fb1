"""MindChat's two tables: what judges say on three dimensions, and what people prefer in blind rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np

from app.ranking_table import RESAMPLES, RankedCandidate, SettingRow, by_choice, by_model
from evals.agreement_figures import Rated, agreement, interval
from evals.mindchat_rows import Reply
from models.judge import Verdict
from models.judge_panel import PanelScore
from models.judge_rubrics import Rubric

CHOSEN, OTHERS = "shown", "not shown"


def judged_table(
    replies: Sequence[Reply],
    scores: Sequence[PanelScore | None],
    rubric: Rubric,
    *,
    draws: int,
    seed: int,
) -> dict[str, Any]:
    """Table 2: by configuration, each dimension and their mean as a share of the highest grade.

    Args:
        replies: What was graded.
        scores: What the panel said of each, mean over judges and repetitions; ``None`` without an answer.
        rubric: With the three dimensions.
        draws: Draws of whole conversations for the intervals.
        seed: Of the draws.

    Returns:
        For each configuration the counts, and ``mean``, ``variance`` (over replies, sample's), ``low`` and
        ``high`` (middle 95 % of draws) of each dimension and of ``all``.
    """
    rows: dict[str, Any] = {}
    for name in dict.fromkeys(reply.configuration for reply in replies):
        own = [(r, s) for r, s in zip(replies, scores, strict=True) if r.configuration == name]
        graded = [(reply, score) for reply, score in own if score is not None]
        groups = [reply.conversation for reply, _ in graded]
        values = {item.name: [score.grades[item.name] for _, score in graded] for item in rubric.items}
        rows[name] = {
            "replies": len(own),
            "graded": len(graded),
            "conversations": len({reply.conversation for reply, _ in own}),
            "dimensions": {
                **{key: summary(np.array(v) / rubric.high, groups, draws, seed) for key, v in values.items()},
                "all": summary(np.array([score.score for _, score in graded]), groups, draws, seed),
            },
        }
    return rows


def judges_agreement(
    verdicts: Mapping[str, Mapping[str, Verdict]],
    conversations: Mapping[str, str],
    rubric: Rubric,
    *,
    draws: int,
    seed: int,
) -> list[dict[str, Any]]:
    """How far each two judges agree, item by item, on what both graded.

    Args:
        verdicts: By judge and key of a reply.
        conversations: By key, what a reply is drawn with.
        rubric: With the items.
        draws: Draws of whole conversations for the intervals.
        seed: Of the draws.

    Returns:
        A row a pair: the two names, and by item the figures of ``evals.agreement_figures``, in which the
        first judge is the reference. Repetitions are averaged before.
    """
    means = {judge: {key: one.means() for key, one in own.items()} for judge, own in verdicts.items()}
    rows: list[dict[str, Any]] = []
    for a, b in combinations(means, 2):
        both = [(key, x, y) for key in conversations if (x := means[a][key]) and (y := means[b][key])]
        items = {
            item.name: agreement(
                [Rated(conversations[key], x[item.name], y[item.name]) for key, x, y in both],
                draws=draws,
                seed=seed,
            )
            for item in rubric.items
        }
        rows.append({"judges": [a, b], "items": items})
    return rows


def summary(values: Any, groups: Sequence[str], draws: int, seed: int) -> dict[str, float | None]:
    """Mean, sample variance and interval of values; all ``None`` where there are none."""
    if not len(values):
        return dict.fromkeys(("mean", "variance", "low", "high"))
    names = sorted(set(groups))
    place = {name: number for number, name in enumerate(names)}
    index = np.array([place[group] for group in groups])
    totals = np.bincount(index, weights=values, minlength=len(names))
    counts = np.bincount(index, minlength=len(names))
    picked = np.random.default_rng(seed).integers(len(names), size=(draws, len(names)))
    means = totals[picked].sum(axis=1) / counts[picked].sum(axis=1)
    low, high = interval(means.tolist(), draws)
    return {
        "mean": round(float(values.mean()), 4),
        "variance": round(float(values.var(ddof=1)), 4) if len(values) > 1 else 0.0,
        "low": low,
        "high": high,
    }


def preference_table(rows: Sequence[RankedCandidate]) -> dict[str, Any]:
    """Table 3: win rate, top-2 rate and mean rank, by model and by whether Hearken had shown the reply."""
    return {
        "rankings": len({row.ranking_id for row in rows}),
        "turns": len({row.turn_id for row in rows}),
        "candidates": len(rows),
        "resamples": RESAMPLES,
        "by_model": [_rounded(row) for row in by_model(rows)],
        "by_choice": [_rounded(row) for row in by_choice(rows, CHOSEN, OTHERS)],
    }


def _rounded(row: SettingRow) -> dict[str, Any]:
    def number(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(key): number(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return round(value, 4) if isinstance(value, float) else value

    return {name: number(value) for name, value in asdict(row).items()}
