"""How much of a reply was said before in this conversation, in whatever words (ours, not MINT's)."""

from collections.abc import Sequence

import numpy as np

from models.encoder import Vectors, unit

FROM = 0.7
"""Cosine from which a sentence counts as said before; see docs/novelty.md for how often chance gets there."""


def restated(sentences: Vectors, earlier: Sequence[Vectors], center: Vectors) -> float:
    """Share of a reply's sentences that say again what an earlier reply said.

    Vectors of one encoder all point much the same way, so ``center``, the mean of many sentences, is taken
    off before they are compared. A sentence counts by how far its nearest earlier one lies between ``FROM``
    and 1.

    Args:
        sentences: Vectors of the reply's sentences, ``(sentences, dim)``.
        earlier: The same of each earlier reply.
        center: Mean vector, ``(dim,)``.

    Returns:
        0 (nothing said before) to 1 (every sentence word for word).
    """
    rows = [one for one in earlier if len(one)]
    if not len(sentences) or not rows:
        return 0.0
    near = (unit(sentences - center) @ unit(np.concatenate(rows) - center).T).max(axis=1)
    return float(np.clip((near - FROM) / (1.0 - FROM), 0.0, 1.0).mean())
