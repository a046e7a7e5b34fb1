from pathlib import Path
from typing import Any

import pytest

from models.training.rows import made_rows


def numbered(number: int, row: dict[str, Any]) -> tuple[int, str]:
    return number, row["text"]


def test_empty_lines_are_no_rows_and_texts_keep_their_separators(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('\ufeff{"text": "a\u2028b"}\r\n\n{"text": "c"}\n', "utf-8", newline="")
    assert made_rows(file, numbered) == [(1, "a\u2028b"), (3, "c")]


@pytest.mark.parametrize("line", ["{", "[]", "3", "{}"])
def test_a_row_of_which_nothing_can_be_made_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f'{{"text": "a"}}\n{line}\n')
    with pytest.raises(ValueError, match=r"rows\.jsonl, row 2: "):
        made_rows(file, numbered)


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe\n")
    for name, what in (("none.jsonl", "FileNotFoundError"), ("latin.jsonl", "UnicodeDecodeError")):
        with pytest.raises(ValueError, match=rf"{name}: {what}"):
            made_rows(tmp_path / name, numbered)
