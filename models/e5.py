"""multilingual-e5-small, read sentence by sentence in context (English, Chinese and others).

A reply goes through the network once. A sentence's vector is the mean of its tokens, which have
seen the whole reply; that costs less than encoding each sentence alone and tells the tagger what
stands before and after.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from models.e5_adapter import Adapter
from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer, TokenText
from models.encoder import Vectors, unit
from models.processor import fast_bfloat16

LAYERS = 6
"""Vectors of the sixth layer gave the best heads and take half the time of twelve."""
_EPSILON = 1e-12
_BATCH_TOKENS = 4096
"""Tokens in one pass, which bounds memory."""

_Linear = tuple[torch.Tensor, torch.Tensor]


@dataclass(frozen=True, slots=True)
class _Layer:
    attention: _Linear
    attended: _Linear
    attention_norm: _Linear
    widen: _Linear
    narrow: _Linear
    norm: _Linear


class E5Encoder:
    """The encoder; implements :class:`models.encoder.Encoder`.

    Args:
        path: Model file; that of the installed wheel when ``None``.
        layers: How many of the 12 layers are run; see docs/decisions/0006-encoder.md.
        threads: CPU threads of its worker. One is best beside other work: two threads that wait for
            each other on busy cores take several times as long.
        adapter: Tuned weights of the last layers. Vectors are then twice as long, unless ``both`` is false:
            first the untuned part, then the tuned one, each of length 1; see
            :class:`models.encoder.EncoderPart`.
        device: Where it computes, in PyTorch's words; the application uses the CPU.
        workers: How many texts are read side by side, each by ``threads`` threads. Unlike threads of one
            computation, workers never wait for each other before all is done.
        both: With an adapter, whether the untuned part is given as well; without it a vector has the
            length of the untuned encoder's and costs no more.
    """

    def __init__(
        self,
        path: Path | None = None,
        layers: int = LAYERS,
        threads: int = 1,
        adapter: Adapter | None = None,
        device: str = "cpu",
        *,
        workers: int = 1,
        both: bool = True,
    ) -> None:
        file, self._tokenizer = _opened(path or find_file())
        self.name = "e5" if adapter is None else adapter.name
        changes = (None,) if adapter is None else (None, adapter) if both else (adapter,)
        self.dim = len(changes) * file.hidden
        dtype = torch.bfloat16 if device != "cpu" or fast_bfloat16() else torch.float32
        self._network = _Network(file, layers, dtype, changes, device)
        # PyTorch counts threads by calling thread, so the encoder computes in some of its own.
        self._workers = workers
        self._pool = ThreadPoolExecutor(workers, self.name, torch.set_num_threads, (threads,))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts; see :class:`models.encoder.Encoder`."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        return np.stack([rows[0] for rows in self.encode_sentences([[text] for text in texts])])

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts and their sentences; see :class:`models.encoder.Encoder`."""
        share = -(-len(texts) // self._workers)
        parts = [list(texts[start : start + share]) for start in range(0, len(texts), share or 1)]
        return [rows for part in self._pool.map(self._encode, parts) for rows in part]

    def _encode(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        prepared = [self._tokenizer.read(sentences) for sentences in texts]
        out: list[Vectors] = []
        while len(out) < len(texts):
            stop = _batch_end(prepared, len(out))
            counts = [len(sentences) for sentences in texts[len(out) : stop]]
            out.extend(self._network.run(prepared[len(out) : stop], counts))
        return out


class _Network:
    """The transformer's first layers, for inference only."""

    def __init__(
        self, file: E5File, layers: int, dtype: torch.dtype, changes: Sequence[Adapter | None], device: str
    ) -> None:
        def floats(name: str, kind: torch.dtype = dtype) -> torch.Tensor:
            return _tensor(file.floats(name)).to(device, kind)

        def layer(number: int, change: Adapter | None = None) -> _Layer:
            def linear(name: str, inputs: int = file.hidden) -> _Linear:
                parts = list(name) if name == "qkv" else [name]
                weight = np.concatenate([file.matrix(f"l{number}.{part}.w", inputs) for part in parts])
                if change is not None:
                    weight = change.merged(number, name, weight)
                bias = np.concatenate([file.floats(f"l{number}.{part}.b") for part in parts])
                return _tensor(weight).to(device, dtype), _tensor(bias).to(device, dtype)

            return _Layer(
                attention=linear("qkv"),
                attended=linear("ao"),
                attention_norm=(floats(f"l{number}.aln.w"), floats(f"l{number}.aln.b")),
                widen=linear("fi"),
                narrow=linear("fo", 4 * file.hidden),
                norm=(floats(f"l{number}.oln.w"), floats(f"l{number}.oln.b")),
            )

        self._file = file
        self._size = (file.hidden,)
        self._dtype, self._device = dtype, device
        self._positions = floats("emb.pos", torch.float32).view(-1, file.hidden)
        self._kind = floats("emb.type", torch.float32).view(-1, file.hidden)[0]
        self._norm = (floats("emb.ln.w", torch.float32), floats("emb.ln.b", torch.float32))
        tuned = next((change for change in changes if change is not None), None)
        shared, last = (layers, layers) if tuned is None else (tuned.first, tuned.layers)
        self._shared = [layer(number) for number in range(shared)]
        self._ends = [[layer(number, change) for number in range(shared, last)] for change in changes]

    @torch.inference_mode()
    def run(self, texts: Sequence[TokenText], sentences: Sequence[int]) -> list[Vectors]:
        """For each text the vector of the whole and one for each of its sentences, length 1."""
        counts = np.cumsum([len(text.ids) for text in texts])[:-1]
        parts = [np.split(hidden.float().cpu().numpy(), counts) for hidden in self._forward(texts)]
        return [
            np.hstack([_pool(rows, np.array(text.owners), count) for rows in pieces])
            for pieces, text, count in zip(zip(*parts, strict=True), texts, sentences, strict=True)
        ]

    def _forward(self, texts: Sequence[TokenText]) -> list[torch.Tensor]:
        """Token vectors of all texts, laid end to end: no work is spent on padding."""
        words = _tensor(self._file.embeddings(np.concatenate([text.ids for text in texts]))).to(self._device)
        sizes = [len(text.ids) for text in texts]
        places = torch.tensor([place for size in sizes for place in range(size)], device=self._device)
        x = F.layer_norm(words + self._positions[places] + self._kind, self._size, *self._norm, _EPSILON).to(
            self._dtype
        )
        x = self._through(self._shared, x, sizes)
        return [self._through(end, x, sizes) for end in self._ends]

    def _through(self, layers: Sequence[_Layer], x: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
        for layer in layers:
            mixed = self._attend(F.linear(x, *layer.attention), sizes)
            x = F.layer_norm(
                x + F.linear(mixed, *layer.attended), self._size, *layer.attention_norm, _EPSILON
            )
            wide = F.gelu(F.linear(x, *layer.widen))
            x = F.layer_norm(x + F.linear(wide, *layer.narrow), self._size, *layer.norm, _EPSILON)
        return x

    def _attend(self, projected: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
        """Attention within each text; products of this size are quicker in single precision."""
        heads = projected.float().view(len(projected), 3, self._file.heads, -1).permute(1, 2, 0, 3)
        parts: list[torch.Tensor] = []
        start = 0
        for size in sizes:
            query, key, value = heads[:, :, start : start + size].unbind(0)
            weights = torch.softmax((query * query.shape[-1] ** -0.5) @ key.transpose(1, 2), dim=-1)
            parts.append(weights @ value)
            start += size
        mixed = torch.cat(parts, dim=1).transpose(0, 1).reshape(len(projected), -1)
        return mixed.to(projected.dtype)


@cache
def _opened(path: Path) -> tuple[E5File, E5Tokenizer]:
    """A model file without its pieces, and the tokenizer with its own copy of these 250,000.

    All encoders of a process share both: a tokenizer takes more than 200 MB.
    """
    file = read_file(path)
    return replace(file, pieces=()), E5Tokenizer(file)


def _tensor(values: NDArray[Any]) -> torch.Tensor:
    return cast(Any, torch).from_numpy(values)


def _pool(hidden: NDArray[np.float32], owners: NDArray[np.int64], sentences: int) -> Vectors:
    rows = [hidden.mean(axis=0)]
    for number in range(sentences):
        own = owners == number
        # A sentence beyond the token limit has no token of its own; the whole text stands for it.
        rows.append(hidden[own].mean(axis=0) if own.any() else rows[0])
    vectors = np.stack(rows)
    return unit(vectors)


def _batch_end(prepared: Sequence[TokenText], start: int) -> int:
    tokens = 0
    for stop in range(start, len(prepared)):
        tokens += len(prepared[stop].ids)
        if tokens > _BATCH_TOKENS and stop > start:
            return stop
    return len(prepared)
