"""The terms of the multi-task loss, each a negative log-likelihood or divergence in nats.

Every function returns one value for each row, so that a batch can be cut into passes: the caller divides the
sum by the number of rows of the whole batch.
"""

from collections.abc import Mapping

import torch
from torch.nn import functional

TERMS = ("language", "emotion", "strategy", "kl")


def language_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """-log p(token).

    Args:
        logits: ``(tokens, vocabulary)``.
        targets: Token ids, ``(tokens,)``.

    Returns:
        ``(tokens,)``.
    """
    return functional.cross_entropy(logits.float(), targets, reduction="none")


def emotion_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """-log p(set of emotions), each emotion present or absent on its own.

    The sum over classes (and not their mean) keeps the unit of the other terms: nats for an example.

    Args:
        logits: ``(texts, emotions)``.
        targets: 1 for present, 0 for absent, same shape.

    Returns:
        ``(texts,)``.
    """
    return functional.binary_cross_entropy_with_logits(logits.float(), targets.float(), reduction="none").sum(
        -1
    )


def strategy_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """-log p(strategy).

    Args:
        logits: ``(sentences, strategies)``.
        targets: Strategy numbers, ``(sentences,)``.

    Returns:
        ``(sentences,)``.
    """
    return functional.cross_entropy(logits.float(), targets, reduction="none")


def kl_loss(base: torch.Tensor, tuned: torch.Tensor) -> torch.Tensor:
    """KL(base || tuned) of the next token, over the whole vocabulary.

    The tokens before it are the base's own reply, so the mean estimates the divergence of whole replies
    in the direction that forbids the tuned model to lose what the base would say.

    Args:
        base: The base's logits, ``(tokens, vocabulary)``.
        tuned: The tuned model's, same shape.

    Returns:
        ``(tokens,)``, never below 0 but for rounding.
    """
    reference, found = (functional.log_softmax(one.float(), dim=-1) for one in (base, tuned))
    return functional.kl_div(found, reference, reduction="none", log_target=True).sum(-1)


def weighted_sum(terms: Mapping[str, torch.Tensor], weights: Mapping[str, float]) -> torch.Tensor:
    """Σ weight · term over the terms that are there; a term without a weight counts once."""
    parts = [weights.get(name, 1.0) * value for name, value in terms.items()]
    return torch.stack(parts).sum()
