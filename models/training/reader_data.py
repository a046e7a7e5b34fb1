"""The arrays a reader is tuned on, and their file; NumPy only, and no text is in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.reader_text import ReadText

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

MINT, STRATEGIES, ANSWERS, KINDS_READ = "mint", "strategies", "answers", "kinds"
TASKS = (MINT, STRATEGIES, ANSWERS, KINDS_READ)


@dataclass(frozen=True, slots=True)
class ReaderData:
    """Texts as token ids, and what is to be said of them.

    Attributes:
        task: One of :data:`TASKS`.
        ids: Token ids, texts one after the other.
        starts: Where each text begins; the last number is where the last one ends.
        places: Positions within its text of each place that is read, texts one after the other.
        counts: How many places each text has.
        arrays: What belongs to the task; see :mod:`models.training.reader_mint`,
            :mod:`models.training.reader_strategies`, :mod:`models.training.reader_answers` and
            :mod:`models.training.reader_kinds`.
    """

    task: str
    ids: NDArray[np.uint16]
    starts: Ints
    places: Ints
    counts: Ints
    arrays: Mapping[str, NDArray[Any]]

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return len(self.counts)

    @property
    def lengths(self) -> Ints:
        """Tokens of each text."""
        return np.diff(self.starts)

    def tokens(self, text: int) -> Ints:
        """Token ids of one text."""
        return self.ids[self.starts[text] : self.starts[text + 1]].astype(np.int64)

    def rows(self, texts: Ints) -> Ints:
        """Numbers of the places of some texts, among all places."""
        counts = self.counts[texts]
        first = np.cumsum(self.counts) - self.counts
        ends = np.cumsum(counts)
        return np.repeat(first[texts] - (ends - counts), counts) + np.arange(int(counts.sum()))


def packed(task: str, texts: Sequence[ReadText], arrays: Mapping[str, NDArray[Any]]) -> ReaderData:
    """Put texts into arrays.

    Raises:
        ValueError: A token's id does not fit into 16 bits.
    """
    if max(max(text.ids) for text in texts) >= 1 << 16:
        raise ValueError("token ids don't fit into 16 bits")
    return ReaderData(
        task,
        np.array([token for text in texts for token in text.ids], np.uint16),
        np.cumsum([0, *(len(text.ids) for text in texts)]).astype(np.int64),
        np.array([place for text in texts for place in text.places], np.int64),
        np.array([len(text.places) for text in texts], np.int64),
        arrays,
    )


def save(data: ReaderData, path: Path) -> None:
    """Write one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        allow_pickle=False,
        task=np.array(data.task),
        ids=data.ids,
        lengths=data.lengths.astype(np.uint16),
        places=data.places.astype(np.uint16),
        counts=data.counts.astype(np.uint16),
        **{f"a:{name}": value for name, value in data.arrays.items()},
    )


def load(path: Path) -> ReaderData:
    """Read what :func:`save` wrote."""
    with np.load(path) as file:
        return ReaderData(
            str(file["task"]),
            file["ids"],
            np.concatenate([[0], np.cumsum(file["lengths"].astype(np.int64))]),
            file["places"].astype(np.int64),
            file["counts"].astype(np.int64),
            {name[2:]: file[name] for name in file.files if name.startswith("a:")},
        )
