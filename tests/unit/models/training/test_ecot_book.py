"""The phrase books of the small Chinese model: what is refused, and where."""

import shutil
from pathlib import Path

import pytest

from models.training.ecot_book import FOLDER, BookError, read_book


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "book"))


def add(folder: Path, line: str, name: str = "topics.txt") -> int:
    """Append a line; returns its number."""
    file = folder / name
    rows = [*file.read_text("utf-8").splitlines(), line]
    file.write_text("\n".join(rows) + "\n", "utf-8")
    return len(rows)


def test_the_books_that_are_kept_have_three_parts_of_a_thought_for_every_topic() -> None:
    book = read_book()
    assert len(book.topics) == 20
    assert sum(len(lines[key]) for lines in book.topics.values() for key in ("open", "more", "test")) == 180
    assert sorted(book.risk) == [1, 2, 3]
    assert all(lines["scene"] and lines["motive"] for lines in book.topics.values())


def test_messages_that_are_kept_apart_are_in_no_text_for_training() -> None:
    book = read_book()
    apart = {text for lines in (*book.topics.values(), *book.risk.values()) for text in lines["test"]}
    apart |= {text for lines in book.unseen.values() for texts in lines.values() for text in texts}
    assert len(apart) > 40
    assert apart.isdisjoint(book.texts)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("open 没有冒号", "a colon and a text"),
        ("opne: 写错的键", "expected one of"),
        ("open: ", "0 characters"),
        ("open: " + "长" * 121, "121 characters"),
        ("open: <answer>有标签", "a tag"),
        ("open: 我昨天被公司裁员了", "the same text as in line"),
        ("== 失业", "twice"),
    ],
)
def test_a_bad_line_is_refused_with_file_and_number(folder: Path, line: str, problem: str) -> None:
    number = add(folder, line)
    with pytest.raises(BookError, match=rf"topics\.txt, line {number}: .*{problem}"):
        read_book(folder)


def test_a_topic_without_a_needed_part_is_named(folder: Path) -> None:
    add(folder, "== 新话题\nopen: 只有一句")
    with pytest.raises(BookError, match="新话题 has no test, scene, motive, reflect, ask"):
        read_book(folder)


def test_a_feeling_without_its_three_forms_is_refused(folder: Path) -> None:
    file = folder / "shared.txt"
    file.write_text(file.read_text("utf-8").replace("我好累 | 此刻非常疲惫 |", "我好累 |"), "utf-8")
    with pytest.raises(BookError, match=r"said \| seen \| named"):
        read_book(folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "risk.txt").unlink()
    with pytest.raises(BookError, match=r"risk\.txt"):
        read_book(folder)
