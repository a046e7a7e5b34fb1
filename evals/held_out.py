"""Measures released replies with heads that have not seen their conversations.

Conversations that the committed heads were not trained on are measured with them. When a folder
holds conversations they were trained on, heads are trained anew in folds (a few minutes), each
measuring only the conversations it did not see. A tuned encoder can't be trained anew so quickly: its
predictions for the replies it was tuned on are kept beside it, by the folds of its own training.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from models.encoder import HELD_OUT, Encoder, Vectors, adapter_file, untuned_part
from models.head_file import HEADS_FOLDER, Head, read_head
from models.tactics import Tactic, TacticChances
from models.tagger import TaggedReply, load_tagger
from models.training.empathy_quality import rows_by_fold
from models.training.folds import conversation_folds
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import MintData, reply_digest
from models.training.quality_head import cross_fit_quality, predicted
from models.training.quality_rows import MintVectors, QualityRows, mint_vectors, quality_rows, reader
from models.training.spoiled_rows import spoiled_vectors

FOLDS = 5


@dataclass(frozen=True, slots=True)
class HeldOutHeads:
    """Heads by conversation.

    Attributes:
        taggers: Tactic heads.
        qualities: Quality heads, in the same order.
        rows: Features made with each tactic head.
        fold: Which of them measures a conversation.
        source: ``committed`` or ``cross-fit``.
    """

    taggers: Sequence[Head]
    qualities: Sequence[Head]
    rows: Sequence[QualityRows]
    fold: dict[str, int]
    source: str


@dataclass(frozen=True, slots=True)
class MeasuredTactics:
    """What the taggers say of each reply, in the order of the data.

    Attributes:
        tactics: Tactics of each sentence of each reply.
        source: See :class:`HeldOutHeads`; ``tuned`` for a tuned encoder.
    """

    tactics: Sequence[Sequence[frozenset[Tactic]]]
    source: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What the heads say of each reply, in the order of the data.

    Attributes:
        tactics: Tactics of each sentence of each reply.
        quality: Predicted Q.
        vectors: Of each reply's sentences.
        center: Their mean.
        source: See :class:`HeldOutHeads`.
        chances: How likely each reply carries each tactic; ``None`` where tags are certain.
    """

    tactics: Sequence[Sequence[frozenset[Tactic]]]
    quality: Vectors
    vectors: Sequence[Vectors]
    center: Vectors
    source: str
    chances: Sequence[TacticChances] | None = None


def measure(data: MintData, encoder: Encoder, cache: Path, seed: int, kept: Path | None = None) -> Measured:
    """Tag and score all replies of a folder.

    Args:
        data: The replies.
        encoder: Reads them.
        cache: Where vectors are stored.
        seed: Of the folds.
        kept: Where the heads' Q is kept: read when the file is there, else written. Training heads in folds
            takes minutes, and several commands want the same.

    Raises:
        ValueError: If the encoder was tuned on conversations of the folder, but not on these replies, or
            what is kept is not of these replies.
    """
    tuned, encoder = encoder, untuned_part(encoder)
    vectors = mint_vectors(encoder, data, cache)
    if kept is not None and tuned is encoder:
        raise ValueError("only Q is kept: the tactics of an encoder that is not tuned come from its heads")
    if kept is not None and kept.exists():
        quality, source = read_quality(kept, data, seed)
        tags = tuned_tags(data, tuned)
    else:
        heads = heads_for(data, vectors, encoder, cache, seed)
        quality, tags = _by_heads(data, vectors, heads)
        source = heads.source
        if tuned is not encoder:
            tags = tuned_tags(data, tuned)
        if kept is not None:
            write_quality(kept, data, quality, source, seed)
    sentences = [rows[1:] for rows in vectors.replies]
    center = np.concatenate(sentences).mean(axis=0)
    tactics, chances = [one.tactics for one in tags], [one.chances for one in tags]
    return Measured(tactics, quality, sentences, center, source, chances)


def _by_heads(data: MintData, vectors: MintVectors, heads: HeldOutHeads) -> tuple[Vectors, list[TaggedReply]]:
    quality = np.zeros(len(data.replies), np.float32)
    tags = [TaggedReply((), {})] * len(data.replies)
    parts = zip(heads.taggers, heads.qualities, heads.rows, strict=True)
    for number, (tagger, head, rows) in enumerate(parts):
        read = reader(tagger)
        own = [i for i, reply in enumerate(data.replies) if heads.fold[reply.context[0]] == number]
        quality[own] = predicted(head, rows.features[own])
        for i in own:
            found = read(data.replies[i].sentences, vectors.replies[i])
            tags[i] = TaggedReply(found.tactics, found.chances)
    return quality, tags


def write_quality(path: Path, data: MintData, quality: Vectors, source: str, seed: int) -> None:
    """Keep the heads' Q of each reply, by digest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digests = np.array([reply_digest(reply) for reply in data.replies])
    np.savez_compressed(path, allow_pickle=False, digests=digests, quality=quality, source=source, seed=seed)


def read_quality(path: Path, data: MintData, seed: int) -> tuple[Vectors, str]:
    """What :func:`write_quality` wrote, and whose it is; see :class:`HeldOutHeads`.

    Raises:
        ValueError: The file is of other replies or of another seed.
    """
    with np.load(path) as file:
        digests = [reply_digest(reply) for reply in data.replies]
        if file["digests"].tolist() != digests or int(file["seed"]) != seed:
            raise ValueError(f"{path.name} is not of these replies with seed {seed}")
        return file["quality"].astype(np.float32), str(file["source"])


def measured_tactics(data: MintData, encoder: Encoder, cache: Path, seed: int) -> MeasuredTactics:
    """Tag all replies of a folder, without scoring them."""
    if untuned_part(encoder) is not encoder:
        return MeasuredTactics([one.tactics for one in tuned_tags(data, encoder)], "tuned")
    measured = measure(data, encoder, cache, seed)
    return MeasuredTactics(measured.tactics, measured.source)


def tuned_tags(data: MintData, encoder: Encoder) -> list[TaggedReply]:
    """Tags by a tuned encoder, of what it was tuned on by the encoders of other folds."""
    held_out = HeldOutTags.read(adapter_file(encoder.name).parent / HELD_OUT)
    tagger = load_tagger(encoder)
    seen = set(cast(list[str], tagger.facts.get("conversations", [])))
    known = [held_out.tagged(reply) for reply in data.replies]
    fresh = [reply for reply, tags in zip(data.replies, known, strict=True) if tags is None]
    for reply in fresh:
        if reply.context[0] in seen:
            raise ValueError(
                f"{encoder.name} was tuned on conversation {reply.context[0]}, but not on this reply of "
                f"{reply.system}: use --encoder e5 for changed texts of known conversations"
            )
    tagged = iter(tagger.read_all([reply.sentences for reply in fresh]))
    return [next(tagged) if tags is None else tags for tags in known]


def heads_for(data: MintData, vectors: MintVectors, encoder: Encoder, cache: Path, seed: int) -> HeldOutHeads:
    """Committed heads when they saw none of the conversations, else heads trained in folds."""
    committed = [read_head(HEADS_FOLDER / f"{kind}-{encoder.name}" / "head.safetensors", encoder.name)
                 for kind in ("tactics", "empathy")]  # fmt: skip
    seen = {c for head in committed for c in cast(list[str], head.facts.get("conversations", []))}
    if not seen & set(data.conversations):
        only = dict.fromkeys(data.conversations, 0)
        rows = [quality_rows(data, vectors, reader(committed[0]), seed)]
        return HeldOutHeads(committed[:1], committed[1:], rows, only, "committed")
    folds = conversation_folds(data.conversations, FOLDS, seed)
    spoiled = spoiled_vectors(encoder, data, cache, seed)
    taggers, rows, made = rows_by_fold(data, vectors, spoiled, folds, seed)
    return HeldOutHeads(taggers, cross_fit_quality(rows, made, folds, seed)[0], rows, folds, "cross-fit")


def describe(data: MintData, measured: Measured | MeasuredTactics | HeldOutHeads) -> dict[str, Any]:
    """What was measured on, for a results file."""
    return {
        "conversations": len(data.conversations),
        "contexts": len(data.histories),
        "replies": len(data.replies),
        "heads": measured.source,
    }
