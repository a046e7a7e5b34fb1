"""HTML that no text can break out of."""

from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.markup import Markup, join, reply_paragraphs, tag, text

HOSTILE = st.text(alphabet=st.sampled_from("<>&\"'`=/ \n*ab!-")) | st.text()
ALLOWED_IN_REPLIES = {"p", "br", "strong", "em"}


class Elements(HTMLParser):
    """Collects the elements, attributes and text of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes.extend(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def _parsed(html: str) -> Elements:
    elements = Elements()
    elements.feed(html)
    elements.close()
    return elements


@given(HOSTILE)
def test_text_becomes_no_element(value: str) -> None:
    assert _parsed(text(value)).names == []


@given(HOSTILE)
def test_text_is_readable_as_written(value: str) -> None:
    assert unescape(text(value)) == value


@given(HOSTILE)
def test_an_attribute_stays_one_attribute(value: str) -> None:
    parsed = _parsed(tag("a", "x", attributes={"title": value}))

    assert [name for name, _ in parsed.attributes] == ["title"]


@given(HOSTILE)
def test_a_reply_has_only_paragraphs_and_emphasis(value: str) -> None:
    parsed = _parsed(reply_paragraphs(value))

    assert set(parsed.names) <= ALLOWED_IN_REPLIES
    assert parsed.attributes == []


def test_markup_is_not_escaped_twice() -> None:
    assert join((Markup("<b>x</b>"), "<", None)) == "<b>x</b>&lt;"


def test_blank_lines_part_paragraphs_and_line_ends_stay() -> None:
    assert reply_paragraphs("one\ntwo\n\n\nthree") == "<p>one<br>two</p><p>three</p>"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**really** so", "<p><strong>really</strong> so</p>"),
        ("*softly*", "<p><em>softly</em></p>"),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("a*b*c", "<p>a*b*c</p>"),
        ("**", "<p>**</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
    ],
)
def test_emphasis_is_the_only_formatting(written: str, shown: str) -> None:
    assert reply_paragraphs(written) == shown


def test_attributes_that_are_off_are_left_out() -> None:
    assert tag("input", attributes={"checked": True, "disabled": False, "name": None, "max": 3}) == (
        '<input checked max="3"></input>'
    )
