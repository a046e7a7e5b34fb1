"""The emotion and the strategy head: one linear layer each on a hidden state, and their file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models.head_file import write_head
from models.training.multi_task_rows import EMOTIONS, STRATEGIES

FILE = "heads.safetensors"


class TaskHeads(nn.Module):
    """Linear heads; they begin at the classes' frequencies, so the first steps teach no constants.

    Args:
        width: Size of a hidden state.
        emotion_shares: Share of training texts with each emotion, ``(emotions,)``.
        strategy_shares: Share of training sentences with each strategy, ``(strategies,)``.
    """

    def __init__(self, width: int, emotion_shares: torch.Tensor, strategy_shares: torch.Tensor) -> None:
        super().__init__()
        self.emotion = nn.Linear(width, EMOTIONS)
        self.strategy = nn.Linear(width, STRATEGIES)
        floor = 1e-4
        with torch.no_grad():
            self.emotion.weight.zero_()
            self.strategy.weight.zero_()
            self.emotion.bias.copy_(torch.logit(emotion_shares.clamp(floor, 1 - floor)))
            self.strategy.bias.copy_(strategy_shares.clamp_min(floor).log())


def emotion_shares(labels: Sequence[Sequence[int]]) -> torch.Tensor:
    """Share of texts with each emotion."""
    counts = torch.zeros(EMOTIONS)
    for row in labels:
        counts[list(row)] += 1
    return counts / max(1, len(labels))


def strategy_shares(labels: Sequence[int]) -> torch.Tensor:
    """Share of sentences with each strategy."""
    return torch.bincount(torch.tensor(labels, dtype=torch.long), minlength=STRATEGIES) / max(1, len(labels))


def save_heads(
    state: Mapping[str, torch.Tensor], thresholds: Sequence[float], facts: Mapping[str, Any], folder: Path
) -> None:
    """Write ``heads.safetensors`` beside an adapter.

    ``emotion.weight`` ``(27, width)``, ``emotion.bias``, ``emotion.thresholds`` (probabilities),
    ``strategy.weight`` ``(8, width)``, ``strategy.bias``; the facts name the classes in order and say where
    the hidden state is read.
    """
    tensors = {name: tensor.detach().float().cpu().numpy() for name, tensor in state.items()}
    tensors["emotion.thresholds"] = torch.tensor(list(thresholds)).numpy()
    write_head(folder / FILE, tensors, facts)
