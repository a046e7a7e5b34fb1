"""What readers said of MINT's replies of their own folds: kept fold by fold, joined, and measured."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.training.metrics import best_thresholds, macro_f1, mean_of, rank_correlation
from models.training.reader_batches import Ints
from models.training.reader_data import Floats, ReaderData

JOINED = "mint_held_out.npz"
"""Predictions for all replies; :class:`models.training.held_out_tags.HeldOutTags` reads it as well."""


def fold_of_replies(data: ReaderData) -> Ints:
    """The fold of each reply."""
    arrays = data.arrays
    return arrays["fold"][arrays["conversation"][arrays["context"]]]


@dataclass(frozen=True, slots=True)
class FoldRead:
    """What one fold's reader said of its replies and their sentences, in the order of the data.

    Attributes:
        ratings: The six, ``(replies, 6)``.
        quality: Their aggregate, ``(replies,)``.
        probabilities: Of each sentence's tactics, ``(sentences, 10)``.
        carried: Probabilities that the reply as a whole carries each, ``(replies, 10)``.
    """

    ratings: Floats
    quality: Floats
    probabilities: Floats
    carried: Floats


def save_fold(folder: Path, fold: int, read: FoldRead) -> None:
    """Keep what a fold's reader said."""
    arrays = {field.name: getattr(read, field.name) for field in fields(read)}
    np.savez_compressed(_file(folder, fold), allow_pickle=False, **arrays)


def join_folds(folder: Path, data: ReaderData) -> dict[str, Any] | None:
    """Write ``JOINED`` once all folds are there.

    Returns:
        Scores of all replies, or ``None`` while folds are missing.
    """
    fold = fold_of_replies(data)
    count = int(fold.max()) + 1
    if not all(_file(folder, number).exists() for number in range(count)):
        return None
    ratings = np.full((data.texts, 6), np.nan, np.float32)
    quality = np.full(data.texts, np.nan, np.float32)
    probabilities = np.full((len(data.places), data.arrays["tags"].shape[1]), np.nan, np.float32)
    carried = np.full((data.texts, data.arrays["carried"].shape[1]), np.nan, np.float32)
    for number in range(count):
        own = np.flatnonzero(fold == number)
        with np.load(_file(folder, number)) as file:
            ratings[own], quality[own], carried[own] = file["ratings"], file["quality"], file["carried"]
            probabilities[data.rows(own)] = file["probabilities"]
    arrays = data.arrays
    part = folder / f"{JOINED}.{fold.size}.part.npz"
    np.savez_compressed(
        part,
        allow_pickle=False,
        ratings=ratings,
        quality=quality,
        probabilities=probabilities.astype(np.float16),
        carried=carried.astype(np.float16),
        digests=arrays["digests"],
        sentences=arrays["sentences"],
        fold=arrays["fold"],
        conversations=arrays["conversations"],
    )
    part.replace(folder / JOINED)
    return mint_scores(data, np.arange(data.texts), quality, probabilities, carried)


def mint_scores(
    data: ReaderData, replies: Ints, quality: Floats, probabilities: Floats, carried: Floats
) -> dict[str, Any]:
    """How Q ranks the replies to a context, macro-F1 of tags, and how often a reply's tactics are right.

    Args:
        data: The texts.
        replies: Numbers of the replies that were read.
        quality: Predicted aggregated empathy of each.
        probabilities: Of their sentences' tactics; for macro-F1 with each tactic's best threshold.
        carried: Of their own, taken as carried from 0.5 on.
    """
    arrays = data.arrays
    judged: Floats = arrays["ratings"][replies, -1]
    context: Ints = arrays["context"][replies]
    groups = [np.flatnonzero((context == one) & ~np.isnan(judged)) for one in np.unique(context)]
    rows = data.rows(replies)
    kept: NDArray[np.bool_] = (arrays["aligned"] & arrays["counted"])[rows]
    tags = arrays["tags"][rows][kept].astype(np.float32)
    hits = probabilities[kept] >= best_thresholds(tags, probabilities[kept])
    return {
        "replies": len(replies),
        "spearman": round(mean_of(rank_correlation(list(quality[g]), list(judged[g])) for g in groups), 4),
        "first_choice": round(
            mean_of(float(judged[g[int(quality[g].argmax())]]) for g in groups if len(g)), 4
        ),
        "macro_f1_at_best_thresholds": round(float(macro_f1(tags > 0.5, hits).mean()), 4),
        "carried_right": round(float(((carried >= 0.5) == (arrays["carried"][replies] > 0)).mean()), 4),
    }


def _file(folder: Path, fold: int) -> Path:
    return folder / f"mint_fold_{fold}.npz"
