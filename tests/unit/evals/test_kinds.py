"""How often the right kind is told, on made-up readings, and that nothing learns from the traffic."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals import kinds
from evals.kinds import figures, main
from models.message_kind import MessageReading
from models.training.kind_file import KindRow
from models.training.kind_rows import kind_rows

TRAFFIC = Path(__file__).parents[3] / "evals" / "data" / "kinds_traffic.jsonl"
TOLD = {"a": "grief", "b": "heavy", "c": "good", "d": "hurt", "e": "small"}


def _read(said: Sequence[str]) -> MessageReading | None:
    kind = TOLD.get(said[-1])
    return None if kind is None else MessageReading(kind)


def _rows(**kinds: str) -> list[KindRow]:
    return [KindRow(f"some:{text}", text, kind, ()) for text, kind in kinds.items()]


def test_right_open_and_crossed_readings_are_counted() -> None:
    found = figures(_rows(a="grief", b="hurt", c="hurt", d="good", e="annoyed", f="low"), _read)
    assert found == {
        "messages": 6, "right": round(1 / 6, 4), "heavy": round(1 / 6, 4), "unsure": round(1 / 6, 4),
        "crossed": round(2 / 6, 4),
        "kinds": {"annoyed": 0.0, "good": 0.0, "grief": 1.0, "hurt": 0.0, "low": 0.0},
    }  # fmt: skip


def test_figures_are_written_with_where_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Reader:
        read = staticmethod(_read)

    monkeypatch.setattr(kinds, "ShippedKinds", Reader)
    file = tmp_path / "some.jsonl"
    file.write_text(json.dumps({"text": "a", "kind": "grief", "feel": []}) + "\n")
    assert main([str(file), "--json", str(tmp_path / "out.json")]) == 0
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert written["right"] == 1.0
    assert written["provenance"]["data"] == "some.jsonl"


def test_a_bad_file_ends_kindly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "some.jsonl").write_text('{"text": "a", "kind": "odd", "feel": []}\n')
    assert main([str(tmp_path / "some.jsonl")]) == 1
    assert "row 1" in capsys.readouterr().err


def test_no_message_of_the_traffic_is_learned_from() -> None:
    learned = {row.said[-1].casefold() for row in kind_rows()}
    said = [json.loads(line)["text"].casefold() for line in TRAFFIC.read_text("utf-8").splitlines()]
    assert not learned & set(said)
    assert len(set(said)) == len(said)
