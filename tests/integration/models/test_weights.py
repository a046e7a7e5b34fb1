"""Weights: the embedded file, its cache, adapters, folders."""

import shutil
from pathlib import Path
from typing import Any

import peft
import pytest
import safetensors.torch
import torch

from evals.vllm_server import CACHE
from models import weights
from models.chat_model import ChatMessage, ModelUnreachableError, SamplingParams
from models.local import LocalChatModel
from models.weights import (
    checkpoint_name,
    default_adapter,
    load_checkpoint,
    unpacked_folder,
)
from tests.scripted_qwen3 import write_checkpoint


@pytest.fixture(scope="module")
def embedded() -> Path:
    """The unpacked embedded model without an adapter, kept between runs like the application's."""
    load_checkpoint(None, None, CACHE)
    return unpacked_folder(CACHE, None)


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("scripted") / "small-qwen3")


@pytest.fixture(scope="module")
def adapter(scripted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LoRA adapter that adds something to one layer."""
    config = peft.LoraConfig(r=2, lora_alpha=4, target_modules=["gate_proj"], init_lora_weights=False)
    model: Any = peft.get_peft_model(load_checkpoint(scripted).model, config)
    folder = tmp_path_factory.mktemp("adapter") / "kind"
    model.save_pretrained(folder)
    return folder


def test_the_unpacked_model_is_a_folder_that_any_server_can_load(embedded: Path) -> None:
    names = {file.name for file in embedded.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json", "chat_template.jinja"} <= names


def test_the_unpacked_weights_are_bfloat16(embedded: Path) -> None:
    stored = safetensors.torch.load_file(embedded / "model.safetensors")
    assert {tensor.dtype for tensor in stored.values()} == {torch.bfloat16}


@pytest.mark.parametrize(
    ("hardware", "most", "dtype"),
    [
        (True, 1_000_000_000, torch.bfloat16),
        (False, 1_000_000_000, torch.float32),
        (False, 1_000_000, torch.bfloat16),
    ],
    ids=["multiplies_bfloat16", "does_not", "does_not_and_the_model_is_large"],
)
def test_what_it_is_computed_in_follows_the_processor_and_the_size(
    embedded: Path, monkeypatch: pytest.MonkeyPatch, hardware: bool, most: int, dtype: torch.dtype
) -> None:
    monkeypatch.setattr(weights, "fast_bfloat16", lambda: hardware)
    monkeypatch.setattr(weights, "_MOST_IN_FLOAT32", most)
    model = load_checkpoint(embedded).model
    assert {parameter.dtype for parameter in model.parameters()} == {dtype}


def test_a_damaged_cache_is_made_anew(embedded: Path, tmp_path: Path) -> None:
    damaged = unpacked_folder(tmp_path, None)
    shutil.copytree(embedded, damaged)
    (damaged / "model.safetensors").write_bytes(b"cut off")
    load_checkpoint(None, None, tmp_path)
    assert (damaged / "model.safetensors").read_bytes() == (embedded / "model.safetensors").read_bytes()


def test_no_half_written_folder_is_left_behind(embedded: Path) -> None:
    assert not [folder for folder in embedded.parent.iterdir() if folder.name.startswith(".")]


async def test_the_embedded_model_answers() -> None:
    model = LocalChatModel(cache_folder=CACHE)
    candidates = await model.sample(
        [ChatMessage("user", "I feel lonely since I moved.")], 2, SamplingParams(max_tokens=24)
    )
    await model.close()
    assert all(candidate.text.isprintable() and len(candidate.text) > 20 for candidate in candidates)


def test_the_embedded_model_is_named_after_its_adapter() -> None:
    assert LocalChatModel().name == checkpoint_name(None, default_adapter())


def test_an_adapter_is_merged_into_the_weights(scripted: Path, adapter: Path) -> None:
    plain = load_checkpoint(scripted).model.state_dict()
    merged = load_checkpoint(scripted, adapter).model.state_dict()
    assert merged.keys() == plain.keys()
    changed = {name.rsplit(".", 2)[-2] for name in plain if not torch.equal(plain[name], merged[name])}
    assert changed == {"gate_proj"}


def test_another_adapter_has_another_cache(adapter: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(adapter, other)
    weights = other / "adapter_model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    folders = {unpacked_folder(tmp_path, choice) for choice in (None, adapter, other)}
    assert len(folders) == 3


def test_an_adapter_that_is_not_there_stops_the_load(scripted: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnreachableError, match=r"adapter_config\.json"):
        load_checkpoint(scripted, tmp_path)


def test_a_model_is_named_after_its_folder_and_adapter(scripted: Path, adapter: Path) -> None:
    assert checkpoint_name(scripted, adapter) == "small-qwen3+kind"


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    in_the_way = tmp_path / "models"
    in_the_way.write_text("a file where the folder should be")
    assert load_checkpoint(None, None, in_the_way).name == "SmolLM2-135M-Instruct"
