"""The evaluation reads labelled files of messages and conversations."""

import json
from pathlib import Path

from evals.crisis_data import read_file
from safety.levels import RiskLevel


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_messages_and_conversations_are_read(tmp_path: Path) -> None:
    file = _write(
        tmp_path / "a.jsonl",
        [
            {"text": "hi", "lang": "en", "label": "high-imminent"},
            {"turns": ["a", "b"], "labels": ["none", "low"], "lang": "zh", "id": "x"},
            {"text": "unknown", "lang": "en"},
        ],
    )
    cases = read_file(file)
    assert [case.labels for case in cases] == [
        (RiskLevel.IMMINENT,),
        (RiskLevel.NONE, RiskLevel.LOW),
        (None,),
    ]
