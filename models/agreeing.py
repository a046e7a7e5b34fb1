"""Signs that a reply only agrees: it validates and validates, or takes a claim or plan as it comes."""

import numpy as np

from models.encoder import unit
from models.exchange import Exchange
from models.tactics import Tactic


def agreeing_signs(exchange: Exchange) -> dict[str, float]:
    """What of a reply speaks for over-validation, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    reply = exchange.reply
    other_view = reply.count("another_view")
    asks = "?" in reply.text or "？" in reply.text
    return {
        "validating": reply.rate("validating"),
        "siding": reply.rate("siding"),
        "share": exchange.share(Tactic.VALIDATION),
        "praise": exchange.share(Tactic.EMPOWERMENT),
        "no_other_view": float(not other_view),
        "nothing_added": float(not asks and not other_view),
        "same_again": _same_again(exchange),
        "missed": exchange.missed,
        "stock": reply.rate("stock"),
    }


def _same_again(exchange: Exchange) -> float:
    """Mean cosine of the sentences with each other, center taken off."""
    rows = unit(exchange.vectors - exchange.said.center)
    count = len(rows)
    if count < 2:
        return 0.0
    between = (rows @ rows.T)[np.triu_indices(count, 1)]
    return max(float(between.mean()), 0.0)
