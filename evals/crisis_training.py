"""Fits the half of the crisis head that reads words: a linear model over word pieces."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from evals.crisis_examples import Example
from safety.levels import RiskLevel
from safety.word_pieces import BUCKETS, piece_ids

Array = NDArray[np.float32]
_STEPS = 60
_DECAY = 1e-4


def fit_words(folded: Sequence[str], examples: Sequence[Example]) -> dict[str, Array]:
    """Multinomial logistic regression over word pieces, by L-BFGS with a ridge.

    Args:
        folded: Texts as the classifier reads them.
        examples: Their levels and weights.

    Returns:
        ``words`` ``(buckets, 4)`` and ``word_bias`` ``(4,)``, as :class:`safety.crisis_head.CrisisHead` reads
        them.
    """
    levels = torch.tensor([int(example.level) for example in examples])
    weights = torch.tensor([example.weight for example in examples])
    weights = weights / weights.mean()
    ids = [piece_ids(text) for text in folded]
    rows = torch.tensor([row for row, own in enumerate(ids) for _ in own])
    columns = torch.tensor([piece for own in ids for piece in own])
    values = torch.tensor([len(own) ** -0.5 for own in ids for _ in own])
    shape = (len(ids), BUCKETS)
    sparse: Any = torch.sparse
    matrix: torch.Tensor = (
        cast(Any, torch)
        .sparse_coo_tensor(torch.stack([rows, columns]), values, shape, check_invariants=False)
        .coalesce()
    )
    table = torch.zeros(BUCKETS, len(RiskLevel), requires_grad=True)
    bias = torch.zeros(len(RiskLevel), requires_grad=True)
    optimizer = torch.optim.LBFGS([table, bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        scores: torch.Tensor = sparse.mm(matrix, table) + bias
        losses = torch.nn.functional.cross_entropy(scores, levels, reduction="none")
        loss = (weights * losses).mean() + _DECAY / 2 * table.square().sum() / len(RiskLevel)
        loss.backward()  # pyright: ignore[reportUnknownMemberType]
        return loss

    optimizer.step(closure)  # pyright: ignore[reportUnknownMemberType]
    return {"words": table.detach().numpy(), "word_bias": bias.detach().numpy()}
