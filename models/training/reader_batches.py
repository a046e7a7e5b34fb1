"""Which texts a reader learns from together, and how they are padded."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.reader_data import ReaderData

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pass:
    """Some texts side by side, padded on the right.

    Attributes:
        ids: Token ids, ``(texts, length)``. A causal model needs no mask: no token sees the padding.
        last: Position of each text's last token, ``(texts,)``.
        text: For each place that is read, its text's number in this pass.
        place: Its position.
    """

    ids: torch.Tensor
    last: torch.Tensor
    text: torch.Tensor
    place: torch.Tensor


def by_length(data: ReaderData, texts: Ints, tokens: int) -> list[Ints]:
    """Texts of similar length together, each group with its padding at most so many tokens (or one text)."""
    order = texts[np.argsort(data.lengths[texts], kind="stable")]
    groups: list[list[int]] = []
    for text in order.tolist():
        # Ascending lengths: the newest text is the longest.
        if groups and (len(groups[-1]) + 1) * int(data.lengths[text]) <= tokens:
            groups[-1].append(text)
        else:
            groups.append([text])
    return [np.array(group, np.int64) for group in groups]


def by_context(context: Ints, texts: Ints, together: int, rng: np.random.Generator) -> list[Ints]:
    """All texts of a few contexts at a time, contexts in random order.

    Args:
        context: Number of each text's context.
        texts: The texts that are learned from.
        together: Contexts a step.
        rng: Makes the order.
    """
    order = rng.permutation(np.unique(context[texts]))
    return [
        texts[np.isin(context[texts], order[start : start + together])]
        for start in range(0, len(order), together)
    ]


def at_random(data: ReaderData, texts: Ints, tokens: int, rng: np.random.Generator) -> list[Ints]:
    """Texts in random order, each group with about so many tokens.

    Not of one length: a turn's length with what was said before tells its place, and this its strategy, so
    that steps would be of few strategies. Sorting is for the passes of a step.
    """
    order = rng.permutation(texts)
    ends = np.cumsum(data.lengths[order])
    return np.split(order, np.flatnonzero(np.diff((ends - 1) // tokens)) + 1)


def padded(data: ReaderData, texts: Ints, device: torch.device) -> Pass:
    """Tensors of some texts, in their order."""
    width = int(data.lengths[texts].max())
    ids = np.zeros((len(texts), width), np.int64)
    for row, text in enumerate(texts.tolist()):
        own = data.tokens(text)
        ids[row, : len(own)] = own
    arrays = (
        ids,
        data.lengths[texts] - 1,
        np.repeat(np.arange(len(texts)), data.counts[texts]),
        data.places[data.rows(texts)],
    )
    return Pass(*(torch.tensor(array, device=device) for array in arrays))


def positions(found: Ints, wanted: Ints) -> Ints:
    """Where in ``found``, which holds each number once, each of ``wanted`` stands."""
    order = np.argsort(found, kind="stable")
    return order[np.searchsorted(found[order], wanted)]
