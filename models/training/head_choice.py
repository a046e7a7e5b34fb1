"""Picks one of several trials by cross-validation inside the training split."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.class_head import log_softmax
from models.strategy import averaged, gram_logits
from models.training.class_scores import class_scores
from models.training.class_training import held_out_logits
from models.training.emotion_strategy_config import HeadConfig, Trial
from models.training.emotion_strategy_data import Examples
from models.training.folds import conversation_folds
from models.training.gram_classifier import train_grams

Floats = NDArray[np.float32]
Judge = Callable[[Examples, Floats], dict[str, Any]]
"""Scores of held-out outputs; ``accuracy``, ``weighted_f1`` and ``macro_f1`` decide."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The best trial.

    Attributes:
        trial: Which.
        logits: Its held-out outputs on the training split.
        scores: Accuracy, weighted and macro F1 of every trial, by name.
    """

    trial: Trial
    logits: Floats
    scores: Mapping[str, Mapping[str, float]]


def choose(examples_of: Callable[[Trial], Examples], config: HeadConfig, judge: Judge, seed: int) -> Choice:
    """Score every trial; the highest mean of accuracy, weighted and macro F1 wins.

    Args:
        examples_of: The training split with the inputs of a trial.
        config: Trials and folds.
        judge: Scores of held-out outputs.
        seed: Of folds and networks.
    """
    scores: dict[str, dict[str, float]] = {}
    found: dict[str, Floats] = {}
    for trial in config.trials:
        examples = examples_of(trial)
        logits = held_out_logits(examples, trial, config, seed)
        if trial.words:
            logits = averaged(logits, held_out_grams(examples, config.folds, seed), trial.words)
        judged = judge(examples, logits)
        scores[trial.name] = {name: judged[name] for name in ("accuracy", "weighted_f1", "macro_f1")}
        found[trial.name] = logits
        print(f"{trial.name:24} {scores[trial.name]}", flush=True)
    best = max(config.trials, key=lambda trial: _merit(scores[trial.name]))
    return Choice(best, found[best.name], scores)


def held_out_grams(examples: Examples, folds: int, seed: int) -> Floats:
    """Outputs of the n-gram classifier for each row by one that did not see its group."""
    parts = conversation_folds(examples.groups, folds, seed)
    fold = np.array([parts[group] for group in examples.groups])
    logits = np.zeros_like(examples.targets)
    for number in range(folds):
        apart = examples.rows(fold != number)
        tensors = train_grams(apart.texts, apart.truth, examples.targets.shape[1])
        logits[fold == number] = gram_logits(tensors, examples.rows(fold == number).texts)
    return logits


def judge_classes(names: tuple[str, ...]) -> Judge:
    """Judges all rows by their one class."""

    def judge(examples: Examples, logits: Floats) -> dict[str, Any]:
        return class_scores(examples.truth, np.exp(log_softmax(logits)), names)

    return judge


def _merit(scores: Mapping[str, float]) -> float:
    """Macro-F1 has its say, since what is rare in forums (grief, fear) is not rare here."""
    return (scores["accuracy"] + scores["weighted_f1"] + scores["macro_f1"]) / 3
