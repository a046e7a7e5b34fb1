"""What a reader's file must hold, told without PyTorch."""

from pathlib import Path
from typing import Any

import pytest

from models.head_file import HeadError
from models.reader_file import BIAS, FILE, FIRST, OUTPUT, SECOND, read_reader_facts
from tests.fakes.reader_file import FACTS, LAYER, SHAPES, write_reader_file


def test_facts_are_read(tmp_path: Path) -> None:
    facts = read_reader_facts(write_reader_file(tmp_path))
    assert (facts.rank, facts.context_tokens, facts.mean.weight) == (2, 256, 0.8)
    assert facts.strategies == ("Question", "Others")


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"head": "strategies"}, "head"),
        ({"rank": 0}, "rank"),
        ({"context_tokens": None}, "context_tokens"),
        ({"strategies": ["Question"]}, "strategies"),
        ({"mean": {"encoder": 1.0, "reader": 1.0, "weight": 1.0}}, "mean.mean"),
        ({"mean": {"encoder": 0.0, "reader": 1.0, "weight": 1.0, "mean": 1.0}}, "mean"),
        ({"mean": {"encoder": 1.0, "reader": 1.0, "weight": float("nan"), "mean": 1.0}}, "mean"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(HeadError, match=f"wrong or missing: {wrong}$"):
        read_reader_facts(write_reader_file(tmp_path, FACTS | changes))


@pytest.mark.parametrize(
    "shapes",
    [
        {OUTPUT: (2, 8), BIAS: (2,)},
        {name: shape for name, shape in SHAPES.items() if not name.endswith(SECOND)},
        {name: shape for name, shape in SHAPES.items() if name != BIAS},
        SHAPES | {"text_head.bias": (3,)},
    ],
)
def test_missing_or_other_weights_are_refused(tmp_path: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(HeadError, match="and nothing else"):
        read_reader_facts(write_reader_file(tmp_path, shapes=shapes))


@pytest.mark.parametrize("other", [{LAYER + FIRST: (3, 8)}, {LAYER + SECOND: (6, 3)}, {OUTPUT: (3, 8)}])
def test_weights_of_another_rank_or_other_strategies_are_refused(
    tmp_path: Path, other: dict[str, tuple[int, ...]]
) -> None:
    with pytest.raises(HeadError, match="not of rank 2 with 2 strategies"):
        read_reader_facts(write_reader_file(tmp_path, shapes=SHAPES | other))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no weights")
    with pytest.raises(HeadError, match="cannot read"):
        read_reader_facts(tmp_path / FILE)
    with pytest.raises(HeadError, match="says nothing"):
        read_reader_facts(write_reader_file(tmp_path, []))
