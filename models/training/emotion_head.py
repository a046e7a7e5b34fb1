"""Trains, calibrates and measures the emotion head on GoEmotions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.class_head import calibrated, softmax
from models.encoder import TUNED
from models.head_file import Array, Head
from models.tagger import CHINESE_SHIFT
from models.training.class_scores import class_scores
from models.training.class_training import train_head
from models.training.emotion_strategy_config import EmotionStrategyConfig
from models.training.emotion_strategy_data import NEUTRAL, Examples, with_one_emotion
from models.training.head_choice import Choice, choose
from models.training.temperature import best_temperature, confident_from

Names = tuple[str, ...]


def train_emotions(
    examples: Mapping[str, Examples], names: Names, config: EmotionStrategyConfig, shift: Array
) -> tuple[Head, dict[str, Any]]:
    """The head and what was measured.

    Args:
        examples: ``train``, ``valid`` for temperature and threshold, ``test`` for measuring only.
        names: Of the 27 emotions, then ``neutral``.
        config: The recipe.
        shift: Added to vectors of Chinese messages at run time.
    """
    choice = _choice(examples["train"], names, config)
    tensors = train_head(examples["train"], choice.trial, config.emotion.networks, config.seed)
    kept = examples["valid"].rows(examples["valid"].single)
    temperature = best_temperature(Head(tensors, {}).forward(kept.inputs), kept.truth)
    found = calibrated(Head(tensors, {"temperature": temperature}), Head(tensors, {}).forward(kept.inputs))
    firm = found.argmax(axis=1) != NEUTRAL
    right = (found.argmax(axis=1) == kept.truth)[firm]
    facts: dict[str, Any] = {
        "encoder": TUNED,
        "head": "emotions",
        "emotions": list(names),
        "temperature": round(temperature, 4),
        "confident": round(confident_from(found.max(axis=1)[firm], right, config.precision), 4),
        "data": "GoEmotions, training file (Apache-2.0)",
        "trial": choice.trial.model_dump(mode="json"),
        "networks": config.emotion.networks,
        "seed": config.seed,
    }
    head = Head({**tensors, CHINESE_SHIFT: shift}, facts)
    return head, {
        "trial": choice.trial.name,
        "cross_validation": choice.scores,
        "temperature": facts["temperature"],
        "confident_from": facts["confident"],
        "valid": emotion_scores(examples["valid"], head, names),
        "dev": emotion_scores(examples["test"], head, names),
        "dev_ece_before_temperature": _plain_error(examples["test"], head, names),
        "dev_confident": confident_scores(examples["test"], head),
    }


def emotion_scores(examples: Examples, head: Head, names: Names) -> dict[str, Any]:
    """Scores on texts with one emotion (27 classes), and on those with one or none (with *neutral*)."""
    one, whole = with_one_emotion(examples), examples.rows(examples.single)
    among = calibrated(head, head.forward(one.inputs)[:, :NEUTRAL])
    return {
        "emotions_27": class_scores(one.truth, among, names[:NEUTRAL]),
        "with_neutral_28": class_scores(whole.truth, calibrated(head, head.forward(whole.inputs)), names),
    }


def confident_scores(examples: Examples, head: Head) -> dict[str, Any]:
    """How often an emotion is named with confidence, and how often it is then among the text's emotions."""
    found = calibrated(head, head.forward(examples.inputs))
    first = found.argmax(axis=1)
    firm = (first != NEUTRAL) & (found.max(axis=1) >= head.facts["confident"])
    right = examples.targets[np.arange(len(first)), first] > 0
    return {
        "rows": len(first),
        "confident": int(firm.sum()),
        "right": round(float(right[firm].mean()), 4) if firm.any() else None,
    }


def _choice(train: Examples, names: Names, config: EmotionStrategyConfig) -> Choice:
    one = train.single & (train.truth != NEUTRAL)

    def judge(examples: Examples, logits: NDArray[np.float32]) -> dict[str, Any]:
        return class_scores(examples.truth[one], softmax(logits[one, :NEUTRAL]), names[:NEUTRAL])

    return choose(lambda _: train, config.emotion, judge, config.seed)


def _plain_error(examples: Examples, head: Head, names: Names) -> float:
    whole = examples.rows(examples.single)
    error: float = class_scores(whole.truth, softmax(head.forward(whole.inputs)), names)["ece"]
    return error
