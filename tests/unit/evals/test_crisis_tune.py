import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from evals.crisis_split import is_unseen
from evals.crisis_tune import main, plan_of
from models.e5_adapter import read_adapter
from models.encoder import CRISIS
from models.training.tuning_data import TuningData, save
from tests.unit.models.training.test_tuning import weights

WORDS = 20
DANGER, DISTRESS = 5, 6
MESSAGES = 240


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Two threads wait for each other on busy cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Messages of five tokens; one word makes them imminent and another moderate."""
    rng = np.random.default_rng(1)
    ids = rng.choice([word for word in range(WORDS) if word not in (DANGER, DISTRESS)], size=(MESSAGES, 5))
    level = np.tile([0, 0, 2, 3], MESSAGES // 4)
    ids[level == 3, 2] = DANGER
    ids[level == 2, 1] = DISTRESS
    learned = np.arange(MESSAGES) < MESSAGES - 20
    data = TuningData(
        {
            "ids": ids.reshape(-1).astype(np.int32),
            "owners": np.tile(np.array([-1, 0, 0, 0, -2], np.int16), MESSAGES),
            "starts": np.arange(MESSAGES + 1) * 5,
            "sentences": np.ones(MESSAGES, np.int64),
            "level": level,
            "category": np.where(level >= 2, level - 2, -1),
            "weight": np.full(MESSAGES, 4.0, np.float32),
            "unseen": np.array([is_unseen(str(i)) for i in range(MESSAGES)]),
            "learned": learned,
            "source": np.array(["other" if i % 7 == 0 else "book" for i in range(MESSAGES)]),
        },
        weights(rng),
    )
    save(data, tmp_path / "tuning.npz")
    return tmp_path


def run(folder: Path, *more: str) -> Path:
    output = folder / "tuned"
    arguments = [str(folder / "tuning.npz"), "--output", str(output), "--trials", "0:4:1e-2:15", *more]
    assert main([*arguments, "--device", "cpu"]) == 0
    return output


def test_it_learns_what_makes_a_message_grave(packed: Path) -> None:
    output = run(packed)
    trial = json.loads((output / "metrics.json").read_text())["trials"][0]
    assert trial["recall"] > 0.9
    assert read_adapter(output / "adapter.safetensors").name == CRISIS
    with np.load(output / "head.npz") as head:
        assert head["w1"].shape[1] == 4
        assert head["wc"].shape == (32, 2)


def test_thresholds_are_chosen_on_messages_that_nothing_learned_from(packed: Path) -> None:
    with np.load(run(packed) / "trial.npz") as trial:
        unseen, check = set(trial["unseen"].tolist()), trial["check"].tolist()
        assert unseen == {i for i in range(MESSAGES - 20) if is_unseen(str(i))}
        assert check == list(range(MESSAGES - 20, MESSAGES))
        assert trial["check_chances"].shape == (20, 4)
        assert np.allclose(trial["unseen_chances"].sum(axis=1), 1, atol=1e-5)


def test_a_source_that_is_left_out_is_scored_and_not_learned_from(packed: Path) -> None:
    facts = json.loads((run(packed, "--without", "other") / "metrics.json").read_text())
    others = len([i for i in range(MESSAGES) if i % 7 == 0])
    assert facts["left_out"]["messages"] == others
    assert facts["learned"] == len([i for i in range(MESSAGES - 20) if i % 7])


def test_a_trial_may_run_fewer_layers_than_were_packed() -> None:
    assert plan_of("0:4:1e-2:3:5", 6, seed=0).shape.layers == 5
    assert plan_of("0:4:1e-2:3", 6, seed=0).shape.layers == 6


@pytest.mark.parametrize("text", ["2:4:1e-2:3:2", "0:4:1e-2:3:9"])
def test_layers_that_can_not_be_run_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="layers"):
        plan_of(text, 6, seed=0)


def test_a_run_goes_on_from_an_earlier_one(packed: Path) -> None:
    before = run(packed)
    more = ("--trials", "0:4:1e-6:1", "--start", str(before), "--new", "other", "--rehearsed", "0.5")
    after = packed / "more"
    assert main([str(packed / "tuning.npz"), "--output", str(after), *more, "--device", "cpu"]) == 0
    with np.load(before / "trial.npz") as first, np.load(after / "trial.npz") as second:
        assert np.allclose(first["check_chances"], second["check_chances"], atol=0.02)
        assert len(second["unseen"]) == 0  # it has learned from all of them before
    facts = json.loads((after / "metrics.json").read_text())
    assert facts["start"]["plan"]["epochs"] == 15
    assert facts["trials"] == []


def test_it_does_not_go_on_from_a_model_of_another_shape(packed: Path) -> None:
    before = run(packed)
    more = ["--trials", "0:8:1e-3:1", "--start", str(before)]
    with pytest.raises(SystemExit, match="ranks"):
        main([str(packed / "tuning.npz"), "--output", str(packed), *more])
