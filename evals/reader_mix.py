"""Predictions of tuned language models beside those of the heads, for conversations none of them had seen."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.held_out import FOLDS, Measured
from evals.stacked_quality import Opinion, columns_of, cross_fit
from models.encoder import HELD_OUT, Encoder, Vectors, adapter_file, untuned_part
from models.tactics import Tactic
from models.tagger import TaggedReply
from models.training.folds import conversation_folds
from models.training.held_out_tags import HeldOutTags
from models.training.metrics import macro_f1
from models.training.mint_data import MintData, reply_digest
from models.training.quality_head import fit_calibration, ranking_scores


@dataclass(frozen=True, slots=True)
class ReaderShare:
    """What language models predicted, and how much they count.

    Attributes:
        files: ``mint_held_out.npz`` of :mod:`models.training.reader_tune`, one a model; all count alike.
        quality: Their part of the mean of Q, 0 to 1.
        tags: Their part of the mean of the tactics' probabilities.
        stacked: Whether Q is learned from all predictions (:mod:`evals.stacked_quality`), not their mean.
    """

    files: tuple[Path, ...]
    quality: float = 0.5
    tags: float = 0.5
    stacked: bool = False


def with_readers(
    data: MintData, measured: Measured, encoder: Encoder, share: ReaderShare, seed: int, pool: str = "all"
) -> tuple[Measured, dict[str, Any]]:
    """Means of the heads' and the language models' predictions.

    Each Q, and then their mean, is put on the judge's scale by the replies of the other folds.

    Args:
        data: The replies.
        measured: By the heads, trained in the same folds.
        encoder: The encoder that ``measured`` was made with; a tuned one, whose probabilities are kept.
        share: The language models' predictions.
        seed: Of the folds.
        pool: Systems that the scores are of.

    Returns:
        What was measured, with the mean's Q and tactics, and the scores of all and of their mean.

    Raises:
        ValueError: A file's folds are not the heads', it lacks replies, or the encoder is not a tuned one.
    """
    if untuned_part(encoder) is encoder:
        raise ValueError(
            "only a tuned encoder keeps the probabilities that a mean needs: use --encoder e5-mint"
        )
    folds = conversation_folds(data.conversations, FOLDS, seed)
    if measured.source != "cross-fit":
        raise ValueError("the heads were not trained by folds of these conversations")
    fold = np.array([folds[reply.context[0]] for reply in data.replies], np.int64)
    judged = np.array([reply.quality for reply in data.replies], np.float32)
    opinions = [_opinion(file, data, folds, seed) for file in share.files]
    each = [on_scale(one.quality, judged, fold) for one in opinions]
    read = on_scale(np.array(sum(each) / len(each), np.float32), judged, fold)
    both: Vectors = ((1 - share.quality) * measured.quality + share.quality * read).astype(np.float32)
    own = HeldOutTags.read(adapter_file(encoder.name).parent / HELD_OUT)
    others = [HeldOutTags.from_tuning(file, data) for file in share.files]
    other = others[0]
    for count, one in enumerate(others[1:], start=2):
        other = other.averaged(one, data, 1 / count)
    mixed = own.averaged(other, data, share.tags)
    tags = [mixed.tagged(reply) or TaggedReply((), {}) for reply in data.replies]
    tactics, chances = [one.tactics for one in tags], [one.chances for one in tags]
    qualities = {"heads": measured.quality, "readers": read, "mean": on_scale(both, judged, fold)}
    if share.stacked:
        heads = Opinion(measured.quality, np.zeros((len(judged), 0), np.float32))
        all_of_them = [heads, *(replace(one, quality=q) for one, q in zip(opinions, each, strict=True))]
        learned = cross_fit(columns_of(data, all_of_them, chances), judged, fold)
        qualities["stacked"] = on_scale(learned, judged, fold)
    systems = "" if pool == "all" else pool
    scores = {
        "weights": {"quality": share.quality, "tags": share.tags, "stacked": share.stacked},
        "quality": {name: ranking_scores(data, quality, systems) for name, quality in qualities.items()},
        "each": [ranking_scores(data, quality, systems) for quality in each],
        "tags_macro_f1": {
            name: tags_macro_f1(data, tags)
            for name, tags in (("heads", own), ("readers", other), ("mean", mixed))
        },
    }
    chosen = qualities["stacked" if share.stacked else "mean"]
    return replace(measured, quality=chosen, tactics=tactics, chances=chances), scores


def _opinion(file: Path, data: MintData, folds: Mapping[str, int], seed: int) -> Opinion:
    """What one language model says of the replies, in the order of the data."""
    with np.load(file) as kept:
        if dict(zip(kept["conversations"].tolist(), kept["fold"].tolist(), strict=True)) != folds:
            raise ValueError(f"{file.name} is not by the folds of these heads (seed {seed})")
        rows = {name: row for row, name in enumerate(kept["digests"].tolist())}
        names = [reply_digest(reply) for reply in data.replies]
        if not set(names) <= set(rows):
            raise ValueError(f"{file.name} lacks some of the replies")
        order = [rows[name] for name in names]
        return Opinion(kept["quality"][order].astype(np.float32), kept["ratings"][order].astype(np.float32))


def on_scale(raw: Vectors, judged: Vectors, fold: NDArray[np.int64]) -> Vectors:
    """Predictions of each fold on the line that fits the judge's ratings in the other folds, 1 to 5."""
    out = np.zeros_like(raw)
    for number in np.unique(fold):
        line = fit_calibration(raw[fold != number], judged[fold != number])
        out[fold == number] = line.slope * raw[fold == number] + line.offset
    return np.clip(out, 1.0, 5.0)


def tags_macro_f1(data: MintData, tags: HeldOutTags) -> float:
    """Macro-F1 against the authors' tags, where these belong to our sentences."""
    replies = [(reply, tags.tactics(reply)) for reply in data.replies if reply.aligned]
    truth = [[t in one for t in Tactic] for reply, _ in replies for one in reply.tactics]
    found = [[t in one for t in Tactic] for _, own in replies for one in own or ()]
    return round(float(macro_f1(np.array(truth, np.bool_), np.array(found, np.bool_)).mean()), 4)
