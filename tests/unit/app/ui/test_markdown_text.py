from html import unescape

import pytest

from app.ui.markdown_text import as_text


@pytest.mark.parametrize(
    "name",
    ["<b>x</b>", "**x**", "[a](http://b.example)", "# x", "- x", "www.b.example", "$x$", "&lt;", "`x`"],
)
def test_a_name_holds_no_mark_and_reads_as_it_is(name: str) -> None:
    written = as_text(name)
    assert unescape(written) == name
    assert not set("<>*[]()_`$.-") & set(written)


def test_plain_names_stay_as_they_are() -> None:
    assert as_text("王小明 ben") == "王小明 ben"


def test_characters_that_can_not_be_seen_are_shown() -> None:
    assert as_text("a\u202eb\nc") == "a\ufffdb c"
