"""Packs messages whose kind is known for a reader: what the person said, the kind, feelings that are sure."""

from collections.abc import Sequence
from typing import Any

from models.kinds_text import MOST_TOKENS, message_ids
from models.reader_text import ReadText, TurnTokens
from models.training.kind_pack import labels
from models.training.kind_rows import KnownMessage
from models.training.reader_data import KINDS_READ, ReaderData, packed


def pack_kinds(rows: Sequence[KnownMessage], tokenizer: Any, most: int = MOST_TOKENS) -> ReaderData:
    """One text for each message, read at its end behind the message before it.

    Args:
        rows: Messages.
        tokenizer: Of the language model.
        most: Tokens of both messages.

    Returns:
        As :func:`models.training.kind_pack.labels` has them: ``label``, ``marks``, ``mark_names``,
        ``conversation``, ``apart`` and ``train`` of the texts; there is one place for each.
    """
    turns = TurnTokens(tokenizer)
    read = [message_ids(turns, row.said, most) for row in rows]
    texts = [ReadText(ids, (len(ids) - 1,)) for ids in read]
    return packed(KINDS_READ, texts, labels(rows))
