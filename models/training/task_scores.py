"""What is measured on held-out rows: language loss, KL, and the heads' F1."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn import metrics

from models.training.chat_tokens import Tokens
from models.training.task_data import TaskSplit
from models.training.task_losses import emotion_loss, strategy_loss
from models.training.task_model import MultiTaskModel
from models.training.task_tokens import Reading, emotion_targets, strategy_targets

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]

THRESHOLDS = np.arange(0.05, 0.96, 0.025, dtype=np.float32)
"""Probabilities among which each emotion's threshold is chosen."""


@torch.no_grad()
def validate(model: MultiTaskModel, side: TaskSplit, size: int) -> dict[str, float]:
    """Losses in nats (a token, a text, a sentence) and F1 of both heads.

    Args:
        model: Untouched but for its dropout, which is switched off.
        side: Held-out rows.
        size: Texts a pass; of dialogues, which are longer and need logits, a quarter.

    Returns:
        ``language`` over all sources' tokens and ``language:SOURCE``; ``kl``; ``emotion`` and
        ``emotion_f1`` (at thresholds chosen on these texts); ``strategy``, ``strategy_f1`` and
        ``strategy_accuracy``.
    """
    model.train(False)
    long = max(1, size // 4)
    scores = _language(model, side.dialogue, long)
    values = [model.reply_losses([], group)[1] for group in _groups(side.safety, long)]
    scores["kl"] = _mean(values)
    logits = emotion_logits(model, side.emotion, size)
    truth = _flags(side.emotion)
    scores["emotion"] = _mean([emotion_loss(logits, emotion_targets(side.emotion))])
    probabilities = _numpy(torch.sigmoid(logits))
    scores["emotion_f1"] = emotion_f1(truth, probabilities, best_thresholds(truth, probabilities))
    guesses = torch.cat([model.read(group)["strategy"].cpu() for group in _readings(side.strategy, size)])
    targets = strategy_targets(side.strategy)
    scores["strategy"] = _mean([strategy_loss(guesses, targets)])
    return scores | strategy_scores(targets.numpy(), guesses.argmax(-1).numpy())


@torch.no_grad()
def emotion_logits(model: MultiTaskModel, readings: Sequence[Reading], size: int) -> torch.Tensor:
    """The emotion head's outputs, ``(texts, emotions)``, in the order of the texts."""
    model.train(False)
    return torch.cat([model.read(group)["emotion"].cpu() for group in _readings(readings, size)])


def measured_scores(
    model: MultiTaskModel, valid: Sequence[Reading], test: Sequence[Reading], size: int
) -> tuple[dict[str, float], Floats]:
    """Emotion F1 on texts that chose nothing, and the thresholds, chosen on other texts."""
    chosen = _numpy(torch.sigmoid(emotion_logits(model, valid, size)))
    thresholds = best_thresholds(_flags(valid), chosen)
    found = _numpy(torch.sigmoid(emotion_logits(model, test, size)))
    return {"emotion_f1": emotion_f1(_flags(test), found, thresholds)}, thresholds


def emotion_f1(truth: Flags, probabilities: Floats, thresholds: Floats) -> float:
    """Macro-F1 of the emotions that occur (each alone, present or absent), without *neutral*.

    Args:
        truth: ``(texts, emotions)``.
        probabilities: Same shape.
        thresholds: ``(emotions,)``.
    """
    occur = truth.any(axis=0)
    library: Any = metrics
    found = (probabilities >= thresholds)[:, occur]
    return float(library.f1_score(truth[:, occur], found, average="macro", zero_division=0.0))


def best_thresholds(truth: Flags, probabilities: Floats) -> Floats:
    """For each emotion the threshold with the best F1, the lowest of equals.

    Args:
        truth: ``(texts, emotions)``.
        probabilities: Same shape.
    """
    scores: list[NDArray[np.float64]] = []
    for step in THRESHOLDS:
        found = probabilities >= step
        hits, wrong = (truth & found).sum(0), (truth ^ found).sum(0)
        scores.append(2 * hits / np.maximum(2 * hits + wrong, 1))
    return THRESHOLDS[np.stack(scores).argmax(axis=0)]


def strategy_scores(truth: NDArray[np.int64], found: NDArray[np.int64]) -> dict[str, float]:
    """Macro-F1 over the strategies that occur, and accuracy.

    Args:
        truth: Strategy numbers, ``(sentences,)``.
        found: Predicted ones.
    """
    library: Any = metrics
    labels = np.unique(truth)
    macro = library.f1_score(truth, found, labels=labels, average="macro", zero_division=0.0)
    return {"strategy_f1": float(macro), "strategy_accuracy": float((truth == found).mean())}


def _language(model: MultiTaskModel, dialogues: Sequence[Tokens], size: int) -> dict[str, float]:
    by_source: defaultdict[str, list[Tokens]] = defaultdict(list)
    for item in dialogues:
        by_source[item.source].append(item)
    values = {
        source: torch.cat([model.reply_losses(group, [])[0].cpu() for group in _groups(items, size)])
        for source, items in sorted(by_source.items())
    }
    means = {f"language:{source}": float(losses.mean()) for source, losses in values.items()}
    return {"language": float(torch.cat(list(values.values())).mean()), **means}


def _groups(items: Sequence[Tokens], size: int) -> Iterator[list[Tokens]]:
    ordered = sorted(items, key=lambda item: len(item.ids))
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def _readings(items: Sequence[Reading], size: int) -> Iterator[Sequence[Reading]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _mean(values: Sequence[torch.Tensor]) -> float:
    return float(torch.cat([one.float().cpu() for one in values]).mean())


def _flags(readings: Sequence[Reading]) -> Flags:
    return emotion_targets(readings).numpy() > 0.5


def _numpy(tensor: torch.Tensor) -> Floats:
    return tensor.float().cpu().numpy()
