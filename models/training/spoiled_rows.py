"""Features of spoiled replies, see :mod:`models.training.spoiled_replies`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.empathy import quality_features
from models.encoder import Encoder, Vectors
from models.sentences import split_sentences
from models.training.embedding_store import stored_vectors
from models.training.mint_data import MintData
from models.training.quality_rows import Reader
from models.training.spoiled_replies import Reply, Spoiled, spoil


@dataclass(frozen=True, slots=True)
class SpoiledVectors:
    """The replies and the vectors of their texts, each by its sentences."""

    spoiled: Spoiled
    texts: Mapping[tuple[str, ...], Vectors]


@dataclass(frozen=True, slots=True)
class SpoiledRows:
    """What the quality head learns from beside the ratings.

    Attributes:
        better: Features of each pair's better reply, ``(pairs, features)``.
        worse: Of the other.
        margins: Points of Q between them.
        pair_of: Conversation each pair comes from; ``spoiled_replies.OURS`` for those that are not MINT's.
        worthless: Features of replies that are worth nearly nothing.
        ratings: Their rating.
        worthless_of: Their conversations.
    """

    better: Vectors
    worse: Vectors
    margins: Vectors
    pair_of: NDArray[np.str_]
    worthless: Vectors
    ratings: Vectors
    worthless_of: NDArray[np.str_]

    def without(self, conversations: Sequence[str]) -> "SpoiledRows":
        """Those that come from none of some conversations."""
        pairs = ~np.isin(self.pair_of, list(conversations))
        single = ~np.isin(self.worthless_of, list(conversations))
        return SpoiledRows(
            self.better[pairs],
            self.worse[pairs],
            self.margins[pairs],
            self.pair_of[pairs],
            self.worthless[single],
            self.ratings[single],
            self.worthless_of[single],
        )


def spoiled_vectors(encoder: Encoder, data: MintData, cache: Path, seed: int) -> SpoiledVectors:
    """Make spoiled replies and embed them, or take the vectors from the cache."""
    spoiled = spoil(data, seed)
    replies = [reply for pair in spoiled.pairs for reply in (pair.better, pair.worse)]
    replies += [one.reply for one in spoiled.worthless]
    texts = [text for reply in replies for text in (reply.sentences, tuple(split_sentences(reply.said)))]
    distinct = sorted(set(texts))
    return SpoiledVectors(spoiled, dict(zip(distinct, stored_vectors(encoder, distinct, cache), strict=True)))


def spoiled_rows(vectors: SpoiledVectors, read: Reader) -> SpoiledRows:
    """Features of spoiled replies, tagged by ``read``."""

    def row(reply: Reply) -> Vectors:
        said = vectors.texts[tuple(split_sentences(reply.said))][0]
        found = read(reply.sentences, vectors.texts[reply.sentences])
        return quality_features(reply.said, said, found)

    pairs, worthless = vectors.spoiled.pairs, vectors.spoiled.worthless
    return SpoiledRows(
        better=np.stack([row(pair.better) for pair in pairs]),
        worse=np.stack([row(pair.worse) for pair in pairs]),
        margins=np.array([pair.margin for pair in pairs], np.float32),
        pair_of=np.array([pair.better.context[0] for pair in pairs]),
        worthless=np.stack([row(one.reply) for one in worthless]),
        ratings=np.array([one.rating for one in worthless], np.float32),
        worthless_of=np.array([one.reply.context[0] for one in worthless]),
    )
