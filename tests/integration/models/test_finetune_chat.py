"""The whole recipe on a tiny random Llama, from files to a loadable adapter, in seconds."""

import gzip
import json
from pathlib import Path
from typing import Any

import peft
import pytest
import torch

from models.chat_model import ChatMessage
from models.training.base_model import load_base
from models.training.chat_data import load_examples
from models.training.chat_tokens import IGNORED, batches, encode, prompt_text
from models.training.example import Example
from models.training.finetune_chat import main
from tests.fakes.tiny_models import write_tiny_llama


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def adapter(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adapter")
    contexts = folder / "contexts.txt"
    contexts.write_text("# comment\nhello\nand then\n==\nI am sad\n", "utf-8")
    options = ["--base", str(tiny_model), "--out", str(folder), "--sources", "dialogues", "--max-steps", "6"]
    main([*options, "--epochs", "2", "--batch-size", "8", "--contexts", str(contexts), "--samples", "2"])
    return folder


def test_training_lowers_the_validation_loss(adapter: Path) -> None:
    epochs = json.loads((adapter / "training.json").read_text("utf-8"))["epochs"]
    assert epochs[-1]["valid_loss"]["dialogues"] < epochs[0]["valid_loss"]["dialogues"]


def test_the_adapter_loads_on_its_base_and_changes_it(adapter: Path, tiny_model: Path) -> None:
    base, tokenizer = load_base(str(tiny_model))
    ids = tokenizer("I feel sad", return_tensors="pt")["input_ids"]
    before = base(ids).logits
    adapted = peft.PeftModel.from_pretrained(base, str(adapter))
    assert not torch.allclose(before, adapted(ids).logits)


def test_the_adapter_file_names_its_base_as_given_and_no_other_path(adapter: Path, tiny_model: Path) -> None:
    config = json.loads((adapter / "adapter_config.json").read_text("utf-8"))
    assert config["base_model_name_or_path"] == str(tiny_model)


def test_samples_hold_held_out_contexts_and_whole_scripts(adapter: Path) -> None:
    rows = json.loads((adapter / "samples.json").read_text("utf-8"))
    scripts = [row for row in rows if row["source"] == "script 0"]
    assert [len(row["turns"]) for row in scripts] == [1, 3]
    assert all(len(row["replies"]) == 2 for row in rows)
    assert any(row["source"] == "dialogues" for row in rows)


def test_the_loss_counts_the_reply_and_its_end_mark_only(tiny_model: Path) -> None:
    _, tokenizer = load_base(str(tiny_model))
    example = Example("dialogues", "g", (ChatMessage("user", "hello"),), "Hello, how are you?")
    tokens = encode(tokenizer, example, 2048)
    assert tokens is not None
    batch = next(batches([tokens], 1, tokenizer.pad_token_id, None))
    learned = [int(label) for label in batch.labels[0] if int(label) != IGNORED]
    assert tokenizer.decode(learned) == "Hello, how are you?<|im_end|>"
    assert tokenizer.decode(tokens.ids[: tokens.reply_start]) == prompt_text(tokenizer, example.turns, 0)


def test_older_turns_are_left_out_until_an_example_fits(tiny_model: Path) -> None:
    _, tokenizer = load_base(str(tiny_model))
    old = (ChatMessage("user", "old " * 900), ChatMessage("assistant", "yes"))
    example = Example("dialogues", "g", (*old, ChatMessage("user", "new")), "Hello there.")
    tokens = encode(tokenizer, example, 700)
    assert tokens is not None
    text = tokenizer.decode(tokens.ids)
    assert "new" in text
    assert "old" not in text


def write_rows(file: Path, rows: list[dict[str, Any]]) -> None:
    file.parent.mkdir(exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)


def mint_folder(tmp_path: Path, reply_turn: int) -> Path:
    history = [{"role": "user", "content": "I lost my job."}]
    context = {"conversation_id": "c", "turn_index": 1, "history": history}
    ratings = {"aggregated_empathy": 4.5, "dismissing_emotions": 1.0}
    reply = {
        "conversation_id": "c",
        "turn_index": reply_turn,
        "reply": "Losing a job you cared about hurts a lot. What was your work like before this?",
        "sentence_tactics": [["validation"], ["questioning"]],
        "ratings": ratings,
    }
    write_rows(tmp_path / "mint" / "contexts.jsonl.gz", [context])
    write_rows(tmp_path / "mint" / "replies.jsonl.gz", [reply])
    return tmp_path


def test_well_rated_replies_become_examples(tmp_path: Path) -> None:
    examples = load_examples(mint_folder(tmp_path, 1), ["mint"], 0)
    assert [(example.group, example.turns[-1].content) for example in examples] == [
        ("mint:c", "I lost my job.")
    ]


def test_a_reply_without_a_context_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"replies\.jsonl\.gz, row 1: no context"):
        load_examples(mint_folder(tmp_path, 3), ["mint"], 0)


def test_missing_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"contexts\.jsonl\.gz"):
        load_examples(tmp_path, ["mint"], 0)


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(ValueError, match="source secrets"):
        load_examples(None, ["secrets"], 0)
