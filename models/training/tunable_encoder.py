"""The encoder as a trainable module: the file's weights stay, low-rank changes of the last layers learn.

It computes what :mod:`models.e5` computes for a tuned encoder, on padded batches and any device.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import nn

from models.e5_adapter import LINEAR
from models.training.tuning_data import TuningData

_EPSILON = 1e-12
_PADDING = -9


@dataclass(frozen=True, slots=True)
class TunedShape:
    """What is run and how much of it may change.

    Attributes:
        layers: Transformer layers.
        first: The first of them that may change; what lies below serves the untuned encoder as well.
        rank: Rank of the changes.
        scale: Factor of their product.
        dropout: Share of a sub-layer's output dropped in training.
        token_dropout: Share of tokens whose word vector is dropped in training.
    """

    layers: int = 6
    first: int = 4
    rank: int = 64
    scale: float = 2.0
    dropout: float = 0.1
    token_dropout: float = 0.05


@dataclass(frozen=True, slots=True)
class Encoded:
    """Vectors of length 1.

    Attributes:
        whole: One for each text of the batch.
        sentences: One for each sentence, texts one after the other.
        text: Place in the batch of each sentence's text.
    """

    whole: torch.Tensor
    sentences: torch.Tensor
    text: torch.Tensor


class Batches:
    """Gathers the tokens of some texts.

    Args:
        data: The texts.
        device: Where tensors go.
    """

    def __init__(self, data: TuningData, device: torch.device) -> None:
        arrays = data.arrays
        self._starts: NDArray[np.int64] = arrays["starts"].astype(np.int64)
        self._sentences: NDArray[np.int64] = arrays["sentences"].astype(np.int64)
        self._device = device
        stacked = np.stack([arrays[name].astype(np.int64) for name in ("ids", "owners")])
        self._tokens = torch.tensor(stacked, device=device)

    def of(self, texts: NDArray[np.int64]) -> dict[str, torch.Tensor]:
        """``ids owners`` of the tokens, their ``text`` and ``column`` in the batch, ``sentences``."""
        lengths = self._starts[texts + 1] - self._starts[texts]
        ends = np.cumsum(lengths)
        column = np.arange(int(lengths.sum()), dtype=np.int64) - np.repeat(ends - lengths, lengths)
        index = np.repeat(self._starts[texts], lengths) + column
        text = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
        moved = [self._moved(array) for array in (index, column, text, self._sentences[texts])]
        ids, owners = self._tokens[:, moved[0]]
        return {
            "ids": ids,
            "owners": owners,
            "column": moved[1],
            "text": moved[2],
            "sentences": moved[3],
        }

    def _moved(self, array: NDArray[np.int64]) -> torch.Tensor:
        return cast(Any, torch).from_numpy(array).to(self._device)


class TunableEncoder(nn.Module):
    """First layers with low-rank changes.

    Args:
        weights: Untuned weights, as :class:`TuningData` holds them.
        shape: What is run and learned.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], shape: TunedShape) -> None:
        super().__init__()
        self.shape = shape
        self.heads = int(weights["heads"])
        tensors = {name: value for name, value in weights.items() if name != "heads"}
        self.hidden = weights["emb.word"].shape[1]
        for name, value in tensors.items():
            self.register_buffer(_key(name), torch.tensor(value), persistent=False)
        self.a, self.b = nn.ParameterDict(), nn.ParameterDict()
        for layer in range(shape.first, shape.layers):
            for name in LINEAR:
                outputs, inputs = weights[f"l{layer}.{name}.w"].shape
                bound = inputs**-0.5
                self.a[f"l{layer}_{name}"] = nn.Parameter(
                    torch.empty(shape.rank, inputs).uniform_(-bound, bound)
                )
                self.b[f"l{layer}_{name}"] = nn.Parameter(torch.zeros(outputs, shape.rank))

    def forward(self, batch: dict[str, torch.Tensor]) -> Encoded:
        """Vectors of a batch's texts and sentences."""
        hidden = self._tokens(batch).float()
        text, owners, counts = batch["text"], batch["owners"], batch["sentences"]
        texts, total = len(counts), int(counts.sum())
        whole = _mean(hidden, text, texts)
        own = owners >= 0
        slot = (counts.cumsum(0) - counts)[text[own]] + owners[own]
        means, found = _sums(hidden[own], slot, total)
        of = torch.repeat_interleave(torch.arange(texts, device=text.device), counts)
        # A sentence beyond the token limit has no token of its own; the whole text stands for it.
        sentences = torch.where(found > 0, means / found.clamp(min=1), whole[of])
        return Encoded(F.normalize(whole, dim=1), F.normalize(sentences, dim=1), of)

    def adapter_tensors(self) -> dict[str, NDArray[np.float32]]:
        """The changes, named as :mod:`models.e5_adapter` wants them."""
        return {
            f"{name.replace('_', '.')}.{side}": value.detach().float().cpu().numpy()
            for side, group in (("a", self.a), ("b", self.b))
            for name, value in group.items()
        }

    def load_adapter(self, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        """Take changes that :meth:`adapter_tensors` gave.

        Raises:
            RuntimeError: A change is missing or has another shape.
        """
        for side, group in (("a", self.a), ("b", self.b)):
            named = {name: f"{name.replace('_', '.')}.{side}" for name in group}
            group.load_state_dict(
                {name: torch.tensor(tensors[key]) for name, key in named.items() if key in tensors}
            )

    def _w(self, name: str) -> torch.Tensor:
        return cast(torch.Tensor, getattr(self, _key(name)))

    def _linear(self, layer: int, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        key = f"l{layer}.{name}"
        if layer < self.shape.first:
            return self._w(f"{key}.w"), self._w(f"{key}.b")
        with torch.autocast(self._w(f"{key}.w").device.type, enabled=False):
            change = self.b[_key(key)] @ self.a[_key(key)]
            return self._w(f"{key}.w") + self.shape.scale * change, self._w(f"{key}.b")

    def _tokens(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        size = (self.hidden,)
        words = self._w("emb.word")[batch["ids"]]
        if self.training and self.shape.token_dropout:
            kept = torch.rand(len(words), 1, device=words.device) >= self.shape.token_dropout
            words = words * (kept | (batch["owners"] < 0)[:, None])
        places = self._w("emb.pos")[batch["column"]]
        x = F.layer_norm(
            words + places + self._w("emb.type"), size, self._w("emb.ln.w"), self._w("emb.ln.b"), _EPSILON
        )
        mask = _mask(batch)
        for layer in range(self.shape.layers):
            mixed = self._attend(F.linear(x, *self._linear(layer, "qkv")), batch, mask)
            x = self._add(x, F.linear(mixed, *self._linear(layer, "ao")), f"l{layer}.aln")
            wide = F.gelu(F.linear(x, *self._linear(layer, "fi")))
            x = self._add(x, F.linear(wide, *self._linear(layer, "fo")), f"l{layer}.oln")
        return x

    def _add(self, x: torch.Tensor, y: torch.Tensor, norm: str) -> torch.Tensor:
        y = F.dropout(y, self.shape.dropout, self.training)
        return F.layer_norm(x + y, (self.hidden,), self._w(f"{norm}.w"), self._w(f"{norm}.b"), _EPSILON)

    def _attend(
        self, projected: torch.Tensor, batch: dict[str, torch.Tensor], mask: torch.Tensor
    ) -> torch.Tensor:
        padded = projected.new_zeros(mask.shape[0], mask.shape[-1], projected.shape[1])
        padded = padded.index_put((batch["text"], batch["column"]), projected)
        query, key, value = padded.view(*padded.shape[:2], 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return mixed.transpose(1, 2).flatten(2)[batch["text"], batch["column"]]


def _mask(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Who sees whom, ``(texts, 1, length, length)``: each token its own text, and padding itself."""
    length = int(-(-(int(batch["column"].max()) + 1) // 8) * 8)
    owner = torch.full((len(batch["sentences"]), length), _PADDING, device=batch["ids"].device)
    owner[batch["text"], batch["column"]] = batch["owners"]
    query, key = owner[:, None, :, None], owner[:, None, None, :]
    return (key != _PADDING).expand(-1, -1, length, -1) | (query == key)


def _sums(values: torch.Tensor, group: torch.Tensor, groups: int) -> tuple[torch.Tensor, torch.Tensor]:
    total = values.new_zeros(groups, values.shape[1]).index_add(0, group, values)
    count = values.new_zeros(groups, 1).index_add(0, group, values.new_ones(len(values), 1))
    return total, count


def _mean(values: torch.Tensor, group: torch.Tensor, groups: int) -> torch.Tensor:
    total, count = _sums(values, group, groups)
    return total / count.clamp(min=1)


def _key(name: str) -> str:
    return name.replace(".", "_")


def to_numpy(value: torch.Tensor) -> NDArray[Any]:
    """A tensor as an array on the CPU."""
    return value.detach().float().cpu().numpy()
