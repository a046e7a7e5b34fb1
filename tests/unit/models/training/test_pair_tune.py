"""Packing, tuning and installing an encoder of strategies, with a tiny network and made-up turns."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.e5_adapter import read_adapter
from models.encoder import STRATEGIES
from models.head_file import read_head
from models.training import pair_tune, strategy_install
from models.training.multi_task_rows import DialogueRow, StrategyRow
from models.training.strategies import load_strategies
from models.training.tuning_data import TuningData, save
from tests.unit.models.training.test_tuning import pairs

NAMES = load_strategies().names
ROWS = 80


@pytest.fixture
def data() -> TuningData:
    """Pairs of two sentences whose second begins with a token that tells the strategy."""
    return pairs(
        np.arange(ROWS) % len(NAMES),
        NAMES,
        conversation=np.arange(ROWS) // 2,
        train=np.arange(ROWS) < ROWS - 8,
        encoder=np.array(STRATEGIES),
    )


@pytest.fixture
def tuned(data: TuningData, tmp_path: Path) -> Path:
    """The folder that tuning writes."""
    save(data, tmp_path / "tuning.npz")
    out = tmp_path / "tuned"
    trials = ["0:4:1e-3:1:1", "0:4:2e-2:6:1"]
    assert (
        pair_tune.main(
            [str(tmp_path / "tuning.npz"), "--output", str(out), "--device", "cpu", "--trials", *trials]
        )
        == 0
    )
    return out


def test_trials_are_compared_on_conversations_of_the_training_file(tuned: Path, data: TuningData) -> None:
    with np.load(tuned / "outputs.npz") as file:
        rows = file["rows"]
    assert data.arrays["train"][rows].all()
    assert set(data.arrays["conversation"][rows] % 5) == {0}
    metrics = json.loads((tuned / "metrics.json").read_text("utf-8"))
    assert len(metrics["trials"]) == 2
    assert read_adapter(tuned / "adapter.safetensors").name == STRATEGIES


def test_the_better_trial_is_kept(tuned: Path) -> None:
    metrics = json.loads((tuned / "metrics.json").read_text("utf-8"))
    best = max(metrics["trials"], key=lambda row: row["accuracy"] + row["weighted_f1"] + row["macro_f1"])
    assert metrics["plan"]["epochs"] == int(best["trial"].split(":")[3])


@pytest.mark.parametrize("trial", ["1:4:1e-3:1:1", "0:4:1e-3:1:9", "0:4:1e-3:1:0"])
def test_layers_that_are_not_there_are_refused(trial: str) -> None:
    with pytest.raises(ValueError, match="layers are 1 to 1"):
        pair_tune.plan_of(trial, 1, 0)


def test_installing_makes_a_head_with_its_encoder_beside_it(
    tuned: Path, data: TuningData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        StrategyRow(
            source="esconv",
            group=f"esconv:train:{i // 2}",
            split="train" if data.arrays["train"][i] else "valid",
            context="hello",
            text=f"word{label} and more",
            label=int(label),
        )
        for i, label in enumerate(data.arrays["label"])
    ]

    def esconv(_: Path) -> tuple[list[DialogueRow], list[StrategyRow]]:
        return [], rows

    monkeypatch.setattr(strategy_install, "esconv_rows", esconv)
    out = tmp_path / "installed"
    strategy_install.main([str(tuned), "--data", str(tmp_path), "--output", str(out)])
    head = read_head(out / "head.safetensors", STRATEGIES)
    assert head.facts["head"] == "strategies"
    assert head.facts["pairs"] is True
    assert head.facts["words"] in strategy_install.SHARES
    assert (out / "adapter.safetensors").read_bytes() == (tuned / "adapter.safetensors").read_bytes()


def test_words_get_their_share_where_they_know_more() -> None:
    labels = np.arange(40) % len(NAMES)
    sure = np.eye(len(NAMES), dtype=np.float32)[labels] * 6
    unsure = np.random.default_rng(1).normal(size=sure.shape).astype(np.float32)
    assert strategy_install.choose_share(unsure, sure, labels)[0] == max(strategy_install.SHARES)
    assert strategy_install.choose_share(sure, unsure, labels)[0] == 0.0
