"""Pairs of a sentence that was chosen for a message and one that was not."""

import json
from pathlib import Path

import pytest

from models.sentences import split_sentences
from models.training.closer_pairs import closer_rows, main
from models.training.closer_replies import read_closer
from models.training.echoed_file import read_echoed
from models.training.preference_rows import read_pairs

CLOSER = read_closer()
FITS = {
    f"echoed:{talk.place}": {CLOSER[parts.kind][name] for name in parts.fits}
    for talk in read_echoed()
    for parts in talk.parts[:1]
    if parts.fits
}
ROWS = closer_rows(0, most=1)


def test_replies_differ_by_one_sentence_that_was_chosen_for_the_preferred_one_only() -> None:
    assert len(ROWS) > 2_000
    for row in ROWS[:400]:
        chosen, rejected = (row[side][0]["content"] for side in ("chosen", "rejected"))
        mine, other = ({*split_sentences(text)} for text in (chosen, rejected))
        assert len(mine - other) <= 1
        assert all(sentence in FITS[row["session_id"]] for sentence in mine - other)
        assert not {*(other - mine)} & FITS[row["session_id"]]
        assert chosen != rejected


def test_a_question_stands_against_a_question() -> None:
    for row in ROWS[:400]:
        ends = [row[side][0]["content"][-1] for side in ("chosen", "rejected")]
        assert ends[0] == ends[1]


def test_rows_are_those_that_preference_tuning_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "in" / "dpo.jsonl"
    main(["--output", str(file), "--most", "1"])
    assert [json.loads(line) for line in file.read_text("utf-8").split("\n") if line] == ROWS
    assert len(read_pairs(file)) == len(ROWS)
    assert f"{len(ROWS)} pairs" in capsys.readouterr().out
