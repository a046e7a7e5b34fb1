"""What readers said of texts that they had not seen (strategies, answers, kinds), by part and joined."""

from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch as safetensors_torch

from models.answers import VERDICTS
from models.class_head import softmax
from models.message_kind import KINDS
from models.training.answer_choice import choice_figures
from models.training.class_scores import class_scores
from models.training.reader_batches import Ints
from models.training.reader_data import ANSWERS, KINDS_READ, Floats, ReaderData
from models.training.reader_model import Reader
from models.training.strategies import load_strategies

PARTS = ("apart", "all")
"""Learned without every fifth conversation that may be learned from, or without what the file keeps apart,
which is read; learned from all of these, and what may not be learned from is read."""
JOINED = "strategies_read.npz"
_APART = 5


def learned(data: ReaderData, part: str) -> tuple[Ints, Ints]:
    """Texts to learn from and texts to read; the parts are those of ``pair_tune``."""
    first = np.cumsum(data.counts) - data.counts
    train = data.arrays["train"][first]
    kept = data.arrays.get("apart", data.arrays["conversation"] % _APART == 0)
    apart = train & kept[first]
    if part == "apart":
        return np.flatnonzero(train & ~apart), np.flatnonzero(apart)
    return np.flatnonzero(train), np.flatnonzero(~train)


def save_part(folder: Path, part: str, rows: Ints, outputs: Floats) -> None:
    """Keep outputs ``(rows, classes)`` of one part's reader."""
    np.savez_compressed(folder / part_file(part), allow_pickle=False, rows=rows, outputs=outputs)


def save_reader(folder: Path, part: str, reader: Reader, rank: int) -> None:
    """Keep what was learned, for use elsewhere: ``reader_<part>.safetensors``."""
    files: Any = safetensors_torch
    files.save_file(reader.learned(), folder / f"reader_{part}.safetensors", metadata={"rank": str(rank)})


def join_parts(folder: Path, data: ReaderData) -> dict[str, Any] | None:
    """Write ``JOINED`` once both parts are there.

    Returns:
        Scores of the turns kept apart, or ``None`` while a part is missing.
    """
    if not all((folder / part_file(part)).exists() for part in PARTS):
        return None
    found: dict[str, Any] = {}
    for part, prefix in zip(PARTS, ("", "valid_"), strict=True):
        with np.load(folder / part_file(part)) as file:
            found |= {f"{prefix}rows": file["rows"], f"{prefix}outputs": file["outputs"]}
    np.savez_compressed(folder / JOINED, allow_pickle=False, **found)
    return part_scores(data, found["rows"], found["outputs"])


def class_names(data: ReaderData) -> tuple[str, ...]:
    """What a place is told apart as."""
    if data.task == KINDS_READ:
        return KINDS
    return VERDICTS if data.task == ANSWERS else load_strategies().names


def part_scores(data: ReaderData, rows: Ints, outputs: Floats) -> dict[str, Any]:
    """Accuracy and F1 of some turns; of answers also what choosing by them is worth."""
    label = data.arrays["label"][rows]
    names = class_names(data)
    scores = class_scores(label, softmax(outputs[:, : len(names)]), names)
    if data.task != ANSWERS:
        return scores
    messages, whole = data.arrays["conversation"][rows], data.arrays["whole"][rows]
    parts = {"firsts": ~whole, "whole": whole}
    return scores | {
        name: choice_figures(outputs[own], label[own], messages[own])
        for name, own in parts.items()
        if own.any()
    }


def part_file(part: str) -> str:
    """Name of the file of one part's outputs."""
    return f"strategies_{part}.npz"
