"""The list of sentences in an adapter's folder."""

import json
from pathlib import Path

import pytest

from models.later_sentences import FILE, read_book
from models.message_kind import ADDRESSED, KINDS, UNSURE, MessageReading
from models.training.write_sentences import main, sentences
from models.weights import DEFAULT_ADAPTER


def test_the_shipped_list_is_what_the_adapter_was_taught() -> None:
    assert json.loads((DEFAULT_ADAPTER / FILE).read_text("utf-8")) == sentences()


@pytest.mark.parametrize("kind", [*sorted({*KINDS} - {*ADDRESSED}), UNSURE, "heavy"])
def test_every_kind_that_is_said_back_has_something_to_say_and_a_question(kind: str) -> None:
    book = read_book(DEFAULT_ADAPTER)
    assert book is not None
    found = book.later(MessageReading(kind, ("sad",)))
    assert {one.last for one in found} == {True, False}
    assert not any("{" in one.text for one in found)


def test_what_is_said_to_the_listener_is_answered_freely() -> None:
    book = read_book(DEFAULT_ADAPTER)
    assert book is not None
    assert not any(book.later(MessageReading(kind)) for kind in ADDRESSED)


def test_closer_sentences_are_written_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path), "--closer", "small", "good"])
    book = json.loads((tmp_path / FILE).read_text("utf-8"))
    plain = sentences()
    assert {*plain["small"]} < {*book["small"]}
    assert book["grief"] == plain["grief"]
    assert book[UNSURE] == plain[UNSURE]
    assert f"{sum(map(len, book.values()))} sentences" in capsys.readouterr().out
