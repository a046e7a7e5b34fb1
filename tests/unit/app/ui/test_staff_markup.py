"""What staff read is escaped, and tells the age and state of things."""

from datetime import UTC, datetime, timedelta

import pytest

from app.db.records import Message, MessageRole, MessageStatus
from app.ui.review_desk import Note
from app.ui.staff_markup import age, context_markup, notes_markup, reply_markup
from app.ui.staff_texts import load_staff_texts

TEXTS = load_staff_texts()["en"]
WHEN = datetime(2026, 3, 1, 12, 5, tzinfo=UTC)
SCRIPT = "<script>alert(1)</script>"


def message(text: str) -> Message:
    return Message(
        id="1",
        session_id="2",
        seq=1,
        role=MessageRole.USER,
        text=text,
        status=MessageStatus.ANSWERED,
        error=None,
        source=None,
        model=None,
        created_at=WHEN,
        reply_to=None,
        superseded_at=None,
    )


@pytest.mark.parametrize(
    "markup",
    [
        context_markup([message(SCRIPT)], TEXTS),
        reply_markup(message(SCRIPT)),
        notes_markup([Note(SCRIPT, SCRIPT, WHEN)], TEXTS),
    ],
    ids=["conversation", "reply", "note"],
)
def test_what_people_wrote_is_escaped(markup: str) -> None:
    assert "<script" not in markup
    assert "&lt;script&gt;" in markup


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-5), "0 min"),
        (timedelta(minutes=119), "119 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(hours=47), "47 h"),
        (timedelta(days=2), "2 days"),
    ],
)
def test_an_age_is_told_in_its_largest_whole_unit(passed: timedelta, words: str) -> None:
    assert age(passed, TEXTS) == words


def test_a_note_of_an_account_that_is_gone_keeps_its_text() -> None:
    assert "former staff" in notes_markup([Note(None, "seen", WHEN)], TEXTS)


def test_lines_of_a_message_stay_apart() -> None:
    assert "<div>one</div><div>two</div>" in reply_markup(message("one\n\ntwo"))
