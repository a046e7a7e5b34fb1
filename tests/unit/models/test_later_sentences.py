"""Sentences that an adapter brings for behind the first one."""

import json
from pathlib import Path

import pytest

from models.later_sentences import FILE, Later, SentenceBook, read_book
from models.message_kind import HEAVY, MessageReading

BOOK = SentenceBook(
    {
        "grief": ["You feel {feel}.", "Love goes on.", "What were they like?", "Who misses them with you?"],
        "fear": ["It makes sense.", "What is ahead?"],
        "small": ["That made me smile."],
    }
)


def _texts(kind: str, feelings: tuple[str, ...] = (), said: tuple[str, ...] = ()) -> list[str]:
    return [one.text for one in BOOK.later(MessageReading(kind, feelings), said)]


def test_those_of_the_kind_may_follow_and_a_question_is_the_last() -> None:
    assert BOOK.later(MessageReading("fear")) == [
        Later("It makes sense.", last=False),
        Later("What is ahead?", last=True),
    ]


def test_feelings_are_filled_in_alone_and_together() -> None:
    assert "You feel sad." in _texts("grief", ("sad", "numb"))
    assert "You feel numb." in _texts("grief", ("sad", "numb"))
    assert "You feel sad and numb." in _texts("grief", ("sad", "numb"))
    assert not any(text.startswith("You feel") for text in _texts("grief"))


def test_something_heavy_may_be_answered_as_any_of_its_kinds() -> None:
    assert {*_texts("fear"), *_texts("grief")} == {*_texts("heavy")}
    assert {"grief", "fear"} < {*HEAVY}


def test_what_was_said_before_is_not_said_again_while_there_is_something_else() -> None:
    said = ("Love goes on. What were they like?",)
    assert _texts("grief", ("sad",), said) == ["You feel sad.", "Who misses them with you?"]
    assert "Love goes on." in _texts("grief", (), said)


def test_a_kind_without_sentences_has_none() -> None:
    assert not _texts("lonely")


def test_an_adapter_without_a_list_has_no_book(tmp_path: Path) -> None:
    assert read_book(None) is None
    assert read_book(tmp_path) is None


@pytest.mark.parametrize(
    "text", ["", "[]", '{"grief": "Love."}', '{"grief": [" "]}', '{"odd": ["Love."]}', "{"]
)
def test_a_list_that_is_not_one_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    assert read_book(tmp_path) is None


def test_a_list_is_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({"fear": ["It makes sense."]}))
    book = read_book(tmp_path)
    assert book is not None
    assert [one.text for one in book.later(MessageReading("fear"))] == ["It makes sense."]
