"""Whatever a browser sends, it is taken for a claim."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.browser_data import fields_of, locale_of, message_text, rating_of, short, timezone_of
from app.ui.texts import LOCALES

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FIELDS = st.dictionaries(
    st.sampled_from(["text", "locale", "timezone", "value", "reasons", "comment", "message"]), ANYTHING
)


@given(ANYTHING)
def test_anything_has_fields_or_none(data: object) -> None:
    assert hasattr(fields_of(data), "get")


@given(FIELDS)
def test_fields_of_any_type_are_read_without_an_error(fields: dict[str, object]) -> None:
    value, reasons, comment = rating_of(fields)

    assert value in (1, -1, None)
    assert all(isinstance(reason, str) for reason in reasons)
    assert comment is None or isinstance(comment, str)
    assert isinstance(message_text(fields), str)
    assert locale_of(fields) in LOCALES
    assert timezone_of(fields) is None or isinstance(timezone_of(fields), str)


def test_an_overlong_id_is_none() -> None:
    assert short({"message": "x" * 65}, "message") is None


def test_true_is_no_rating() -> None:
    assert rating_of({"value": True})[0] is None


def test_an_overlong_comment_is_cut() -> None:
    assert len(rating_of({"value": -1, "comment": "x" * 9000})[2] or "") == 2000
