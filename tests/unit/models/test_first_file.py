"""What the file of a reader of first sentences must hold, and what the shipped one says."""

from pathlib import Path
from typing import Any

import pytest

from models.answers import VERDICTS
from models.first_file import read_firsts_facts
from models.head_file import HeadError
from models.reader_file import BIAS, FIRST, OUTPUT, SECOND
from models.weights import EMBEDDED_NAME
from tests.fakes.reader_file import LAYER, write_reader_file

FACTS: dict[str, Any] = {
    "head": "firsts-reader",
    "base": EMBEDDED_NAME,
    "rank": 2,
    "context_tokens": 256,
    "names": list(VERDICTS),
    "data": "sentences",
    "licence": "Apache-2.0",
    "kept_apart": {"rows": 3},
}
SHAPES = {LAYER + FIRST: (2, 8), LAYER + SECOND: (6, 2), OUTPUT: (3, 8), BIAS: (3,)}


def test_the_shipped_reader_is_for_the_embedded_model_and_small() -> None:
    facts = read_firsts_facts()
    assert (facts.base, facts.names) == (EMBEDDED_NAME, VERDICTS)
    choice = facts.kept_apart["choice"]["fits"]
    assert choice["chance"] < choice["chosen"] < choice["best"]


def test_facts_are_read(tmp_path: Path) -> None:
    assert read_firsts_facts(write_reader_file(tmp_path, FACTS, SHAPES)).rank == 2


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"head": "strategies-reader"}, "wrong or missing: head$"),
        ({"rank": 0}, "wrong or missing: rank$"),
        ({"base": None}, "wrong or missing: base$"),
        ({"names": ["bad", "so-so", "good"]}, "other verdicts"),
        ({"rank": 3}, "not of rank 3"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(HeadError, match=wrong):
        read_firsts_facts(write_reader_file(tmp_path, FACTS | changes, SHAPES))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HeadError, match="cannot read"):
        read_firsts_facts(tmp_path / "reader.safetensors")
