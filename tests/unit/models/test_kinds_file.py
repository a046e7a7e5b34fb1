"""What the file of a reader of kinds of messages must hold, and what the shipped one says."""

from pathlib import Path
from typing import Any

import pytest

from models.encoder import KINDS_ENCODER
from models.head_file import HeadError, read_head
from models.kinds_file import KINDS_FILE, read_kinds_facts
from models.message_kind import FOLDER, KINDS
from models.reader_file import BIAS, FIRST, OUTPUT, SECOND
from models.weights import EMBEDDED_NAME
from tests.fakes.reader_file import LAYER, write_reader_file

FACTS: dict[str, Any] = {
    "head": "kinds-reader",
    "base": EMBEDDED_NAME,
    "rank": 2,
    "context_tokens": 256,
    "names": list(KINDS),
    "data": "messages",
    "licence": "Apache-2.0",
    "kept_apart": {"rows": 3},
    "marks": ["sad", "happy"],
    "temperature": 1.2,
}
SHAPES = {LAYER + FIRST: (2, 8), LAYER + SECOND: (6, 2), OUTPUT: (28, 8), BIAS: (28,)}


def test_the_shipped_reader_is_for_the_embedded_model_and_small() -> None:
    facts = read_kinds_facts()
    assert (facts.base, facts.names) == (EMBEDDED_NAME, KINDS)
    assert facts.kept_apart["accuracy"] > 0.6
    assert KINDS_FILE.stat().st_size < 20e6


def test_the_head_beside_it_has_the_same_feelings() -> None:
    head = read_head(FOLDER / "head.safetensors", KINDS_ENCODER)
    assert tuple(head.facts["marks"]) == read_kinds_facts().marks


def test_facts_are_read(tmp_path: Path) -> None:
    assert read_kinds_facts(write_reader_file(tmp_path, FACTS, SHAPES)).rank == 2


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"head": "strategies-reader"}, "wrong or missing: head$"),
        ({"rank": 0}, "wrong or missing: rank$"),
        ({"base": None}, "wrong or missing: base$"),
        ({"names": ["bad", "good"]}, "other kinds"),
        ({"temperature": 0}, "wrong or missing: temperature$"),
        ({"marks": ["sad"]}, "not of rank 2 with 27"),
        ({"rank": 3}, "not of rank 3"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(HeadError, match=wrong):
        read_kinds_facts(write_reader_file(tmp_path, FACTS | changes, SHAPES))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HeadError, match="cannot read"):
        read_kinds_facts(tmp_path / "reader.safetensors")
