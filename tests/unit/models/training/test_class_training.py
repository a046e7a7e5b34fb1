from pathlib import Path

import numpy as np
import pytest
import torch

from models.head_file import Head
from models.strategy import gram_logits
from models.training.class_scores import class_scores
from models.training.class_training import class_weights, train_head, train_together, weighted_loss
from models.training.config_file import ConfigError, read_settings
from models.training.emotion_strategy import CONFIG
from models.training.emotion_strategy_config import EmotionStrategyConfig, HeadConfig, Together, Trial
from models.training.emotion_strategy_data import CLASSES, NEUTRAL, Examples, with_one_emotion
from models.training.gram_classifier import train_grams
from models.training.head_choice import choose, judge_classes

TRIAL = Trial(name="small", hidden=16, epochs=20, batch=16, learning_rate=0.02)


def clouds(classes: int, rows: int, seed: int) -> Examples:
    """Each class in a corner of its own."""
    rng = np.random.default_rng(seed)
    truth = np.arange(rows) % classes
    inputs = np.eye(classes, 6)[truth] + rng.normal(0, 0.1, (rows, 6))
    targets = np.eye(classes, dtype=np.float32)[truth]
    names = tuple(f"group {row // classes}" for row in range(rows))
    return Examples(inputs.astype(np.float32), targets, names, names)


def accuracy(head: Head, examples: Examples) -> float:
    return float((head.forward(examples.inputs).argmax(1) == examples.truth).mean())


def test_a_head_learns_what_can_be_told_apart() -> None:
    head = Head(train_head(clouds(3, 90, 0), TRIAL, networks=2, seed=0), {})
    assert accuracy(head, clouds(3, 30, 1)) == 1.0


def test_both_tasks_learn_on_one_hidden_layer() -> None:
    emotions, strategies = clouds(3, 90, 0), clouds(2, 30, 1)
    config = Together(steps=120, trial=TRIAL)
    shared = train_together(emotions, strategies, config, networks=1, seed=0)
    assert shared.emotion.tensors["w0"] is shared.strategy.tensors["w0"]
    assert accuracy(shared.emotion, emotions) == 1.0
    assert accuracy(shared.strategy, strategies) == 1.0


def test_rare_classes_weigh_more() -> None:
    targets = np.eye(2, dtype=np.float32)[[0] * 9 + [1]]
    assert class_weights(targets, 0.0).tolist() == [1.0, 1.0]
    assert class_weights(targets, 0.5) == pytest.approx([(5 / 9) ** 0.5, 5**0.5])


def test_the_loss_is_the_mean_negative_log_probability() -> None:
    targets = np.array([[1, 0], [0.5, 0.5]], np.float32)
    loss = weighted_loss(targets, Trial(name="plain"))
    found = loss(torch.tensor([[1.0, 0.0], [0.0, 0.0]]), torch.tensor([0, 1]))
    assert float(found) == pytest.approx((np.log(1 + np.exp(-1)) + np.log(2)) / 2)


def test_the_trial_that_does_best_on_rows_it_did_not_see_is_chosen() -> None:
    examples = clouds(3, 90, 0)
    blind = Trial(name="blind", hidden=8, epochs=1, batch=64, learning_rate=1e-6)
    config = HeadConfig(folds=3, trials=(blind, TRIAL))
    choice = choose(lambda _: examples, config, judge_classes(("a", "b", "c")), seed=0)
    assert choice.trial is TRIAL
    assert choice.scores["small"]["accuracy"] == 1.0
    assert class_scores(examples.truth, choice.logits, ["a", "b", "c"])["accuracy"] == 1.0


def test_words_alone_tell_classes_apart() -> None:
    texts = ["what happened then ?", "you could try a walk", "so sorry"] * 6
    tensors = train_grams(texts, np.array([0, 1, 2] * 6), 3)
    assert gram_logits(tensors, ["what then ?", "try a walk", "sorry"]).argmax(axis=1).tolist() == [0, 1, 2]


def test_every_class_must_occur_for_words() -> None:
    with pytest.raises(ValueError, match="3 classes"):
        train_grams(["one text"], np.array([0]), 3)


def test_only_texts_with_exactly_one_emotion_are_measured() -> None:
    targets = np.zeros((3, CLASSES), np.float32)
    targets[0, 4] = targets[1, NEUTRAL] = 1.0
    targets[2, [4, 5]] = 0.5
    examples = Examples(np.zeros((3, 1), np.float32), targets, ("a", "b", "c"), ("x", "y", "z"))
    assert with_one_emotion(examples).texts == ("x",)


def test_the_recipes_settings_are_read() -> None:
    config = read_settings(EmotionStrategyConfig, CONFIG, ["emotion.networks=1"])
    assert config.emotion.networks == 1
    assert config.together.mixing_exponent == 0.5


def test_two_trials_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("trials: [{name: a}, {name: a}]")
    with pytest.raises(ConfigError, match="same name"):
        read_settings(HeadConfig, file)
