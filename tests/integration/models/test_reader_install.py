"""A tiny Llama is tuned on made-up ESConv, installed beside a head, and reads as the training code does."""

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import torch as safetensors_torch
from transformers import LlamaForCausalLM

from models.chat_model import ChatMessage
from models.class_head import averaged, softmax
from models.encoder import STRATEGIES
from models.head_file import HeadError, write_head
from models.language_reader import load_language_reader
from models.reader_file import FILE, HEAD, read_reader_facts
from models.reader_text import ReadText, TurnTokens
from models.strategy import ADAPTER, StrategyReader, load_strategy_reader
from models.strategy_file import load_strategies
from models.strategy_mean import MeanReader
from models.training import reader_pack, reader_tune
from models.training.base_model import load_base
from models.training.multi_task_sources import esconv_rows
from models.training.reader_data import ReaderData, load, packed
from models.training.reader_fit import predict
from models.training.reader_install import main
from models.training.reader_model import Reader
from models.training.reader_strategies import pack_strategies
from models.training.strategies import load_strategies as load_table
from models.weights import Base, load_checkpoint
from tests.fakes.encoder import FakeEncoder
from tests.fakes.tiny_models import write_tiny_llama

NAMES = load_table().names
LIMIT, RANK = 40, 4
TEXTS = ("Why is that?", "I am here for you.")


class FakeTunedEncoder(FakeEncoder):
    name = STRATEGIES


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Numbers that bfloat16 can hold, as which the application loads a base."""
    folder = write_tiny_llama(tmp_path_factory.mktemp("tiny"))
    models: Any = LlamaForCausalLM
    models.from_pretrained(folder, dtype=torch.bfloat16).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def esconv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions and affirmations; half of the conversations open with the supporter, some are long."""
    folder = tmp_path_factory.mktemp("esconv")
    rng = np.random.default_rng(0)
    for name, many in (("train", 30), ("valid", 10)):
        rows = [{"dialog": _dialogue(rng, number)} for number in range(many)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def _dialogue(rng: np.random.Generator, number: int) -> list[dict[str, str]]:
    turns: list[dict[str, str]] = []
    for place in range(6):
        if place % 2 == number % 2:
            turns.append({"speaker": "usr", "text": " So sad." * int(rng.integers(1, 12))})
        else:
            kind = int(rng.integers(2))
            # Some are labelled wrong, so that nobody can be sure and the mean has two parts.
            strategy = ("Question", "Affirmation and Reassurance")[kind ^ (rng.random() < 0.2)]
            turns.append({"speaker": "sys", "text": f" {TEXTS[kind]}", "strategy": strategy})
    return turns


@pytest.fixture(scope="module")
def tuned_reader(tiny: Path, esconv: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``reader_tune`` left."""
    folder = tmp_path_factory.mktemp("reader")
    file = str(folder / "strategies.npz")
    common = ["--base", str(tiny), "--output"]
    reader_pack.main(
        ["--task", "strategies", "--data", str(esconv), "--context-tokens", str(LIMIT), *common, file]
    )
    options = ["--device", "cpu", "--tokens", "400", "--rank", str(RANK), "--epochs", "6", "--rate", "5e-3"]
    assert reader_tune.main([file, *common, str(folder), *options]) == 0
    return folder


@pytest.fixture(scope="module")
def encoder_head(tuned_reader: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A head that knows nothing, what tuning left of it, and its encoder."""
    folder = tmp_path_factory.mktemp("head")
    facts = {"encoder": STRATEGIES, "head": "strategies", "strategies": list(NAMES), "words": 0.0}
    rng = np.random.default_rng(1)
    tensors = {
        "mean": np.zeros(8, np.float32),
        "scale": np.ones(8, np.float32),
        "w0": rng.normal(0, 1, (8, len(NAMES))).astype(np.float32),
        "b0": np.zeros(len(NAMES), np.float32),
    }
    write_head(folder / HEAD, tensors, {**facts, "features": ["text"], "temperature": 2.0})
    (folder / ADAPTER).write_bytes(b"an encoder")
    with np.load(tuned_reader / "strategies_read.npz") as file:
        rows = file["rows"]
    noise = rng.normal(0, 1, (len(rows), len(NAMES))).astype(np.float32)
    np.savez(folder / "outputs.npz", rows=rows, outputs=noise)
    return folder


Install = Callable[..., int]


@pytest.fixture(scope="module")
def install(tiny: Path, esconv: Path, tuned_reader: Path, encoder_head: Path) -> Install:
    def run(output: Path, reader: Path = tuned_reader / "reader_all.safetensors", *more: str) -> int:
        options = ["--strategies", str(encoder_head / HEAD), "--tuned", str(encoder_head)]
        options += ["--read", str(tuned_reader / "strategies_read.npz"), "--data", str(esconv)]
        options += ["--context-tokens", str(LIMIT), "--base", str(tiny), "--output", str(output), *more]
        return main([str(reader), *options])

    return run


@pytest.fixture(scope="module")
def installed(install: Install, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("installed")
    assert install(output) == 0
    return output


@pytest.fixture(scope="module")
def base(tiny: Path) -> Base:
    return Base(tiny.name, partial(load_checkpoint, tiny))


@pytest.fixture(scope="module")
def reader(installed: Path, base: Base) -> MeanReader:
    found = load_strategies(FakeTunedEncoder(), installed / FILE, base)
    assert isinstance(found, MeanReader)
    return found


@pytest.fixture(scope="module")
def trained(tiny: Path, tuned_reader: Path) -> Reader:
    """The training code's reader with the weights that were kept."""
    made = Reader(load_base(str(tiny))[0], RANK, 0, len(NAMES), torch.device("cpu")).eval()
    files: Any = safetensors_torch
    kept = files.load_file(tuned_reader / "reader_all.safetensors")
    own = dict(made.named_parameters())
    with torch.no_grad():
        for name, value in kept.items():
            own[name].copy_(value)
    return made


def test_one_folder_has_all_that_the_setting_needs(installed: Path, encoder_head: Path) -> None:
    assert sorted(file.name for file in installed.iterdir()) == [ADAPTER, HEAD, FILE]
    assert (installed / HEAD).read_bytes() == (encoder_head / HEAD).read_bytes()
    facts = read_reader_facts(installed / FILE)
    assert (facts.rank, facts.context_tokens, facts.strategies) == (RANK, LIMIT, NAMES)
    assert 0 < facts.mean.weight <= 1
    assert facts.licence == "CC BY-NC 4.0"


def test_the_validation_file_is_read_as_the_training_code_reads_it(
    installed: Path, base: Base, trained: Reader, esconv: Path, tuned_reader: Path
) -> None:
    data = load(tuned_reader / "strategies.npz")
    valid = np.flatnonzero(~data.arrays["train"])
    expected = softmax(predict(trained, data, valid)[1])
    language = load_language_reader(installed / FILE, read_reader_facts(installed / FILE), base.load())
    turns = _supporter_turns(esconv)
    found = np.concatenate([language.outputs([turns[row][1]], turns[row][0]) for row in valid])
    assert np.abs(softmax(found) - expected).max() < 1e-3
    assert any(not turns[row][0] for row in valid)
    cut = pack_strategies(esconv, base.load().tokenizer, 10_000).lengths[valid] > data.lengths[valid]
    assert cut.any()
    assert not cut.all()


def _supporter_turns(esconv: Path) -> list[tuple[list[ChatMessage], str]]:
    """As they lie in the files, blanks around them included."""
    found: list[tuple[list[ChatMessage], str]] = []
    for name in ("train", "valid"):
        for line in gzip.decompress((esconv / f"{name}.jsonl.gz").read_bytes()).decode().splitlines():
            before: list[ChatMessage] = []
            for turn in json.loads(line)["dialog"]:
                if turn["speaker"] == "sys":
                    found.append((before.copy(), turn["text"]))
                before.append(ChatMessage("user" if turn["speaker"] == "usr" else "assistant", turn["text"]))
    assert [text.strip() for _, text in found] == [row.text for row in esconv_rows(esconv)[1]]
    return found


@pytest.mark.parametrize(
    "context",
    [
        [],
        [ChatMessage("user", "I am sad.")],
        [ChatMessage("user", "So sad." * 60)],
        [ChatMessage("assistant", "Hi."), ChatMessage("user", "No." * 12), ChatMessage("user", "Yes." * 12)],
    ],
)
def test_several_replies_at_once_get_the_mean_of_both(
    reader: MeanReader, installed: Path, base: Base, trained: Reader, context: list[ChatMessage]
) -> None:
    replies = ["Why?", "I am here for you." * 9, "Oh.", ""]
    language = predict(trained, _packed(base, context, replies), np.arange(len(replies)))[1]
    head = load_strategy_reader(FakeTunedEncoder(), installed / HEAD)
    message = context[-1].content if context else ""
    # The head's own temperature is not taken: that of the mean was chosen for what it says before.
    encoded = np.log(head.probabilities(replies, message, 3)) * 2.0
    mean = read_reader_facts(installed / FILE).mean
    expected = softmax(averaged(encoded / mean.encoder, language / mean.reader, mean.weight) / mean.mean)
    found = reader.probabilities(replies, context, 3)
    assert np.abs(found - expected).max() < 1e-3
    assert reader.read(replies, context, 3) == [NAMES[row] for row in expected.argmax(axis=1)]


def _packed(base: Base, context: list[ChatMessage], replies: list[str]) -> ReaderData:
    turns = TurnTokens(base.load().tokenizer)
    before = turns.context(context, LIMIT)
    ids = [turns.answered(before, "assistant", reply).ids for reply in replies]
    return packed("strategies", [ReadText(one, (len(one) - 1,)) for one in ids], {})


def test_blanks_and_empty_turns_count_as_little_as_in_what_was_learned(reader: MeanReader) -> None:
    bare = [ChatMessage("user", "Sad."), ChatMessage("assistant", "Oh."), ChatMessage("user", "Yes.")]
    context = [ChatMessage(turn.role, f" {turn.content}\n") for turn in bare]
    context.insert(1, ChatMessage("assistant", " "))
    found = reader.probabilities([" Why?\n"], context, 1)
    assert np.abs(found - reader.probabilities(["Why?"], bare, 1)).max() < 1e-6


def test_no_reply_has_no_strategy(reader: MeanReader) -> None:
    assert reader.read([], [], 0) == []


def test_the_language_model_is_loaded_once_and_not_before_a_reply_is_read(
    installed: Path, base: Base
) -> None:
    loads: list[str] = []

    def counted() -> Any:
        loads.append("load")
        return base.load()

    found = load_strategies(FakeTunedEncoder(), installed / FILE, Base(base.name, counted))
    assert not loads
    for _ in range(2):
        found.read(["Why?"], [], 0)
    assert loads == ["load"]


def test_a_head_alone_is_still_taken(installed: Path, base: Base) -> None:
    assert isinstance(load_strategies(FakeTunedEncoder(), installed / HEAD, base), StrategyReader)


def test_a_reader_of_another_language_model_is_refused(installed: Path, base: Base) -> None:
    with pytest.raises(HeadError, match="was learned for"):
        load_strategies(FakeTunedEncoder(), installed / FILE, Base("another", base.load))


def test_a_language_model_of_another_size_is_refused(installed: Path, tiny: Path) -> None:
    checkpoint = load_checkpoint(tiny)
    checkpoint.model.base_model.layers = checkpoint.model.base_model.layers[:1]
    facts = read_reader_facts(installed / FILE)
    with pytest.raises(HeadError, match="has no layer"):
        load_language_reader(installed / FILE, facts, checkpoint)


def test_a_reader_that_reads_otherwise_than_after_tuning_is_not_installed(
    install: Install, tuned_reader: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: Any = safetensors_torch
    weights = files.load_file(tuned_reader / "reader_all.safetensors")
    weights["place_head.bias"][5] += 100
    files.save_file(weights, tmp_path / "other.safetensors", metadata={"rank": str(RANK)})
    assert install(tmp_path / "out", tmp_path / "other.safetensors") == 1
    assert "of 24 turns" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


def test_a_file_without_a_rank_is_not_installed(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: Any = safetensors_torch
    files.save_file({"place_head.bias": torch.zeros(8)}, tmp_path / "other.safetensors")
    assert install(tmp_path / "out", tmp_path / "other.safetensors") == 1
    assert "of what rank" in capsys.readouterr().err


def test_a_reader_that_was_kept_from_other_turns_is_not_installed(
    install: Install, tuned_reader: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with np.load(tuned_reader / "strategies_read.npz") as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(tmp_path / "read.npz", **{**arrays, "rows": arrays["rows"][::-1]})
    reader = tuned_reader / "reader_all.safetensors"
    assert install(tmp_path / "out", reader, "--read", str(tmp_path / "read.npz")) == 1
    assert "of other rows" in capsys.readouterr().err
