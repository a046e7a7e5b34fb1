"""Packs judged first sentences for a reader: what the person said, the sentence, and its verdict."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.reader_text import ReadText, TurnTokens
from models.training.read_replies import SOURCES, ReadMessage
from models.training.reader_data import ANSWERS, ReaderData, packed

CONTEXT_TOKENS = 256


def pack_answers(messages: Sequence[ReadMessage], tokenizer: Any, most: int = CONTEXT_TOKENS) -> ReaderData:
    """One text for each judged first sentence, messages one after the other; whole replies are left out.

    Args:
        messages: Replies that were read; only those whose first sentence was judged count.
        tokenizer: Of the language model.
        most: Tokens of the conversation before a sentence.

    Returns:
        ``label`` (place in :data:`models.answers.VERDICTS`), ``conversation`` (number of the message) and
        ``train`` (whether it may be learned from) of the texts; there is one place for each.

    Raises:
        ValueError: No first sentence was judged.
    """
    turns = TurnTokens(tokenizer)
    texts: list[ReadText] = []
    rows: list[tuple[int, int, bool]] = []
    for number, message in enumerate(messages):
        before = turns.context(message.turns, most)
        judged = {
            message.firsts[text]: verdict for text, verdict in message.replies if text in message.firsts
        }
        for first, verdict in judged.items():
            text = turns.answered(before, "assistant", first)
            texts.append(ReadText(text.ids, (len(text.ids) - 1,)))
            rows.append((verdict, number, message.source in SOURCES))
    if not rows:
        raise ValueError("no reply has a first sentence that was judged")
    labels, numbers, train = zip(*rows, strict=True)
    return packed(
        ANSWERS,
        texts,
        {
            "label": np.array(labels, np.int64),
            "conversation": np.array(numbers, np.int64),
            "train": np.array(train),
        },
    )
