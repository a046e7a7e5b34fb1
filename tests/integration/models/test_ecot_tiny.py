"""The recipe of the small Chinese ECoT model in seconds, and the checkpoint that it made."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, Qwen3ForCausalLM

from models.checkpoints import ECOT_TINY
from models.training.chat_tokens import padded
from models.training.ecot_book import read_book
from models.training.ecot_loss import batches_of, reply_loss, shared_length
from models.training.ecot_samples import sample_figures
from models.training.ecot_talks import Composer
from models.training.ecot_tiny import encoded, main, new_model, prompt_text, tokenizer_texts
from models.training.ecot_tiny_config import ShapeSettings
from models.training.ecot_tokenizer import END, train_tokenizer

CONFIG = "models/training/configs/ecot_tiny_ci.yaml"
BOOK = read_book()


def run(output: Path, *changes: str, budget: float | None = None) -> None:
    options = [part for change in (f"output={output}", *changes) for part in ("--set", change)]
    main(["--config", CONFIG, *options, *([] if budget is None else ["--budget-s", str(budget)])])


def weights(output: Path) -> dict[str, torch.Tensor]:
    models: Any = AutoModelForCausalLM
    return dict(models.from_pretrained(output / "model").state_dict())


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("ecot")
    run(output)
    return output


def test_the_recipe_writes_a_qwen3_with_metrics_plot_and_report(trained: Path) -> None:
    config = json.loads((trained / "model" / "config.json").read_text("utf-8"))
    assert config["architectures"] == ["Qwen3ForCausalLM"]
    rows = [json.loads(line) for line in (trained / "metrics.jsonl").read_text("utf-8").splitlines()]
    assert [row["step"] for row in rows] == [3, 6]
    assert rows[1]["valid"] < rows[0]["valid"]
    assert (trained / "curves.svg").read_text("utf-8").startswith("<svg")
    report = json.loads((trained / "training.json").read_text("utf-8"))
    assert report["ended"] == "steps"
    assert report["held_out"]["wording"]["replies"] == 2


def test_a_run_that_was_broken_off_goes_on_to_the_same_weights(trained: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, budget=0)
    assert ended.value.code == 3
    assert json.loads((tmp_path / "training.json").read_text("utf-8"))["ended"] == "budget"
    run(tmp_path)
    whole, resumed = weights(trained), weights(tmp_path)
    assert whole.keys() == resumed.keys()
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_another_run_in_the_same_folder_is_refused(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(trained, "train.seed=5")
    assert ended.value.code == 2
    assert "--restart" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "problem"), [("train.stesp=5", "train.stesp"), ("train.device=tpu", "train.device")]
)
def test_a_wrong_setting_is_named(
    tmp_path: Path, change: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, change)
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_bad_data_ends_the_command_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "topics.txt").write_text("== 失业\nopne: 写错了\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        run(tmp_path / "run", f"book={tmp_path}")
    assert ended.value.code == 2
    assert "topics.txt, line 2" in capsys.readouterr().err


def test_the_shared_beginning_changes_no_loss() -> None:
    tokenizer = train_tokenizer(tokenizer_texts(BOOK), 600)
    model = new_model(
        ShapeSettings(vocabulary=600, width=32, inner=64, layers=2, heads=2, key_heads=1, head_width=16),
        tokenizer,
        0,
    )
    composer = Composer(BOOK, 1)
    rows = encoded([composer.example() for _ in range(12)], tokenizer)
    shared = shared_length(rows)
    group = next(batches_of(rows, 6, 0))
    batch = padded(group, tokenizer.pad_token_id)
    with torch.no_grad():
        whole = model(
            input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=batch.labels
        ).loss
        quick = reply_loss(model, group, tokenizer.pad_token_id, shared)
    assert shared > 200
    assert float(quick) == pytest.approx(float(whole), abs=1e-4)


def test_any_text_survives_the_tokenizer_and_turns_end_with_their_mark() -> None:
    tokenizer = train_tokenizer(tokenizer_texts(BOOK), 600)
    text = '今天好累🙂 "quoted" <situation>薯</situation>\n龘'
    assert tokenizer.decode(tokenizer(text).input_ids) == text
    prompt = prompt_text(tokenizer, [{"role": "user", "content": "你好"}])
    assert prompt == f"<|im_start|>user\n你好{END}\n<|im_start|>assistant\n<think>\n\n</think>\n\n"


def test_the_kept_checkpoint_is_small_and_keeps_its_form_on_prompts_it_never_saw() -> None:
    models: Any = AutoModelForCausalLM
    tokenizers: Any = AutoTokenizer
    model = models.from_pretrained(ECOT_TINY, dtype=torch.float32)
    tokenizer = tokenizers.from_pretrained(ECOT_TINY)
    assert isinstance(model, Qwen3ForCausalLM)
    assert sum(file.stat().st_size for file in ECOT_TINY.iterdir()) < 15_000_000
    # About one reply in a hundred loses its form, so few replies would say little.
    figures = sample_figures(model, tokenizer, BOOK, 24, 7)
    for kind in ("wording", "topic"):
        assert figures[kind]["mean_reward"] > 0.9, figures[kind]
        assert figures[kind]["chinese"] > 0.95
