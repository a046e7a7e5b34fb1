"""The evaluation reads labelled files of messages and conversations."""

import gzip
import json
from pathlib import Path

from evals.crisis_data import read_file, talk_cases
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


def test_whole_conversations_of_people_who_seek_support_are_read(tmp_path: Path) -> None:
    (tmp_path / "esconv").mkdir()
    dialog = [
        {"text": "Hello", "speaker": "usr"},
        {"text": "Hi there", "speaker": "sys"},
        {"text": " ", "speaker": "usr"},
        {"text": "I lost my job", "speaker": "usr"},
    ]
    with gzip.open(tmp_path / "esconv/valid.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"dialog": dialog}) + "\n")
    cases = talk_cases(tmp_path)
    assert [(case.source, case.lang, case.turns) for case in cases] == [
        ("esconv_talks", "en", ("Hello", "I lost my job"))
    ]
    assert cases[0].labels == (None, None)
