import json
import math
import uuid
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite

from app.db.types import (
    Identifier,
    StorableString,
    UtcDateTime,
    dump_json,
    new_id,
    storable_json,
    storable_text,
)

ANY_TEXT = st.text(st.characters())  # lone surrogates and NUL too
ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=20,
)
SQLITE, POSTGRES = sqlite.dialect(), postgresql.dialect()


@given(ANY_TEXT)
def test_storable_text_can_be_encoded_and_has_no_nul(text: str) -> None:
    stored = storable_text(text)
    assert b"\x00" not in stored.encode("utf-8")


@given(ANY_TEXT)
def test_storable_text_keeps_its_length(text: str) -> None:
    assert len(storable_text(text)) == len(text)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufdd0")))
def test_text_that_can_be_stored_stays_as_it_is(text: str) -> None:
    assert storable_text(text) == text


@given(ANY_JSON)
def test_storable_json_can_be_written_as_utf8(value: Any) -> None:
    written = dump_json(storable_json(value))
    assert b"\x00" not in written.encode("utf-8")
    assert "\\u0000" not in written


@given(ANY_JSON)
def test_storable_json_is_read_as_it_was_written(value: Any) -> None:
    clean = storable_json(value)
    assert json.loads(dump_json(clean)) == clean


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_know_become_null(value: float) -> None:
    assert storable_json({"score": [value]}) == {"score": [None]}


def test_sets_and_tuples_become_lists() -> None:
    assert storable_json({"tactics": ({"advice"}, ("a", "b"))}) == {"tactics": [["advice"], ["a", "b"]]}


@given(st.uuids())
def test_an_id_is_taken_in_any_usual_form(value: uuid.UUID) -> None:
    for written in (str(value), value.hex, str(value).upper(), value.urn):
        assert Identifier().process_bind_param(written, POSTGRES) == str(value)


@given(ANY_TEXT)
def test_whatever_is_no_id_matches_nothing(text: str) -> None:
    bound = Identifier().process_bind_param(text, POSTGRES)
    assert bound is None or str(uuid.UUID(text)) == bound


def test_new_ids_are_random_uuids() -> None:
    first, second = uuid.UUID(new_id()), uuid.UUID(new_id())
    assert (first.version, second.version) == (4, 4)
    assert first != second


@given(ANY_TEXT)
def test_short_text_is_cut_to_its_column(text: str) -> None:
    assert StorableString(5).process_bind_param(text, POSTGRES) == storable_text(text)[:5]


@given(st.datetimes(timezones=st.timezones()))
def test_a_time_survives_both_databases(moment: datetime) -> None:
    kind = UtcDateTime()
    for dialect in (SQLITE, POSTGRES):
        stored = kind.process_bind_param(moment, dialect)
        back = kind.process_result_value(stored, dialect)
        assert back == moment.astimezone(UTC)
        assert back is not None
        assert back.utcoffset() == timedelta(0)


def test_sqlite_is_given_times_without_a_zone() -> None:
    moment = datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert UtcDateTime().process_bind_param(moment, SQLITE) == datetime(2026, 2, 28, 23)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        UtcDateTime().process_bind_param(datetime(2026, 3, 1), SQLITE)
