"""First sentences that a reader finds best."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.message_kind import ADDRESSED
from models.training.best_firsts import LEAST_WORTH, best, main, messages, read_firsts
from models.training.closer_replies import light_talks
from models.training.draw_replies import read_scripts


def _row(said: str, **worths: float) -> dict[str, Any]:
    replies = [{"text": name, "first": name, "worth": worth} for name, worth in worths.items()]
    return {"source": "x", "turns": [["user", "before"], ["user", said]], "replies": replies}


def test_the_worthiest_is_taken_if_it_is_worth_enough() -> None:
    rows = [_row("a", bad=-0.9, good=0.8, fair=0.5), _row("b", poor=LEAST_WORTH - 0.01), _row("c")]
    assert best(rows) == {"a": "good"}
    assert best(rows, least=0.0) == {"a": "good", "b": "poor"}


def test_what_is_chosen_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scored, output = tmp_path / "scored.jsonl", tmp_path / "out" / "best.jsonl"
    scored.write_text(json.dumps(_row("a", good=0.8)) + "\n", "utf-8")
    main(["choose", str(scored), "--output", str(output)])
    assert read_firsts(output) == {"a": "good"}
    assert capsys.readouterr().out.startswith("1 rows in ")


def test_bad_rows_are_told_with_their_number(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"text": "a"}) + "\n", "utf-8")
    with pytest.raises(ValueError, match="row 1"):
        read_firsts(file)
    with pytest.raises(SystemExit, match="best_firsts"):
        main(["choose", str(file), "--output", str(tmp_path / "best.jsonl")])


def test_messages_are_those_that_are_learned_with_their_writers_codes(tmp_path: Path) -> None:
    output = tmp_path / "messages.jsonl"
    main(["messages", "--output", str(output)])
    scripts = read_scripts(output)
    assert len(scripts) == len(messages(7)) > 4_000
    assert all(one.codes[0].startswith(f"Kind of message: {one.source}.") for one in scripts)
    learned = {talk.parts[0].said for talk in light_talks(7) if talk.parts[0].kind not in ADDRESSED}
    assert {one.said[0] for one in scripts} <= learned
