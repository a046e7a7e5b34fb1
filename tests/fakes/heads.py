"""Tiny heads with known weights over :class:`tests.fakes.encoder.FakeEncoder`."""

import numpy as np

from models.emotion import CLASSES
from models.head_file import Head
from models.tactics import Tactic


def tactic_head(threshold: float = 0.5, bias: float = 1.0, **more: np.ndarray) -> Head:
    """Each sentence gets logit ``bias`` for every tactic, whatever it says."""
    size = len(Tactic)
    tensors = {
        "mean": np.zeros(8, np.float32),
        "scale": np.ones(8, np.float32),
        "w0": np.zeros((8, size), np.float32),
        "b0": np.full(size, bias, np.float32),
        "thresholds": np.full(size, threshold, np.float32),
        **more,
    }
    return Head(tensors, {"encoder": "fake"})


def quality_head(value: float, inputs: int) -> Head:
    """Every reply gets the same aggregate."""
    tensors = {
        "mean": np.zeros(inputs, np.float32),
        "scale": np.ones(inputs, np.float32),
        "w0": np.zeros((inputs, 7), np.float32),
        "b0": np.array([0, 0, 0, 0, 0, 0, value], np.float32),
    }
    return Head(tensors, {"encoder": "fake"})


def emotion_head(confident: float = 0.8, **logits: float) -> Head:
    """Every message gets these logits, and 0 for the classes that are not named."""
    tensors = {
        "mean": np.zeros(8, np.float32),
        "scale": np.ones(8, np.float32),
        "w0": np.zeros((8, len(CLASSES)), np.float32),
        "b0": np.array([logits.get(name, 0.0) for name in CLASSES], np.float32),
    }
    facts = {"encoder": "fake", "head": "emotions", "emotions": list(CLASSES), "confident": confident}
    return Head(tensors, {**facts, "temperature": 1.0})
