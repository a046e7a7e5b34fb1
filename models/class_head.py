"""Heads with one answer out of several: calibrated probabilities from a head's outputs."""

import numpy as np

from models.head_file import Array, Head


def sigmoid(logits: Array) -> Array:
    """Chances of outputs that each answer for themselves, same shape."""
    return (1 / (1 + np.exp(-logits))).astype(np.float32)


def softmax(logits: Array) -> Array:
    """Probabilities of rows of outputs, ``(rows, classes)``."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def log_softmax(logits: Array) -> Array:
    """Log probabilities of rows of outputs, ``(rows, classes)``."""
    moved = logits - logits.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def averaged(logits: Array, others: Array, share: float) -> Array:
    """Log probabilities of two classifiers averaged, ``share`` of it from the second."""
    mixed = (1.0 - share) * log_softmax(logits) + share * log_softmax(others)
    return mixed.astype(np.float32)


def calibrated(head: Head, logits: Array) -> Array:
    """Probabilities at the temperature that the head's file names."""
    return softmax(logits / np.float32(head.facts.get("temperature", 1.0)))
