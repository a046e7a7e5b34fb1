"""Features of the released replies, for training and measuring the quality head."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.empathy import quality_features
from models.encoder import Encoder, Vectors
from models.head_file import Head
from models.sentences import split_sentences
from models.tagger import ReadReply, read_reply
from models.training.embedding_store import stored_vectors
from models.training.mint_data import ContextKey, MintData, MintReply, by_context


@dataclass(frozen=True, slots=True)
class QualityRows:
    """What the head learns from.

    Attributes:
        features: One row for each reply.
        mismatched: The same replies as if they answered another context.
        echoes: The person's message as a reply to itself, by context.
        ratings: The judge's ratings, ``nan`` where one is missing.
        groups: Row numbers by context.
    """

    features: Vectors
    mismatched: Vectors
    echoes: dict[ContextKey, Vectors]
    ratings: Vectors
    groups: dict[ContextKey, list[int]]


Reader = Callable[[Sequence[str], Vectors], ReadReply]
"""Makes a :class:`ReadReply` of sentences and their vectors with some tactic head."""


def reader(head: Head) -> Reader:
    """Reads replies with a tactic head, from stored vectors."""

    def read(sentences: Sequence[str], rows: Vectors) -> ReadReply:
        return read_reply(head, sentences, rows)

    return read


@dataclass(frozen=True, slots=True)
class MintVectors:
    """Vectors of a folder's texts.

    Attributes:
        replies: Of each reply and its sentences, in the order of the replies.
        said: Of the person's last message, by context.
    """

    replies: list[Vectors]
    said: dict[ContextKey, Vectors]


def mint_vectors(encoder: Encoder, data: MintData, cache: Path) -> MintVectors:
    """Embed a folder's replies and last messages, or take them from the cache."""
    keys = sorted(data.histories)
    said = stored_vectors(encoder, [split_sentences(data.histories[k][-1].content) for k in keys], cache)
    replies = stored_vectors(encoder, [reply.sentences for reply in data.replies], cache)
    return MintVectors(replies, dict(zip(keys, said, strict=True)))


def quality_rows(data: MintData, vectors: MintVectors, read: Reader, seed: int) -> QualityRows:
    """Features of all replies.

    Args:
        data: The replies.
        vectors: Their vectors.
        read: Tags replies.
        seed: Of the choice of other contexts.
    """
    rng = np.random.default_rng(seed)
    keys = sorted(data.histories)
    said = {key: data.histories[key][-1].content for key in keys}

    def row(key: ContextKey, reply: ReadReply) -> Vectors:
        return quality_features(said[key], vectors.said[key][0], reply)

    own: list[Vectors] = []
    other: list[Vectors] = []
    for reply, rows in zip(data.replies, vectors.replies, strict=True):
        found = read(reply.sentences, rows)
        own.append(row(reply.context, found))
        other.append(row(_other_conversation(reply, keys, rng), found))
    echoes = {key: row(key, read(split_sentences(said[key]), vectors.said[key])) for key in keys}
    ratings = np.array([reply.ratings for reply in data.replies], np.float32)
    return QualityRows(np.stack(own), np.stack(other), echoes, ratings, by_context(data.replies))


def _other_conversation(reply: MintReply, keys: Sequence[ContextKey], rng: np.random.Generator) -> ContextKey:
    while True:
        key = keys[int(rng.integers(len(keys)))]
        if key[0] != reply.context[0]:
            return key
