"""Messages and the list of conversations."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from app.chat.session import Shown
from app.db.records import Session
from app.ui.texts import load_texts
from app.ui.turn_markup import conversation_list, message_item, notice_item, reply_so_far
from safety.levels import SessionRisk

TEXTS = load_texts()["en"]
NOW = dt.datetime(2026, 11, 27, 21, 5, tzinfo=dt.UTC)


def _shown(role: str = "assistant", text: str = "hello", status: str = "complete", **more: object) -> Shown:
    values = {"error": None, "rating": None, "reasons": (), "comment": None} | more
    return Shown("m-1", role, text, status, **values)  # type: ignore[arg-type]


def _session(title: str | None) -> Session:
    return Session("s-1", "p-1", "en", "model", title, NOW, NOW, 2, None, SessionRisk())


def test_a_reply_has_two_named_thumbs() -> None:
    html = message_item(_shown(), TEXTS).html

    assert 'aria-label="Helpful"' in html
    assert 'aria-label="Not helpful"' in html


def test_the_thumb_of_the_own_rating_is_pressed() -> None:
    html = message_item(_shown(rating=-1), TEXTS).html

    assert 'data-rate="-1" aria-pressed="true"' in html
    assert 'data-rate="1" aria-pressed="false"' in html


def test_a_reply_in_the_making_has_no_controls() -> None:
    assert "<button" not in reply_so_far("~reply", "so far", TEXTS).html


def test_an_unanswered_message_can_be_tried_again() -> None:
    html = message_item(_shown("user", status="failed", error="busy"), TEXTS).html

    assert 'data-action="retry"' in html
    assert "Many people are writing right now" in html


def test_an_answered_message_offers_no_second_try() -> None:
    assert 'data-action="retry"' not in message_item(_shown("user", status="answered"), TEXTS).html


def test_an_error_that_has_no_words_is_not_shown_as_code() -> None:
    html = message_item(_shown("user", status="failed", error="E_WEIRD"), TEXTS).html

    assert "E_WEIRD" not in html


@given(st.text())
def test_a_message_is_shown_exactly_as_written(text: str) -> None:
    html = message_item(_shown("user", text), TEXTS).html

    assert "<script" not in html
    assert html.count("<article") == 1


def test_a_title_is_text() -> None:
    html = conversation_list([_session("<b>x</b>")], None, TEXTS)

    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_the_open_conversation_is_marked() -> None:
    assert 'aria-current="true"' in conversation_list([_session("x")], "s-1", TEXTS)


def test_a_conversation_without_a_name_goes_by_when_it_began() -> None:
    html = conversation_list([_session(None)], None, TEXTS)

    assert 'data-begun="2026-11-27T21:05:00+00:00">Conversation<' in html


def test_a_name_stands_where_the_beginning_stood() -> None:
    assert " data-named" in conversation_list([_session("x")], None, TEXTS)
    assert " data-named" not in conversation_list([_session(None)], None, TEXTS)


def test_no_conversations_are_explained() -> None:
    assert "Nothing here yet" in conversation_list([], None, TEXTS)


def test_a_notice_is_text() -> None:
    assert "&lt;i&gt;" in notice_item("n", "<i>").html
