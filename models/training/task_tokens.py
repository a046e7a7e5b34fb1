"""Rows of the heads' data and of the safety set as token ids, and their batches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from models.profiles import load_profiles
from models.prompts.markers import neutralise_markers
from models.training.multi_task_rows import EMOTIONS, EmotionRow, StrategyRow

_MARK = "\u241f"
"""Stands for a text while a chat template is rendered once for all texts."""

CONTEXT_WORDS = 60
"""Last words of a message that a supporter's sentence answers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text for a head, which reads the hidden state of the last token.

    Attributes:
        task: ``emotion`` or ``strategy``.
        ids: Token ids.
        labels: Numbers of the classes that are present; one for a strategy.
    """

    task: str
    ids: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadingBatch:
    """Right-padded texts.

    Attributes:
        input_ids: ``(texts, tokens)``.
        attention_mask: Same shape.
        last: Place of each text's last token, ``(texts,)``.
    """

    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    last: torch.Tensor


def encode_emotions(tokenizer: Any, rows: Sequence[EmotionRow], most: int, profile: str) -> list[Reading]:
    """A person's message up to where the reply would begin: there the head reads the emotions."""
    before, after = _frame(tokenizer, profile)
    texts = [before + neutralise_markers(row.text) + after for row in rows]
    ids = _ids(tokenizer, texts, most)
    return [Reading("emotion", one, row.labels) for one, row in zip(ids, rows, strict=True)]


def encode_strategies(tokenizer: Any, rows: Sequence[StrategyRow], most: int, profile: str) -> list[Reading]:
    """A message and a supporter's sentence; the head reads the strategy at the sentence's end."""
    before, after = _frame(tokenizer, profile)
    texts = [
        before
        + neutralise_markers(" ".join(row.context.split()[-CONTEXT_WORDS:]))
        + after
        + neutralise_markers(row.text)
        for row in rows
    ]
    ids = _ids(tokenizer, texts, most)
    return [Reading("strategy", one, (row.label,)) for one, row in zip(ids, rows, strict=True)]


def pad_readings(readings: Sequence[Reading], pad: int) -> ReadingBatch:
    """One batch of texts, in their order."""
    width = max(len(one.ids) for one in readings)
    ids = torch.full((len(readings), width), pad)
    mask = torch.zeros((len(readings), width), dtype=torch.long)
    for row, one in enumerate(readings):
        ids[row, : len(one.ids)] = torch.tensor(one.ids)
        mask[row, : len(one.ids)] = 1
    return ReadingBatch(ids, mask, mask.sum(1) - 1)


def emotion_targets(readings: Sequence[Reading]) -> torch.Tensor:
    """1 for present and 0 for absent, ``(texts, emotions)``."""
    targets = torch.zeros((len(readings), EMOTIONS))
    for row, one in enumerate(readings):
        targets[row, list(one.labels)] = 1.0
    return targets


def strategy_targets(readings: Sequence[Reading]) -> torch.Tensor:
    """Strategy numbers, ``(sentences,)``."""
    return torch.tensor([one.labels[0] for one in readings], dtype=torch.long)


def _frame(tokenizer: Any, profile: str) -> tuple[str, str]:
    """What the chat template puts before a person's message and between it and the reply."""
    text = str(
        tokenizer.apply_chat_template(
            [{"role": "user", "content": _MARK}],
            tokenize=False,
            add_generation_prompt=True,
            **load_profiles()[profile].chat_template_kwargs,
        )
    )
    before, _, after = text.partition(_MARK)
    return before, after


def _ids(tokenizer: Any, texts: Sequence[str], most: int) -> list[tuple[int, ...]]:
    found: list[list[int]] = tokenizer(list(texts), add_special_tokens=False)["input_ids"] if texts else []
    return [tuple(ids[-most:]) for ids in found]
