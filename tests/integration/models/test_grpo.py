"""The recipe of GRPO on a random tiny model: prompts to rewards to an adapter; broken off; bad data."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import torch as safetensors_torch
from transformers import AutoModelForCausalLM

from models.chat_model import ChatMessage
from models.training import grpo_run
from models.training.grpo import main
from models.training.grpo_rows import PROMPTS, PromptRow, Turn, write_prompts
from tests.fakes.tiny_models import write_tiny_llama

FILES: Any = safetensors_torch
TINY = "models/training/configs/grpo_tiny.yaml"


@dataclass(frozen=True)
class Found:
    """What the fake scorer says."""

    quality: float
    counts: Mapping[Any, int] = field(default_factory=dict[Any, int])


class LikesLetterE:
    """Predicts a higher Q the more often a reply holds the letter e."""

    def measure(self, _: Sequence[Sequence[ChatMessage]], replies: Sequence[str]) -> list[Found]:
        return [Found(min(5.0, 1.0 + 20 * reply.count("e") / max(len(reply), 1))) for reply in replies]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """A model of 32 dimensions computes faster than threads can meet."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny base, prompts and a scorer that needs no encoder."""
    write_base(tmp_path / "base")
    (tmp_path / "data").mkdir()
    write_prompts([row(number) for number in range(12)], tmp_path / "data" / PROMPTS)

    def scorer(*_: Any) -> LikesLetterE:
        return LikesLetterE()

    monkeypatch.setattr(grpo_run, "load_batch_scorer", scorer)
    return tmp_path


def write_base(folder: Path) -> None:
    """A tiny model whose output layer is wide enough for its few hidden numbers to choose a token."""
    write_tiny_llama(folder)
    models: Any = AutoModelForCausalLM
    model = models.from_pretrained(folder)
    with torch.no_grad():
        model.lm_head.weight.mul_(8.0)
    model.save_pretrained(folder)


def row(number: int, **more: Any) -> PromptRow:
    facts: dict[str, Any] = {
        "key": f"k{number}",
        "source": "mint",
        "group": f"g{number}",
        "split": "train",
        "turns": (Turn(role="user", content=f"I feel low, part {number}"),),
        "previous": (0,) * 10,
        "reply": "That sounds heavy.",
    }
    return PromptRow(**facts | more)


def train(folder: Path, *options: str, name: str = "run") -> dict[str, Any]:
    values = {"base": folder / "base", "prepared": folder / "data", "output": folder / name}
    settings = [part for key, value in values.items() for part in ("--set", f"{key}={value}")]
    main(["--config", TINY, *settings, *options])
    return json.loads((folder / name / "training.json").read_text())


def test_the_policy_earns_more_of_its_reward(folder: Path) -> None:
    """With nothing but the letter's share rewarded, its share rises far above chance."""
    guards = (
        "coherence",
        "repetition",
        "contradiction",
        "specificity",
        "openings",
        "stock",
        "mood",
        "unfinished",
    )
    plain = [part for name in guards for part in ("--set", f"reward.{name}=0")]
    report = train(
        folder,
        *plain,
        *("--set", "train.steps=20", "--set", "train.every=20", "--set", "train.beta=0"),
        *("--set", "train.group=8", "--set", "train.micro_batch=16", "--set", "train.max_reply_tokens=12"),
    )
    assert report["ended"] == "steps"
    assert report["reward_weights"] == {"mint": 1.0}
    assert report["last"]["quality"] > report["first"]["quality"] + 0.3
    lines = (folder / "run" / "metrics.jsonl").read_text().splitlines()
    assert sum("reward" in json.loads(line) for line in lines) == 20
    curves = json.loads((folder / "run" / "curves.json").read_text())
    assert [step for step, _ in curves["mint"]] == list(range(1, 21))
    assert (folder / "run" / "curves.svg").read_text().startswith("<svg")


def test_a_run_that_ran_out_of_time_has_an_adapter_and_ends_as_if_nothing_had_happened(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = train(folder, name="whole")
    assert set(whole["reward_weights"]) >= {"mint", "coherence", "contradiction"}
    with pytest.raises(SystemExit) as stopped:
        train(folder, "--budget-s", "0", name="broken")
    assert stopped.value.code == 3
    assert "the same command goes on" in capsys.readouterr().err
    first = json.loads((folder / "broken" / "training.json").read_text())
    assert (first["ended"], first["step"]) == ("budget", 1)
    assert (folder / "broken" / "adapter" / "adapter_model.safetensors").is_file()
    assert train(folder, name="broken")["ended"] == "steps"
    weights = [
        FILES.load_file(folder / name / "adapter" / "adapter_model.safetensors")
        for name in ("whole", "broken")
    ]
    assert weights[0].keys() == weights[1].keys()
    for name, value in weights[0].items():
        torch.testing.assert_close(value, weights[1][name])
    trained = [value for name, value in weights[0].items() if "lora_B" in name]
    assert any(value.abs().max() > 0 for value in trained)


def test_it_goes_on_from_an_adapter_and_is_held_near_it(folder: Path) -> None:
    train(folder, name="first")
    begun = f"adapter={folder / 'first' / 'adapter'}"
    still = train(folder, "--set", begun, "--set", "train.learning_rate=1.0e-12", name="second")
    assert still["first"]["kl"] == pytest.approx(0.0, abs=1e-6)
    files = [folder / name / "adapter" / "adapter_model.safetensors" for name in ("first", "second")]
    weights = [FILES.load_file(file) for file in files]
    for name, value in weights[0].items():
        torch.testing.assert_close(value, weights[1][name])


def test_a_folder_belongs_to_one_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(folder)
    with pytest.raises(SystemExit) as refused:
        train(folder, "--set", "train.beta=0.5")
    assert refused.value.code == 2
    assert "use --restart" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"previous": [1, 2]}, "row 2: previous"),
        ({"turns": [{"role": "assistant", "content": "Hi"}]}, "row 2: turns: .*the last turn is not"),
        ({"key": "k0"}, "row 2: key k0 occurs before"),
        ({"group": "g0", "split": "valid"}, "row 2: its conversation is learned from and kept apart"),
        ("no json", "row 2: no JSON"),
    ],
)
def test_bad_rows_are_refused_by_number(
    folder: Path, capsys: pytest.CaptureFixture[str], bad: Any, problem: str
) -> None:
    import gzip
    import re

    second = bad if isinstance(bad, str) else json.dumps(json.loads(row(1).model_dump_json()) | bad)
    text = f"{row(0).model_dump_json()}\n{second}\n"
    (folder / "data" / PROMPTS).write_bytes(gzip.compress(text.encode()))
    with pytest.raises(SystemExit) as refused:
        train(folder)
    assert refused.value.code == 2
    assert re.search(problem, capsys.readouterr().err)
