"""Packs MINT's replies for a reader: the conversation, the reply, its ratings and its sentences' tactics."""

from typing import Any

import numpy as np

from models.reader_text import TurnTokens
from models.sentences import says_something
from models.tactics import Tactic
from models.training.folds import conversation_folds
from models.training.mint_data import MintData, MintReply, carried, reply_digest
from models.training.reader_data import MINT, ReaderData, packed

FOLDS = 5
"""As in :mod:`evals.held_out`, by the same function and seed: predictions of both can be averaged."""
CONTEXT_TOKENS = 300


def pack_mint(data: MintData, tokenizer: Any, most: int = CONTEXT_TOKENS, seed: int = 0) -> ReaderData:
    """One text for each reply, in the order of the replies; its places are its sentences' last tokens.

    Args:
        data: The replies and what they answer.
        tokenizer: Of the language model.
        most: Tokens of the conversation before a reply.
        seed: Of the folds.

    Returns:
        ``tags counted aligned`` of sentences; ``ratings carried context digests sentences`` of replies
        (``context`` is a number, ``carried`` says which tactics the whole reply has);
        ``conversation`` (of contexts), ``conversations`` (names) and ``fold`` of each.
    """
    turns = TurnTokens(tokenizer)
    keys = sorted(data.histories)
    number = {key: i for i, key in enumerate(keys)}
    before = {key: turns.context(data.histories[key], most) for key in keys}
    texts = [
        turns.answered(before[reply.context], "assistant", reply.text, reply.sentences)
        for reply in data.replies
    ]
    names = data.conversations
    folds = conversation_folds(names, FOLDS, seed)
    tags = [row for reply in data.replies for row in _tags(reply)]
    return packed(
        MINT,
        texts,
        {
            "tags": np.array(tags, np.uint8),
            "aligned": np.array([reply.aligned for reply in data.replies for _ in reply.sentences]),
            "counted": np.array([says_something(one) for reply in data.replies for one in reply.sentences]),
            "ratings": np.array([reply.ratings for reply in data.replies], np.float32),
            "carried": carried(data.replies).astype(np.uint8),
            "context": np.array([number[reply.context] for reply in data.replies], np.int64),
            "digests": np.array([reply_digest(reply) for reply in data.replies]),
            "sentences": np.array([len(reply.sentences) for reply in data.replies], np.int16),
            "conversation": np.array([names.index(key[0]) for key in keys], np.int64),
            "conversations": np.array(names),
            "fold": np.array([folds[name] for name in names], np.int64),
        },
    )


def _tags(reply: MintReply) -> list[list[bool]]:
    if not reply.aligned:
        return [[False] * len(Tactic)] * len(reply.sentences)
    return [[tactic in tags for tactic in Tactic] for tags in reply.tactics]
