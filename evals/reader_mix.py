"""Predictions of a tuned language model beside those of the heads, for conversations neither had seen."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.held_out import FOLDS, Measured
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
    """What a language model predicted, and how much it counts.

    Attributes:
        file: ``mint_held_out.npz`` of :mod:`models.training.reader_tune`.
        quality: Its part of the mean of Q, 0 to 1.
        tags: Its part of the mean of the tactics' probabilities.
    """

    file: Path
    quality: float = 0.5
    tags: float = 0.5


def with_reader(
    data: MintData, measured: Measured, encoder: Encoder, share: ReaderShare, seed: int, pool: str = "all"
) -> tuple[Measured, dict[str, Any]]:
    """Means of the heads' and the language model's predictions.

    Both Qs, and then their mean, are put on the judge's scale by the replies of the other folds.

    Args:
        data: The replies.
        measured: By the heads, trained in the same folds.
        encoder: The encoder that ``measured`` was made with; a tuned one, whose probabilities are kept.
        share: The language model's predictions.
        seed: Of the folds.
        pool: Systems that the scores are of.

    Returns:
        What was measured, with the mean's Q and tactics, and the scores of both and of their mean.

    Raises:
        ValueError: The file's folds are not the heads', it lacks replies, or the encoder is not a tuned one.
    """
    if untuned_part(encoder) is encoder:
        raise ValueError(
            "only a tuned encoder keeps the probabilities that a mean needs: use --encoder e5-mint"
        )
    with np.load(share.file) as file:
        folds = dict(zip(file["conversations"].tolist(), file["fold"].tolist(), strict=True))
        known = dict(zip(file["digests"].tolist(), file["quality"].tolist(), strict=True))
    if folds != conversation_folds(data.conversations, FOLDS, seed) or measured.source != "cross-fit":
        raise ValueError(f"{share.file.name} is not by the folds of these heads (seed {seed})")
    names = [reply_digest(reply) for reply in data.replies]
    if not set(names) <= set(known):
        raise ValueError(f"{share.file.name} lacks some of the replies")
    fold = np.array([folds[reply.context[0]] for reply in data.replies], np.int64)
    judged = np.array([reply.quality for reply in data.replies], np.float32)
    read = on_scale(np.array([known[name] for name in names], np.float32), judged, fold)
    both: Vectors = ((1 - share.quality) * measured.quality + share.quality * read).astype(np.float32)
    mean = on_scale(both, judged, fold)
    own = HeldOutTags.read(adapter_file(encoder.name).parent / HELD_OUT)
    other = HeldOutTags.from_tuning(share.file, data)
    mixed = own.averaged(other, data, share.tags)
    tags = [mixed.tagged(reply) or TaggedReply((), {}) for reply in data.replies]
    systems = "" if pool == "all" else pool
    scores = {
        "weights": {"quality": share.quality, "tags": share.tags},
        "quality": {
            name: ranking_scores(data, quality, systems)
            for name, quality in (("heads", measured.quality), ("reader", read), ("mean", mean))
        },
        "tags_macro_f1": {
            name: tags_macro_f1(data, tags)
            for name, tags in (("heads", own), ("reader", other), ("mean", mixed))
        },
    }
    tactics, chances = [one.tactics for one in tags], [one.chances for one in tags]
    return replace(measured, quality=mean, tactics=tactics, chances=chances), scores


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
