"""Embeds texts once and keeps the vectors in a file, so that training can be repeated quickly."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.encoder import Encoder, Vectors
from models.sentences import split_sentences

_CHUNK = 200


def stored_vectors(encoder: Encoder, texts: Sequence[Sequence[str]], folder: Path) -> list[Vectors]:
    """Vectors of texts and their sentences, from the file of an earlier run where there is one.

    Args:
        encoder: Embeds what is not stored yet.
        texts: The sentences of each text.
        folder: Where files are kept, for example ``var/embeddings``; delete it after a change of
            the encoder.

    Returns:
        As :meth:`models.encoder.Encoder.encode_sentences`.
    """
    digest = hashlib.sha256("\x1e".join("\x1f".join(text) for text in texts).encode()).hexdigest()[:16]
    file = folder / f"{encoder.name}-{digest}.npy"
    sizes = [1 + len(text) for text in texts]
    if file.exists():
        rows: Vectors = np.load(file)
    else:
        parts: list[Vectors] = []
        for start in range(0, len(texts), _CHUNK):
            parts.extend(encoder.encode_sentences(texts[start : start + _CHUNK]))
        rows = np.concatenate(parts) if parts else np.zeros((0, encoder.dim), np.float32)
        folder.mkdir(parents=True, exist_ok=True)
        np.save(file, rows)
    return np.split(rows, np.cumsum(sizes)[:-1])


def whole_vectors(encoder: Encoder, texts: Sequence[str], folder: Path) -> Vectors:
    """Vectors of whole texts only, ``(texts, dim)``, stored like those of :func:`stored_vectors`.

    Args:
        encoder: Embeds what is not stored yet.
        texts: As written.
        folder: Where files are kept.
    """
    digest = hashlib.sha256("\x1e".join(texts).encode()).hexdigest()[:16]
    file = folder / f"{encoder.name}-whole-{digest}.npy"
    if file.exists():
        rows: Vectors = np.load(file)
        return rows
    rows = np.zeros((len(texts), encoder.dim), np.float32)
    for start in range(0, len(texts), _CHUNK):
        chunk = [split_sentences(text) for text in texts[start : start + _CHUNK]]
        rows[start : start + _CHUNK] = [found[0] for found in encoder.encode_sentences(chunk)]
    folder.mkdir(parents=True, exist_ok=True)
    np.save(file, rows)
    return rows
