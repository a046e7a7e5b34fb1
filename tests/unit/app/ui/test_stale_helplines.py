"""Admins are told of helplines that nobody has checked for a year, and of no others."""

import json
from datetime import date
from pathlib import Path

import pytest

from app.ui.staff_texts import load_staff_texts
from app.ui.stale_helplines import StaleHelplines
from safety.helplines import load_directory

TEXTS = load_staff_texts()
DAY = date(2026, 11, 28)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_entry_that_is_due_is_named_in_the_readers_language(language: str) -> None:
    directory = load_directory()
    due = directory.stale(DAY, language)
    assert "cn-12338" in [line.id for line in due]
    told = StaleHelplines(directory, TEXTS, lambda: DAY).told(language)
    assert told is not None
    assert told.text == TEXTS[language[:2]]("helplines.stale", n=len(due))
    assert told.items == tuple(f"{line.name} ({line.id})" for line in due)


def test_the_line_itself_holds_a_count_and_no_ids() -> None:
    told = StaleHelplines(load_directory(), TEXTS, lambda: DAY).told("en")
    assert told is not None
    assert not [line.id for line in load_directory().stale(DAY) if line.id in told.text]


def test_nothing_is_said_while_all_entries_are_checked(tmp_path: Path) -> None:
    due = [line.id for line in load_directory().stale(DAY)]
    file = tmp_path / "lines.json"
    file.write_text(json.dumps({"schema_version": 1, "remove": due}), "utf-8")
    assert StaleHelplines(load_directory(file), TEXTS, lambda: DAY).told("en") is None
