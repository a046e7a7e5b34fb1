"""The multi-task recipe on a tiny random Llama and made-up data: files to a loadable adapter in seconds."""

import dataclasses
import gzip
import itertools
import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from models.head_file import read_head
from models.training import multi_task_run, multi_task_variants
from models.training.chat_tokens import Tokens, padded
from models.training.multi_task import main
from models.training.multi_task_budget import affordable_steps
from models.training.multi_task_config import MultiTaskConfig, read_config
from models.training.multi_task_prepare import main as prepare
from models.training.multi_task_run import Trained, Training, mixed_batches, step_gradients
from models.training.multi_task_variants import Workshop, new_model, open_workshop, variant_weights
from models.training.task_model import MultiTaskModel
from models.training.task_scores import validate
from models.weights import load_checkpoint
from tests.fakes.multi_task_data import write_lines, write_raw_data
from tests.fakes.tiny_models import write_tiny_llama, write_tiny_qwen3

CONFIG = "models/training/configs/multi_task_tiny.yaml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("multi_task")
    write_raw_data(folder / "raw")
    write_tiny_llama(folder / "base")
    prepare(["--data", str(folder / "raw"), "--output", str(folder / "prepared"), "--esconv"])
    return folder


def options(folder: Path, output: str) -> list[str]:
    paths = {"base": folder / "base", "prepared": folder / "prepared", "output": folder / output}
    return [part for name, path in paths.items() for part in ("--set", f"{name}={path}")]


@pytest.fixture(scope="module")
def shop(folder: Path) -> Workshop:
    config = read_config(Path(CONFIG), options(folder, "shop")[1::2])
    return open_workshop(config)


@pytest.fixture
def model(shop: Workshop) -> MultiTaskModel:
    model = fresh(shop)
    model.train(False)
    return model


def fresh(shop: Workshop) -> MultiTaskModel:
    return new_model(shop, load_tiny(shop))


def load_tiny(shop: Workshop) -> Any:
    return multi_task_variants.load_base(shop.config.base)[0]


def shaken(model: MultiTaskModel) -> MultiTaskModel:
    """The model with an adapter that does something."""
    torch.manual_seed(1)
    with torch.no_grad():
        for weight in model.adapter_parameters():
            weight.add_(0.1 * torch.randn_like(weight))
    return model


def training(shop: Workshop, folder: Path, config: MultiTaskConfig | None = None) -> Training:
    config = config or shop.config
    return Training(fresh(shop), shop.data, config, variant_weights(config, "full"), folder)


# --- the loss on a whole model


def test_the_language_loss_is_that_of_transformers(shop: Workshop, model: MultiTaskModel) -> None:
    dialogues = list(shop.data.train.dialogue[:3])
    batch = padded(dialogues, 0)
    with torch.no_grad():
        expected = model.adapted(
            input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=batch.labels
        ).loss
        language, kl = model.reply_losses(dialogues, [])
    assert float(language.mean()) == pytest.approx(float(expected), rel=1e-5)
    assert len(language) == sum(len(one.ids) - one.reply_start for one in dialogues)
    assert kl.numel() == 0


def test_the_kl_of_an_untouched_model_is_zero_and_of_a_changed_one_is_not(
    shop: Workshop, model: MultiTaskModel
) -> None:
    safety = list(shop.data.train.safety[:3])
    assert model.reply_losses([], safety)[1].abs().max() < 1e-5
    assert float(shaken(model).reply_losses([], safety)[1].detach().mean()) > 1e-3


def test_kl_and_language_loss_do_not_mix_in_one_pass(shop: Workshop, model: MultiTaskModel) -> None:
    dialogues, safety = list(shop.data.train.dialogue[:2]), list(shop.data.train.safety[:3])
    shaken(model)
    language, kl = model.reply_losses(dialogues, safety)
    assert torch.allclose(language, model.reply_losses(dialogues, [])[0], atol=1e-5)
    assert torch.allclose(kl, model.reply_losses([], safety)[1], atol=1e-5)


def test_the_heads_read_the_last_token_whatever_the_padding(shop: Workshop, model: MultiTaskModel) -> None:
    readings = [*shop.data.train.emotion[:3], *shop.data.train.strategy[:2]]
    torch.nn.init.normal_(model.heads.emotion.weight)
    together = model.read(readings)["emotion"]
    alone = torch.cat([model.read([one])["emotion"] for one in readings[:3]])
    assert torch.allclose(together, alone, atol=1e-4)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_the_gradient_does_not_hang_on_the_size_of_a_pass(
    shop: Workshop, model: MultiTaskModel, size: int
) -> None:
    draw = next(mixed_batches(shop.data, shop.config))
    whole, parts = shaken(model), shaken(fresh(shop))
    parts.train(False)
    expected = step_gradients(whole, shop.data, draw, shop.config.loss, 50)
    assert step_gradients(parts, shop.data, draw, shop.config.loss, size) == pytest.approx(expected, rel=1e-4)
    for one, other in zip(whole.adapter_parameters(), parts.adapter_parameters(), strict=True):
        assert torch.allclose(one.grad, other.grad, atol=1e-5)  # type: ignore[arg-type]


def test_a_term_without_weight_is_left_out(shop: Workshop, model: MultiTaskModel) -> None:
    draw = next(mixed_batches(shop.data, shop.config))
    terms = step_gradients(model, shop.data, draw, variant_weights(shop.config, "lm-only"), 50)
    assert set(terms) == {"language", "loss"}
    assert terms["loss"] == terms["language"]


# --- training


def test_training_lowers_the_validation_loss_and_every_head_learns(shop: Workshop, tmp_path: Path) -> None:
    config = shop.config.with_steps(20)
    history = training(shop, tmp_path, config).run().progress.history
    for name in ("language", "emotion", "strategy"):
        assert history[-1]["valid"][name] < history[0]["valid"][name]


def same(one: Trained, other: Trained) -> bool:
    states = zip((one.adapter, one.heads), (other.adapter, other.heads), strict=True)
    equal = all(torch.equal(a[name], b[name]) for a, b in states for name in a)
    return equal and one.progress.history == other.progress.history


def test_a_run_that_broke_down_ends_like_an_uninterrupted_one(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = training(shop, tmp_path / "whole").run()
    step = Training._step

    def breaks(self: Training, draw: Any) -> None:
        if self._progress.step == 3:  # a checkpoint was written at step 2
            raise KeyboardInterrupt
        step(self, draw)

    monkeypatch.setattr(Training, "_step", breaks)
    with pytest.raises(KeyboardInterrupt):
        training(shop, tmp_path / "broken").run()
    monkeypatch.setattr(Training, "_step", step)
    assert same(training(shop, tmp_path / "broken").run(), whole)


def test_a_run_that_ran_out_of_time_goes_on_like_an_uninterrupted_one(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = training(shop, tmp_path / "whole").run()
    clock = itertools.count()
    # Only this module's clock: whatever else looks at the time must not count.
    monkeypatch.setattr(multi_task_run, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    stopped = training(shop, tmp_path / "stopped").run(deadline=2)
    monkeypatch.undo()
    assert (stopped.ended, stopped.progress.step) == ("budget", 3)
    resumed = training(shop, tmp_path / "stopped").run()
    assert resumed.ended == "steps"
    assert same(resumed, whole)


def test_training_ends_early_and_keeps_the_best_step(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = iter([3.0, 2.0, 2.5, 2.4, 0.0])

    def scripted(*arguments: Any) -> dict[str, float]:
        return validate(*arguments) | {"language": next(losses)}

    monkeypatch.setattr(multi_task_run, "validate", scripted)
    settings = shop.config.validation.model_copy(update={"every": 1, "patience": 2})
    config = shop.config.model_copy(update={"validation": settings})
    trained = training(shop, tmp_path, config).run()
    assert (trained.ended, trained.progress.step, trained.progress.best_step) == ("early", 3, 1)


def test_the_number_of_steps_fits_the_time(shop: Workshop) -> None:
    assert affordable_steps(shop, 5, time.monotonic() + 3000) == shop.config.train.steps
    assert affordable_steps(shop, 5, time.monotonic()) == 1


def test_a_checkpoint_of_other_settings_is_refused(shop: Workshop, tmp_path: Path) -> None:
    training(shop, tmp_path).run(deadline=0)
    with pytest.raises(ValueError, match="other settings"):
        training(shop, tmp_path, shop.config.with_steps(99)).run()


def test_the_base_stays_untouched(shop: Workshop, folder: Path) -> None:
    before = {name: weight.clone() for name, weight in shop.base.state_dict().items()}
    config = shop.config.model_copy(update={"output": folder / "untouched"})
    multi_task_variants.train_variant(dataclasses.replace(shop, config=config), "lm-only")
    after = shop.base.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())


# --- the command


@pytest.fixture(scope="module")
def ablations(folder: Path) -> Path:
    main(["--config", CONFIG, *options(folder, "run"), "--ablations", "--budget-s", "3000"])
    return folder / "run"


def test_the_table_has_all_variants_and_says_where_it_comes_from(ablations: Path) -> None:
    table = json.loads((ablations / "ablations.json").read_text("utf-8"))
    assert list(table["variants"]) == ["full", "no-emotion", "no-strategy", "no-kl", "lm-only"]
    assert {row["steps"] for row in table["variants"].values()} == {6}
    assert table["variants"]["no-emotion"]["scores"]["emotion_f1_test"] is None
    assert table["variants"]["no-emotion"]["scores"]["strategy_f1"] is not None
    assert {"date", "device", "packages", "rows", "config", "seed"} <= set(table["provenance"])
    licences = table["provenance"]["data_licences"]
    assert licences["goemotions"].startswith("Apache-2.0")
    assert "esconv" not in licences
    assert str(ablations.parent) not in json.dumps(table["provenance"]["config"])
    assert (ablations / "ablations.svg").read_text("utf-8").count("<polyline") == 5


def test_a_variant_leaves_metrics_plot_and_samples(ablations: Path) -> None:
    full = ablations / "full"
    rows = [json.loads(line) for line in (full / "metrics.jsonl").read_text("utf-8").splitlines()]
    assert [row["step"] for row in rows] == [0, 2, 4, 6]
    assert {"language", "emotion", "strategy", "kl", "loss"} <= set(rows[-1]["train"])
    assert "<polyline" in (full / "metrics.svg").read_text("utf-8")
    assert json.loads((full / "samples.json").read_text("utf-8"))[0]["replies"]


def test_the_adapter_is_loaded_as_the_service_loads_it(ablations: Path, folder: Path) -> None:
    loaded = load_checkpoint(folder / "base", ablations / "full" / "adapter")
    plain = load_checkpoint(folder / "base")
    ids = torch.tensor([[5, 6, 7]])
    assert not torch.equal(loaded.model(ids).logits, plain.model(ids).logits)


def test_the_heads_lie_beside_it_and_name_their_classes(ablations: Path, folder: Path) -> None:
    head = read_head(ablations / "full" / "adapter" / "heads.safetensors", str(folder / "base"))
    assert head.tensors["emotion.weight"].shape == (27, 32)
    assert head.tensors["strategy.weight"].shape == (8, 32)
    assert head.tensors["emotion.thresholds"].shape == (27,)
    assert (len(head.facts["emotions"]), len(head.facts["strategies"])) == (27, 8)


def test_a_finished_run_is_not_made_again(
    ablations: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a step of training")

    before = (ablations / "full" / "training.json").stat().st_mtime_ns
    monkeypatch.setattr(Training, "_step", never)
    main(["--config", CONFIG, *options(folder, "run"), "--ablations"])
    assert (ablations / "full" / "training.json").stat().st_mtime_ns == before


def test_out_of_time_is_told_and_the_same_command_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "--config",
        CONFIG,
        *options(folder, "late"),
        "--variant",
        "lm-only",
        "--set",
        "samples.replies=0",
    ]
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--budget-s", "0"])
    assert stopped.value.code == 3
    assert "the same command goes on" in capsys.readouterr().err
    (folder / "late" / "plan.json").unlink(missing_ok=True)
    main(command)
    assert json.loads((folder / "late/lm-only/training.json").read_text("utf-8"))["ended"] == "steps"


def test_esconv_is_learned_from_only_when_asked_for_and_marks_the_result(folder: Path) -> None:
    main(
        [
            "--config",
            CONFIG,
            *options(folder, "nc"),
            "--set",
            "esconv=true",
            "--set",
            "train.steps=1",
            "--set",
            "samples.replies=0",
        ]
    )
    report = json.loads((folder / "nc/full/training.json").read_text("utf-8"))
    assert "non-commercial" in report["licence"]
    assert (folder / "nc/full/adapter/NON_COMMERCIAL.txt").is_file()
    assert not (folder / "run/full/adapter/NON_COMMERCIAL.txt").is_file()


def test_settings_alone_take_qwen3_with_its_prompt_and_template(folder: Path, tmp_path: Path) -> None:
    base = write_tiny_qwen3(tmp_path / "Qwen3")
    settings = {
        "base": base,
        "base_name": "Qwen/Qwen3-4B",
        "prepared": folder / "prepared",
        "output": tmp_path / "run",
        "limit": 8,
        "train.steps": 2,
        "train.batch": 8,
        "train.max_tokens": 8000,
        "validation.rows": 4,
        "samples.replies": 0,
    }
    changes = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    main(["--config", "models/training/configs/multi_task_qwen3_4b.yaml", *changes])
    config = json.loads((tmp_path / "run/full/adapter/adapter_config.json").read_text("utf-8"))
    assert config["base_model_name_or_path"] == "Qwen/Qwen3-4B"
    assert (config["r"], config["lora_alpha"]) == (16, 32)
    shop = open_workshop(read_config(Path(CONFIG), [*changes[1::2], "profile=qwen3"]))
    item = shop.data.train.dialogue[0]
    assert shop.tokenizer.decode(item.ids[: item.reply_start]).endswith("<think>\n\n</think>\n\n")


# --- bad data


def test_a_bad_prepared_row_ends_the_command_with_its_number(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (folder / "prepared").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    rows = gzip.decompress((tmp_path / "strategy.jsonl.gz").read_bytes()).decode().splitlines()
    rows[4] = rows[4].replace('"label": ', '"label": 9')
    (tmp_path / "strategy.jsonl.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    with pytest.raises(SystemExit) as stopped:
        main(["--config", CONFIG, *options(folder, "bad"), "--set", f"prepared={tmp_path}"])
    assert stopped.value.code == 2
    assert "strategy.jsonl.gz, row 5: label" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "row", "problem"),
    [
        ("mint/replies.jsonl.gz", {"conversation_id": "c"}, r"replies\.jsonl\.gz, row 1: turn_index"),
        ("counselchat/answers.jsonl.gz", {"title": "t"}, r"answers\.jsonl\.gz, row 1: question"),
        (
            "esconv/train.jsonl.gz",
            {"dialog": [{"speaker": "sys", "text": "Hi.", "strategy": "Joke"}]},
            r"train\.jsonl\.gz, row 1: strategy 'Joke'",
        ),
        ("safety/openai_moderation.jsonl.gz", {}, r"openai_moderation\.jsonl\.gz, row 1: prompt"),
    ],
)
def test_a_bad_public_row_ends_the_preparation_with_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, row: dict[str, Any], problem: str
) -> None:
    raw = write_raw_data(tmp_path / "raw")
    write_lines(raw / name, [row])
    with pytest.raises(SystemExit):
        prepare(["--data", str(raw), "--output", str(tmp_path / "out"), "--esconv"])
    assert re.search(problem, capsys.readouterr().err)


def test_a_conversation_is_on_one_side_only_and_equal_texts_too(folder: Path) -> None:
    sides: dict[str, set[str]] = {}
    for name in ("dialogue", "strategy", "emotion", "safety"):
        text = gzip.decompress((folder / "prepared" / f"{name}.jsonl.gz").read_bytes()).decode()
        for row in map(json.loads, text.splitlines()):
            sides.setdefault(row["group"], set()).add(row["split"])
    assert all(len(found) == 1 for found in sides.values())
    assert {side for found in sides.values() for side in found} == {"train", "valid", "test"}


def test_tokens_of_a_dialogue_end_with_its_reply(shop: Workshop) -> None:
    item: Tokens = shop.data.train.dialogue[0]
    text = shop.tokenizer.decode(item.ids[item.reply_start :])
    assert text.endswith("?<|im_end|>")
