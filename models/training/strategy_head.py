"""Trains, calibrates and measures the strategy head on ESConv (CC BY-NC 4.0: not for commercial use)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.class_head import calibrated, softmax
from models.encoder import TUNED
from models.head_file import Array, Head
from models.strategy import averaged, gram_logits
from models.training.class_scores import class_scores
from models.training.class_training import train_head
from models.training.emotion_strategy_config import EmotionStrategyConfig
from models.training.emotion_strategy_data import Examples, StrategyTurns
from models.training.gram_classifier import train_grams
from models.training.head_choice import choose
from models.training.strategies import load_strategies
from models.training.temperature import best_temperature

LICENCE = "CC BY-NC 4.0"


def train_strategies(turns: StrategyTurns, config: EmotionStrategyConfig) -> tuple[Head, dict[str, Any]]:
    """The head and what was measured; the temperature comes from held-out outputs of the training split."""
    names = load_strategies().names
    cache = {trial.features: turns.examples(trial.features) for trial in config.strategy.trials}

    def judge(examples: Examples, logits: NDArray[np.float32]) -> dict[str, Any]:
        return class_scores(examples.truth, softmax(logits), names)

    choice = choose(lambda trial: cache[trial.features]["train"], config.strategy, judge, config.seed)
    trial, sides = choice.trial, cache[choice.trial.features]
    tensors = train_head(sides["train"], trial, config.strategy.networks, config.seed)
    if trial.words:
        tensors |= train_grams(sides["train"].texts, sides["train"].truth, len(names))
    facts: dict[str, Any] = {
        "encoder": TUNED,
        "head": "strategies",
        "strategies": list(names),
        "features": list(trial.features),
        "words": trial.words,
        "temperature": round(best_temperature(choice.logits, sides["train"].truth), 4),
        "data": "ESConv, training file",
        "licence": LICENCE,
        "trial": trial.model_dump(mode="json"),
        "networks": config.strategy.networks,
        "seed": config.seed,
    }
    head = Head(tensors, facts)
    logits = strategy_logits(sides["valid"], head)
    return head, {
        "trial": trial.name,
        "cross_validation": choice.scores,
        "temperature": facts["temperature"],
        "validation": class_scores(sides["valid"].truth, calibrated(head, logits), names),
        "validation_ece_before_temperature": class_scores(sides["valid"].truth, softmax(logits), names)[
            "ece"
        ],
    }


def strategy_logits(examples: Examples, head: Head) -> Array:
    """Outputs of the head for rows whose inputs are there already."""
    logits = head.forward(examples.inputs)
    if not head.facts["words"]:
        return logits
    return averaged(logits, gram_logits(head.tensors, examples.texts), head.facts["words"])
