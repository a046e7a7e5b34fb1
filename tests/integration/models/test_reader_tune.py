"""A tiny random Llama learns to read: what one word of a text tells it must find in texts it has not seen."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.chat_model import ChatMessage
from models.reader_text import TurnTokens
from models.tactics import Tactic
from models.training.base_model import load_base
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import MintData, MintReply
from models.training.reader_data import ReaderData, packed, save
from models.training.reader_mint import pack_mint
from models.training.reader_mint_outputs import JOINED
from models.training.reader_model import Reader
from models.training.reader_pack import load_tokenizer
from models.training.reader_tune import main
from tests.fakes.tiny_models import write_tiny_llama

GOOD, BAD = "So hard. Why?", "Bad. Go on."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tokenizer(tiny: Path) -> Any:
    return load_tokenizer(str(tiny))


@pytest.fixture(scope="module")
def mint() -> MintData:
    """Two kinds of replies with their own ratings and tactics, behind fillers of several lengths."""
    replies = [
        _reply(f"c{i}", number, good) for i in range(10) for number in range(4) for good in (True, False)
    ]
    return MintData(tuple(replies), {one.context: (ChatMessage("user", "Sad."),) for one in replies})


def _reply(conversation: str, number: int, good: bool) -> MintReply:
    text = ("Well. " * (number % 3)) + (GOOD if good else BAD)
    sentences = tuple(
        f"{part.strip()}" for part in text.replace("?", "?|").replace(".", ".|").split("|") if part.strip()
    )
    last = Tactic.QUESTIONING if good else Tactic.ADVICE
    tags = [frozenset[Tactic]() for _ in sentences[:-1]] + [frozenset({last})]
    ratings = (5.0, 5.0, 5.0, 1.0, 1.0, 1.0, 5.0) if good else (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0)
    return MintReply((conversation, number), str(good), text, sentences, tuple(tags), ratings)


@pytest.fixture(scope="module")
def read(mint: MintData, tiny: Path, tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two processes' worth of folds."""
    folder = tmp_path_factory.mktemp("read")
    save(pack_mint(mint, tokenizer), folder / "mint.npz")
    shared = [str(folder / "mint.npz"), "--base", str(tiny), "--output", str(folder), "--device", "cpu"]
    shared += ["--epochs", "8", "--rate", "1e-2", "--contexts", "4", "--pass-tokens", "400"]
    assert main([*shared, "--folds", "0", "3"]) == 0
    assert not (folder / JOINED).exists()
    assert main([*shared, "--folds", "1", "2", "4"]) == 0
    return folder


def test_replies_of_other_conversations_are_rated_right(read: Path, mint: MintData) -> None:
    with np.load(read / JOINED) as file:
        quality = file["quality"]
    judged = np.array([reply.quality for reply in mint.replies])
    assert quality[judged == 5].min() > quality[judged == 3].max()
    assert np.abs(quality - judged).mean() < 0.4
    assert json.loads((read / "metrics_joined.json").read_text("utf-8"))["spearman"] == pytest.approx(1.0)


def test_tactics_are_found_and_known_to_the_evaluations(read: Path, mint: MintData) -> None:
    found = HeldOutTags.from_tuning(read / JOINED, mint)
    right = [found.tactics(reply) == list(reply.tactics) for reply in mint.replies]
    assert np.mean(right) > 0.9


def test_strategies_are_learned_from_the_training_file(tiny: Path, tokenizer: Any, tmp_path: Path) -> None:
    data = _strategies(tokenizer)
    save(data, tmp_path / "strategies.npz")
    options = ["--base", str(tiny), "--output", str(tmp_path), "--device", "cpu", "--tokens", "400"]
    main([str(tmp_path / "strategies.npz"), *options, "--epochs", "16", "--rate", "5e-3"])
    label, train = data.arrays["label"], data.arrays["train"]
    with np.load(tmp_path / "strategies_read.npz") as file:
        rows, valid = file["rows"], file["valid_rows"]
        assert np.array_equal(rows, np.flatnonzero(train & (data.arrays["conversation"] % 5 == 0)))
        assert np.array_equal(valid, np.flatnonzero(~train))
        assert (file["outputs"].argmax(axis=1) == label[rows]).mean() > 0.9
        assert (file["valid_outputs"].argmax(axis=1) == label[valid]).mean() > 0.9
    assert json.loads((tmp_path / "metrics_joined.json").read_text("utf-8"))["rows"] == len(rows)


def _strategies(tokenizer: Any) -> ReaderData:
    rows = 80
    label = np.arange(rows) % 2
    turns = TurnTokens(tokenizer)
    rng = np.random.default_rng(0)
    # Of random length, so that texts of one length are not all of one strategy.
    said = [ChatMessage("user", "Sad. " * int(rng.integers(1, 9))) for _ in range(rows)]
    context = [turns.context([one], 50) for one in said]
    texts = [
        turns.answered(before, "assistant", text, [text])
        for before, text in zip(context, [(GOOD, BAD)[int(one)] for one in label], strict=True)
    ]
    arrays = {"label": label, "conversation": np.arange(rows) // 4, "train": np.arange(rows) < 60}
    return packed("strategies", texts, arrays)


def test_neither_padding_nor_company_changes_what_is_read(mint: MintData, tiny: Path, tokenizer: Any) -> None:
    torch.manual_seed(0)
    data = pack_mint(mint, tokenizer)
    reader = Reader(load_base(str(tiny))[0], 4, 6, 10, torch.device("cpu")).eval()
    texts = np.array([5, 0, 17, 2])
    with torch.no_grad():
        together = reader(data, texts, 10_000)
        split = reader(data, texts, 1)
        alone = [reader(data, texts[i : i + 1], 10_000) for i in range(4)]
    assert torch.allclose(together.texts, split.texts, atol=1e-5)
    assert torch.allclose(together.texts, torch.cat([one.texts for one in alone]), atol=1e-5)
    assert torch.allclose(together.places, torch.cat([one.places for one in alone]), atol=1e-5)


def test_only_low_rank_changes_and_heads_are_learned(tiny: Path) -> None:
    reader = Reader(load_base(str(tiny))[0], 4, 6, 10, torch.device("cpu"))
    names = [name for name, one in reader.named_parameters() if one.requires_grad]
    assert all("lora" in name or "_head" in name for name in names)
    assert len(reader.low_rank) == 2 * 7 * 2
