"""Packs ESConv's supporter turns for a reader: what was said before, the turn, and its strategy.

ESConv is CC BY-NC 4.0: not for commercial use.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.chat_model import ChatMessage
from models.reader_text import ReadText, TurnTokens
from models.training.multi_task_sources import esconv_rows
from models.training.raw_rows import RawDialogue, read_json_lines
from models.training.reader_data import STRATEGIES, ReaderData, packed

FILES = ("train.jsonl.gz", "valid.jsonl.gz")
CONTEXT_TOKENS = 256


def pack_strategies(
    folder: Path, tokenizer: Any, most: int = CONTEXT_TOKENS, *, whole: bool = False
) -> ReaderData:
    """Supporter turns in the order of :mod:`models.training.strategy_pack`.

    Args:
        folder: Where ESConv's two files are.
        tokenizer: Of the language model.
        most: Tokens before a turn.
        whole: One text for each conversation, read at the end of each of its supporter's turns, instead of
            one text for each turn.

    Returns:
        ``label conversation train`` of the rows; there is one place for each.

    Raises:
        ValueError: A file is missing or a row is wrong.
    """
    _, rows = esconv_rows(folder)
    turns = TurnTokens(tokenizer)
    dialogues = list(esconv_dialogues(folder))
    texts = [
        text
        for dialogue in dialogues
        for text in ([_whole(dialogue, turns)] if whole else _each(dialogue, turns, most))
        if text.places
    ]
    said = [turn.content for dialogue in dialogues for turn in dialogue if turn.role == "assistant"]
    if said != [row.text for row in rows]:
        raise ValueError("the conversations' supporter turns are not the labelled ones")
    groups = {name: number for number, name in enumerate(dict.fromkeys(row.group for row in rows))}
    return packed(
        STRATEGIES,
        texts,
        {
            "label": np.array([row.label for row in rows], np.int64),
            "conversation": np.array([groups[row.group] for row in rows], np.int64),
            "train": np.array([row.split == "train" for row in rows]),
        },
    )


def esconv_dialogues(folder: Path) -> Iterator[list[ChatMessage]]:
    """All turns of each conversation that say something, the person as ``user``."""
    for name in FILES:
        for dialogue in read_json_lines(RawDialogue, folder / name):
            yield [
                ChatMessage("user" if turn.speaker == "usr" else "assistant", turn.text.strip())
                for turn in dialogue.dialog
                if turn.text.strip()
            ]


def _each(dialogue: Sequence[ChatMessage], turns: TurnTokens, most: int) -> Iterator[ReadText]:
    for place, turn in enumerate(dialogue):
        if turn.role == "assistant":
            text = turns.answered(turns.context(dialogue[:place], most), turn.role, turn.content)
            yield ReadText(text.ids, (len(text.ids) - 1,))


def _whole(dialogue: Sequence[ChatMessage], turns: TurnTokens) -> ReadText:
    ids: list[int] = []
    places: list[int] = []
    for turn in dialogue:
        own = turns.turn(turn.role, turn.content)
        if turn.role == "assistant":
            places.append(len(ids) + len(own) - 1 - own[::-1].index(turns.end))
        ids += own
    return ReadText(tuple(ids), tuple(places))
