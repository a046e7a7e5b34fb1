"""The committed configurations are valid; wrong keys and values are named."""

from pathlib import Path

import pytest

from models.training.multi_task_config import ConfigError, MultiTaskConfig, read_config

CONFIGS = Path("models/training/configs")


@pytest.mark.parametrize("name", ["multi_task", "multi_task_tiny", "multi_task_qwen3_4b"])
def test_committed_configurations_can_be_read(name: str) -> None:
    assert read_config(CONFIGS / f"{name}.yaml").esconv is False


def test_the_recipe_has_the_weights_rank_and_mixing_it_is_known_by() -> None:
    config = read_config(CONFIGS / "multi_task.yaml")
    assert (config.lora.rank, config.lora.alpha, config.train.mixing_exponent) == (16, 32, 0.5)
    assert (config.loss.emotion, config.loss.strategy, config.loss.kl) == (0.2, 0.2, 0.1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("lora: {rnk: 3}", r"lora\.rnk: Extra inputs"),
        ("train: {steps: many}", r"train\.steps: .*integer"),
        ("loss: {kl: -1}", r"loss\.kl: .*greater than or equal to 0"),
        ("profile: gpt", "profile: .*not one of mint-4b"),
        ("- a list", "expected keys and values"),
        ("a: [", "c.yaml"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=problem):
        read_config(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        read_config(tmp_path / "none.yaml")


def test_single_settings_are_replaced() -> None:
    config = read_config(CONFIGS / "multi_task.yaml", ["base=Qwen/Qwen3-4B", "train.steps=5", "loss.kl=0"])
    assert (config.base, config.train.steps, config.loss.kl) == ("Qwen/Qwen3-4B", 5, 0)


@pytest.mark.parametrize("change", ["steps", "base.name=1", "train.step=1"])
def test_a_change_that_fits_nothing_is_refused(change: str) -> None:
    with pytest.raises(ConfigError):
        read_config(CONFIGS / "multi_task.yaml", [change])


def test_the_digest_knows_settings_that_matter_and_no_folder() -> None:
    config = MultiTaskConfig()
    assert config.digest() == MultiTaskConfig(output=Path("elsewhere")).digest()
    assert config.digest() != config.with_steps(3).digest()
