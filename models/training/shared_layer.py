"""Compares both tasks on one hidden layer (mixed batches) with each task alone, same inputs and width."""

from typing import Any

from models.class_head import softmax
from models.head_file import Head
from models.training.class_scores import class_scores
from models.training.class_training import train_head, train_together
from models.training.emotion_head import emotion_scores
from models.training.emotion_strategy_config import EmotionStrategyConfig
from models.training.emotion_strategy_data import Examples
from models.training.strategies import load_strategies
from models.training.task_mixing import mixing_probabilities


def compare(
    emotions: dict[str, Examples],
    strategies: dict[str, Examples],
    config: EmotionStrategyConfig,
    names: tuple[str, ...],
) -> dict[str, Any]:
    """Scores of both ways on the files that choose nothing; the text's vector is the only input.

    Args:
        emotions: Splits of GoEmotions.
        strategies: Splits of ESConv with the feature ``text``.
        config: The recipe; its trial ``together`` is used both ways.
        names: Of the emotions and *neutral*.
    """
    trial, networks, seed = config.together.trial, config.together.networks, config.seed
    sizes = {"emotion": len(emotions["train"].inputs), "strategy": len(strategies["train"].inputs)}
    shared = train_together(emotions["train"], strategies["train"], config.together, networks, seed)
    alone = [Head(train_head(side["train"], trial, networks, seed), {}) for side in (emotions, strategies)]
    return {
        "mixing": mixing_probabilities(sizes, config.together.mixing_exponent),
        "together": {
            "emotion_dev": _short(emotion_scores(emotions["test"], shared.emotion, names)["emotions_27"]),
            "strategy_validation": _strategies(strategies["valid"], shared.strategy),
        },
        "alone": {
            "emotion_dev": _short(emotion_scores(emotions["test"], alone[0], names)["emotions_27"]),
            "strategy_validation": _strategies(strategies["valid"], alone[1]),
        },
    }


def _strategies(examples: Examples, head: Head) -> dict[str, Any]:
    found = softmax(head.forward(examples.inputs))
    return _short(class_scores(examples.truth, found, load_strategies().names))


def _short(scores: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in scores.items() if name != "classes"}
