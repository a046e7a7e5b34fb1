"""The rewards as verl calls them, and the settings that name them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from models.chat_model import ChatMessage
from models.training import verl_rewards
from models.training.grpo_config import EncoderSettings, RewardSettings
from models.training.grpo_rows import PromptRow, Turn
from models.training.scene_book import HARD
from models.training.verl_rows import verl_row
from tests.unit.models.training.test_rewards import FORM, KNOWN, Found

CONFIGS = sorted(Path("models/training/configs").glob("verl_*.yaml"))


class Scorer:
    """Knows two replies."""

    def measure(self, _: Sequence[Sequence[ChatMessage]], replies: Sequence[str]) -> list[Found]:
        return [KNOWN[reply] if reply in KNOWN else Found({}, 1.0) for reply in replies]


@pytest.fixture(autouse=True)
def scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: Any) -> Scorer:
        return Scorer()

    monkeypatch.setattr(verl_rewards, "_scorer", load)


def info(key: str) -> dict[str, Any]:
    return {"key": key, "turns": [{"role": "user", "content": "Hi"}], "previous": np.zeros(10, int)}


def test_replies_are_grouped_by_key_and_thoughts_taken_off() -> None:
    outputs = ["<think>Hm.</think>Validates.", "Nothing.", "Asks.", "Validates."]
    keys = ["a", "b", "a", "b"]
    found = verl_rewards.mint(
        ["mint"] * 4, outputs, [""] * 4, [info(key) for key in keys], novelty=0.0, stock=0.0, threads=1
    )
    assert found == pytest.approx([1.0, 0.0, 0.0, 1.0])


def test_guards_are_added_with_their_weights() -> None:
    found = verl_rewards.mint(["mint"], ["a b c d a b c d."], [""], [info("a")], novelty=0.0, repetition=2.0)
    # Alone in its group Q' = 0.5; one of five runs of four words came before.
    assert found == pytest.approx([0.5 - 2.0 / 5])


def test_a_mood_that_the_rows_know_is_counted() -> None:
    row = PromptRow(
        key="k",
        source="echoes",
        group="g",
        split="train",
        turns=(Turn(role="user", content="Dad left"),),
        previous=(0,) * 10,
        reply="He left, and that hurts.",
        mood=HARD,
    )
    known = verl_row(row, "mint-4b")["extra_info"]
    settings = {"novelty": 0.0, "specificity": 0.0}
    found = verl_rewards.mint(["echoes"], ["You must be proud!"], [""], [known], **settings)
    assert found == pytest.approx([0.5 - 0.5])


def test_mindchats_form_is_kept() -> None:
    found = verl_rewards.mindchat(["mint"], [FORM.format("Validates.")], [""], [info("a")], unfinished=0.0)
    assert found == pytest.approx([1.75])


def test_rows_hold_what_the_rewards_need() -> None:
    row = PromptRow(
        key="k",
        source="mint",
        group="g",
        split="train",
        turns=(Turn(role="user", content="Hi"),),
        previous=(0,) * 10,
        reply="Hello.",
    )
    made = verl_row(row, "mint-4b")
    assert made["prompt"][-1] == {"role": "user", "content": "Hi"}
    assert verl_rewards.mint(["mint"], ["Asks."], [""], [made["extra_info"]], novelty=0.0) == [0.5]


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_settings_name_a_reward_and_only_what_it_knows(file: Path) -> None:
    settings = yaml.safe_load(file.read_text("utf-8"))
    chosen = settings["custom_reward_function"]
    assert Path(chosen["path"]).is_file()
    assert callable(getattr(verl_rewards, chosen["name"]))
    known = {*EncoderSettings.model_fields, *RewardSettings.model_fields}
    assert set(chosen["reward_kwargs"]) <= known
    assert settings["actor_rollout_ref"]["rollout"]["n"] == 8
    assert settings["actor_rollout_ref"]["actor"]["kl_loss_coef"] == 0.01
