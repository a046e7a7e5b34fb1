"""Pairs from replies that were read."""

import random
from functools import partial
from pathlib import Path

import pytest

from evals.embedded_model import CONTEXTS, FRESH
from models.training.preference_rows import read_pairs
from models.training.read_pairs import SOURCES, main, pairs_of, rows_of
from models.training.sample_chat import read_contexts

RNG = partial(random.Random, 0)
DATA = Path("evals/data/embedded_replies_read.jsonl")


def _replies(**verdicts: str) -> list[dict[str, str]]:
    return [{"text": text, "verdict": verdict} for text, verdict in verdicts.items()]


def test_a_better_reply_is_preferred_and_those_furthest_apart_come_first() -> None:
    pairs = pairs_of(_replies(a="fits", b="partly", c="misses"), RNG())

    assert pairs[0] == ("a", "c")
    assert set(pairs) == {("a", "c"), ("a", "b"), ("b", "c")}


def test_replies_that_are_alike_make_no_pair() -> None:
    assert pairs_of(_replies(a="partly", b="partly"), RNG()) == []


def test_no_more_pairs_than_asked_for() -> None:
    replies = _replies(**{f"good{i}": "fits" for i in range(4)}, **{f"bad{i}": "misses" for i in range(4)})

    assert len(pairs_of(replies, RNG(), most=5)) == 5


def test_the_recipe_reads_what_is_written(tmp_path: Path) -> None:
    main([str(DATA), "--output", str(tmp_path / "out" / "dpo.jsonl")])

    assert len(read_pairs(tmp_path / "out" / "dpo.jsonl")) > 300


def test_messages_that_something_is_measured_on_are_left_out() -> None:
    measured = {
        _plain(said) for file in (CONTEXTS, *FRESH) for script in read_contexts(file) for said in script
    }

    learned = {_plain(row["prompt"][0]["content"]) for row in rows_of(DATA, SOURCES, 0)}

    assert not measured & learned


def _plain(message: str) -> str:
    return message.lower().rstrip(".!")


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    file.write_text('{"source": "x", "message": "m", "replies": [{"text": "t", "verdict": "good"}]}\n')

    with pytest.raises(ValueError, match="row 1"):
        rows_of(file, ("x",), 0)


def test_nothing_to_learn_from_ends_kindly(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    file.write_text('{"source": "x", "message": "m", "replies": []}\n')

    with pytest.raises(SystemExit, match="no pair"):
        main([str(file), "--sources", "x", "--output", str(tmp_path / "dpo.jsonl")])
