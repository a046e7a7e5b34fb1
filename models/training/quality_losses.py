"""What the quality head learns from: the judge's ratings, their order, and what no rating shows."""

import torch

ECHO_RATING = 1.5
"""Rating taught for the person's own message given back as a reply."""
MISMATCH_MARGIN = 0.5
"""Points of Q by which a reply should fall when it answers another context."""
MISMATCH_WEIGHT = 0.2
"""Of that fall, beside the ratings."""
SPOILED_WEIGHT = 0.12
"""Of what spoiled replies teach, beside the ratings."""


def rating_loss(guess: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Distance from the judge's ratings; the aggregate counts most."""
    weights = torch.full((guess.shape[1],), 0.3, device=guess.device)
    weights[-1] = 1.0
    return (torch.nn.functional.huber_loss(guess, truth, reduction="none", delta=0.5) * weights).mean()


def order_loss(guess: torch.Tensor, truth: torch.Tensor, group: torch.Tensor) -> torch.Tensor:
    """Pairs of replies to one context whose guessed order is wrong, by how much the ratings differ."""
    better = truth[:, None] - truth[None, :]
    pairs = (group[:, None] == group[None, :]) & (better > 0.05)
    wrong = torch.nn.functional.softplus(-4.0 * (guess[:, None] - guess[None, :])[pairs]) / 4.0
    return (wrong * better[pairs].clamp(max=1.0)).mean()
