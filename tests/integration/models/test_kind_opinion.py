"""A tiny Llama learns kinds of messages, and reads them on the weights that chat."""

from pathlib import Path

import numpy as np
import pytest

from models.kind_opinion import OpinionReader
from models.kinds_file import KindsFacts, read_kinds_facts
from models.kinds_text import message_ids
from models.low_rank_reader import load_low_rank_reader
from models.message_kind import KINDS
from models.reader_text import TurnTokens
from models.training.base_model import load_base
from models.training.kind_rows import KnownMessage
from models.training.reader_data import load, save
from models.training.reader_install_file import write_reader
from models.training.reader_kinds import pack_kinds
from models.training.reader_pack import load_tokenizer
from models.training.reader_pack import main as pack
from models.training.reader_parts import learned
from models.training.reader_tune import main as tune
from models.training.shipped_kinds import shipped_kinds
from models.weights import Checkpoint
from tests.fakes.tiny_models import write_tiny_llama

SAID = {"grief": "My dog died.", "good": "What a joy!"}
FEELINGS = {"grief": "sad", "good": "happy"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


def _row(kind: str, number: int) -> KnownMessage:
    said = (f"{'Well. ' * (number % 3)}{SAID[kind]}",)
    return KnownMessage(said, kind, (FEELINGS[kind],), number, apart=number % 5 == 0)


@pytest.fixture(scope="module")
def tuned(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tuned")
    rows = [_row(kind, number) for number in range(60) for kind in SAID]
    save(pack_kinds(rows, load_tokenizer(str(tiny))), folder / "kinds.npz")
    shared = [str(folder / "kinds.npz"), "--base", str(tiny), "--output", str(folder), "--device", "cpu"]
    assert tune([*shared, "--epochs", "8", "--rate", "1e-2", "--tokens", "256"]) == 0
    return folder


@pytest.fixture(scope="module")
def reader(tuned: Path, tiny: Path) -> OpinionReader:
    facts = KindsFacts(
        base="tiny", rank=16, context_tokens=64, data="-", licence="-", kept_apart={},
        marks=("sad", "happy"), temperature=1.0,
    )  # fmt: skip
    write_reader(tuned / "reader_all.safetensors", tuned / "reader.safetensors", facts)
    model, tokenizer = load_base(str(tiny))
    checkpoint = Checkpoint("tiny", model.eval(), tokenizer, 2048)
    weights = load_low_rank_reader(tuned / "reader.safetensors", checkpoint, None)
    return OpinionReader(weights, TurnTokens(tokenizer), read_kinds_facts(tuned / "reader.safetensors"))


def test_kinds_and_feelings_are_told(reader: OpinionReader) -> None:
    for kind, said in SAID.items():
        found = reader.read(["Hello.", said])
        assert KINDS[int(found.kinds.argmax())] == kind
        assert found.kinds.sum() == pytest.approx(1.0, abs=1e-4)
        assert ("sad", "happy")[int(found.feelings.argmax())] == FEELINGS[kind]


def test_what_the_file_keeps_apart_is_read_and_not_learned_from(tuned: Path) -> None:
    data = load(tuned / "kinds.npz")
    texts, read = learned(data, "apart")
    assert data.arrays["apart"][read].all()
    assert not data.arrays["apart"][texts].any()
    with np.load(tuned / "strategies_apart.npz") as file:
        assert file["rows"].tolist() == read.tolist()
        assert file["outputs"].shape == (24, len(KINDS) + 2)
    texts, read = learned(data, "all")
    assert (len(texts), len(read)) == (120, 0)


def test_a_message_is_read_behind_the_one_before_it(tiny: Path) -> None:
    tokenizer = load_tokenizer(str(tiny))
    turns = TurnTokens(tokenizer)
    text = tokenizer.decode(message_ids(turns, ["One.", "Two.", "Three."], 100))
    assert text == "<|im_start|>user\nTwo.<|im_end|>\n<|im_start|>user\nThree.<|im_end|>\n"
    assert len(message_ids(turns, ["Long. " * 50], 30)) <= 30


def test_messages_are_packed_by_command(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack(["--task", "kinds", "--base", str(tiny), "--output", str(tmp_path / "kinds.npz")])
    data = load(tmp_path / "kinds.npz")
    assert data.texts == len(data.arrays["label"]) > 20_000
    with pytest.raises(SystemExit):
        pack(["--task", "answers", "--base", str(tiny), "--output", str(tmp_path / "answers.npz")])
    assert "needs --data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (["my grandmother died on sunday"], "Kind of message: grief."),
        (["hello", "we won the county final!!"], "Kind of message: good."),
        (["我失业了"], ""),
    ],
)
def test_the_shipped_readers_write_codes(said: list[str], code: str) -> None:
    assert shipped_kinds().code(said).startswith(code)
    assert bool(shipped_kinds().code(said)) == bool(code)
