"""Packs judged replies for a reader: what the person said, how a reply begins or all of it, the verdict."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.reader_text import ReadText, TurnTokens
from models.training.read_replies import SOURCES, ReadMessage
from models.training.reader_data import ANSWERS, ReaderData, packed

CONTEXT_TOKENS = 256


def pack_answers(messages: Sequence[ReadMessage], tokenizer: Any, most: int = CONTEXT_TOKENS) -> ReaderData:
    """One text for each judged reply, messages one after the other.

    Where only the first sentence was judged, the text ends with it: so the reader learns to judge a reply at
    any place.

    Args:
        messages: Replies that were read.
        tokenizer: Of the language model.
        most: Tokens of the conversation before a reply.

    Returns:
        ``label`` (place in :data:`models.answers.VERDICTS`), ``conversation`` (number of the message),
        ``train`` (whether it may be learned from) and ``whole`` (whether all of it was judged) of the texts;
        there is one place for each.

    Raises:
        ValueError: There is no reply.
    """
    turns = TurnTokens(tokenizer)
    texts: list[ReadText] = []
    rows: list[tuple[int, int, bool, bool]] = []
    for number, message in enumerate(messages):
        before = turns.context(message.turns, most)
        judged = {message.firsts.get(text, text): verdict for text, verdict in message.replies}
        for said, verdict in judged.items():
            text = turns.answered(before, "assistant", said)
            texts.append(ReadText(text.ids, (len(text.ids) - 1,)))
            rows.append((verdict, number, message.source in SOURCES, not message.firsts))
    if not rows:
        raise ValueError("there is no reply")
    labels, numbers, train, whole = zip(*rows, strict=True)
    return packed(
        ANSWERS,
        texts,
        {
            "label": np.array(labels, np.int64),
            "conversation": np.array(numbers, np.int64),
            "train": np.array(train),
            "whole": np.array(whole),
        },
    )
