"""Tactic and quality head on a trainable encoder; exported as files of :mod:`models.head_file`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import nn

from models.head_file import FARTHEST
from models.training.quality_losses import ECHO_RATING, MISMATCH_MARGIN, order_loss, rating_loss
from models.training.tunable_encoder import Batches, Encoded, TunableEncoder, to_numpy
from models.training.tuning_data import TuningData


class StandardHead(nn.Module):
    """Standardised inputs, one hidden layer: what :class:`models.head_file.Head` runs.

    Args:
        inputs: Width of the input.
        hidden: Width of the hidden layer.
        outputs: Width of the output.
        dropout: Of hidden units.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("scale", torch.ones(inputs))
        self.first, self.last = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
        self._dropout = dropout

    def standardise(self, sample: torch.Tensor) -> None:
        """Take mean and deviation from some inputs."""
        self.mean: torch.Tensor = sample.mean(dim=0)
        self.scale: torch.Tensor = sample.std(dim=0) + 1e-4

    def load(self, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        """Take what :meth:`tensors` gave.

        Raises:
            RuntimeError: Another shape.
        """
        state = {"mean": tensors["mean"], "scale": tensors["scale"]}
        state |= {"first.weight": tensors["w0"].T, "first.bias": tensors["b0"]}
        state |= {"last.weight": tensors["w1"].T, "last.bias": tensors["b1"]}
        self.load_state_dict({name: torch.tensor(value) for name, value in state.items()})

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Outputs without activation."""
        rows = ((inputs - self.mean) / self.scale).clamp(-FARTHEST, FARTHEST)
        rows = F.dropout(F.relu(self.first(rows)), self._dropout, self.training)
        return self.last(rows)

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """For :func:`models.head_file.write_head`."""
        found = {"mean": self.mean, "scale": self.scale, "w0": self.first.weight.T, "b0": self.first.bias}
        found |= {"w1": self.last.weight.T, "b1": self.last.bias}
        return {name: to_numpy(value) for name, value in found.items()}


@dataclass(frozen=True, slots=True)
class Read:
    """What a model says of some replies and of the contexts they answer.

    Attributes:
        logits: Of all sentences of the replies, ``(sentences, tactics)``.
        quality: Ratings of each reply, ``(replies, 7)``.
        elsewhere: The same as if it answered another conversation's context, where there is one.
        has_other: Which replies have such a context in the batch.
        echoes: Ratings of the contexts' messages as replies to themselves.
    """

    logits: torch.Tensor
    quality: torch.Tensor
    elsewhere: torch.Tensor
    has_other: torch.Tensor
    echoes: torch.Tensor


class TunedModel(nn.Module):
    """Encoder and both heads.

    Args:
        data: What it is trained on.
        encoder: The encoder.
        device: Where it is trained.
    """

    def __init__(self, data: TuningData, encoder: TunableEncoder, device: torch.device) -> None:
        super().__init__()
        self.encoder = encoder
        width, tactics = encoder.hidden, data.arrays["tags"].shape[1]
        numbers = data.arrays["numbers"].shape[1] + 5
        self.tactics = StandardHead(width, 256, tactics, 0.2)
        self.quality = StandardHead(width + 2 * tactics + numbers, 96, data.arrays["ratings"].shape[1], 0.3)
        self._batches = Batches(data, device)
        self._replies = data.replies
        self._context: NDArray[np.int64] = data.arrays["context"]
        self._conversation: NDArray[np.int64] = data.arrays["conversation"]
        self._data = {
            name: torch.tensor(data.arrays[name], device=device)
            for name in ("numbers", "echo_numbers", "shared", "counted")
        }
        sentences: NDArray[np.int64] = data.arrays["sentences"]
        self._first = np.cumsum(sentences) - sentences
        self._sentences = sentences
        self.to(device)

    def rows_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Row numbers of the sentences of some texts."""
        counts = self._sentences[texts]
        ends = np.cumsum(counts)
        return np.repeat(self._first[texts] - (ends - counts), counts) + np.arange(int(counts.sum()))

    def standardise(self, replies: NDArray[np.int64]) -> None:
        """Set the inputs' means and deviations from the untuned encoder."""
        with torch.no_grad():
            contexts, encoded = self._encode(replies)
            self.tactics.standardise(encoded.sentences)
            probabilities = torch.full_like(self.tactics(encoded.sentences), 0.1)
            rows = self._features(replies, contexts, encoded, probabilities)
            self.quality.standardise(rows["own"])
            width, tactics = encoded.whole.shape[1], probabilities.shape[1]
            self.quality.mean[width : width + 2 * tactics] = 0.0
            self.quality.scale[width : width + tactics] = 1.0
            self.quality.scale[width + tactics : width + 2 * tactics] = 0.25

    def read(self, replies: NDArray[np.int64]) -> Read:
        """Run encoder and heads on some replies."""
        contexts, encoded = self._encode(replies)
        logits = self.tactics(encoded.sentences)
        rows = self._features(replies, contexts, encoded, torch.sigmoid(logits.detach()))
        count = int(self._sentences[replies].sum())
        return Read(
            logits[:count],
            self.quality(rows["own"]),
            self.quality(rows["other"]),
            rows["has_other"],
            self.quality(rows["echo"]),
        )

    def _encode(self, replies: NDArray[np.int64]) -> tuple[NDArray[np.int64], Encoded]:
        contexts = np.unique(self._context[replies])
        batch = self._batches.of(np.concatenate([replies, self._replies + contexts]))
        device = batch["ids"].device.type
        # Only the encoder: half precision would make ties of qualities.
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            return contexts, self.encoder(batch)

    def _features(
        self,
        replies: NDArray[np.int64],
        contexts: NDArray[np.int64],
        encoded: Encoded,
        probabilities: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        device, count = encoded.whole.device, len(replies)
        texts = np.concatenate([replies, self._replies + contexts])
        counted = self._data["counted"][torch.tensor(self.rows_of(texts), device=device)]
        own = np.searchsorted(contexts, self._context[replies])
        other, has_other = _others(self._conversation[contexts], own)
        places = {"own": own, "other": other}
        expected = probabilities.new_zeros(len(texts), probabilities.shape[1])
        expected = expected.index_add(0, encoded.text, probabilities * counted[:, None])
        sizes = torch.tensor(self._sentences[texts], device=device).clamp(min=1)[:, None]
        said = encoded.whole[count:]
        rows: dict[str, torch.Tensor] = {"has_other": torch.tensor(has_other, device=device)}
        index = torch.tensor(replies, device=device)
        for name, place in places.items():
            at = torch.tensor(place, device=device)
            shared = self._data["shared"][index, torch.tensor(contexts, device=device)[at]].float()
            rows[name] = _row(
                encoded, slice(0, count), said[at], expected, sizes, self._data["numbers"][index], shared
            )
        echo = self._data["echo_numbers"][torch.tensor(contexts, device=device)]
        rows["echo"] = _row(
            encoded, slice(count, len(texts)), said, expected, sizes, echo[:, :-2], echo[:, -2:]
        )
        return rows


def loss_of(read: Read, batch: dict[str, torch.Tensor], smoothing: float) -> torch.Tensor:
    """Tags and ratings together.

    Args:
        read: What the model says.
        batch: ``tags`` and ``kept`` of the sentences, ``ratings`` and ``group`` of the replies.
        smoothing: How far tags are moved from 0 and 1.
    """
    tags = batch["tags"] * (1 - 2 * smoothing) + smoothing
    each = F.binary_cross_entropy_with_logits(read.logits.float(), tags, reduction="none").sum(dim=1)
    total = (each * batch["kept"]).sum() / batch["kept"].sum().clamp(min=1)
    guess, truth = read.quality.float(), batch["ratings"]
    total = total + rating_loss(guess, truth) + 0.5 * order_loss(guess[:, -1], truth[:, -1], batch["group"])
    fall = (guess[:, -1] - read.elsewhere[:, -1].float())[read.has_other]
    if len(fall):
        total = total + 0.2 * torch.relu(MISMATCH_MARGIN - fall).mean()
    return total + 0.1 * (read.echoes[:, -1].float() - ECHO_RATING).abs().mean()


def _others(conversation: NDArray[np.int64], own: NDArray[np.int64]) -> tuple[Any, Any]:
    """For each reply the place of a context of another conversation, the next one in the batch."""
    count = len(conversation)
    nearest = np.arange(count)
    for place in range(count):
        for step in range(1, count):
            if conversation[(place + step) % count] != conversation[place]:
                nearest[place] = (place + step) % count
                break
    return nearest[own], nearest[own] != own


def _row(
    encoded: Encoded,
    part: slice,
    said: torch.Tensor,
    expected: torch.Tensor,
    sizes: torch.Tensor,
    numbers: torch.Tensor,
    shared: torch.Tensor,
) -> torch.Tensor:
    """Inputs of the quality head, in the order of :func:`models.empathy.quality_features`."""
    whole = encoded.whole[part]
    inside = (encoded.text >= part.start) & (encoded.text < part.stop)
    text = encoded.text[inside] - part.start
    near = (encoded.sentences[inside] * said[text]).sum(dim=1)
    largest = near.new_full((len(whole),), -1.0).scatter_reduce(0, text, near, "amax")
    largest = torch.where(largest > -1.0, largest, torch.zeros_like(largest))
    total = near.new_zeros(len(whole)).index_add(0, text, near)
    cosines = torch.stack([(whole * said).sum(dim=1), largest, total / sizes[part, 0]], dim=1)
    return torch.cat([whole, expected[part], expected[part] / sizes[part], numbers, cosines, shared], dim=1)
