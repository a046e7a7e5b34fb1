"""Read what stands between the marks of web pages and forums: tags, entities, escapes and quoted signs."""

import html
import re
from collections.abc import Callable, Iterator
from re import Match
from urllib.parse import unquote

_TAGS = (
    "a|abbr|b|big|blockquote|body|br|center|cite|code|del|div|em|font|h[1-6]|hr|html|i|img|ins|kbd|li|mark|ol|p"
    "|pre|q|s|small|span|spoiler|strike|strong|sub|sup|table|td|tr|tt|u|ul|wbr"
)
_BREAKS = re.compile(r"</?(?:blockquote|br|center|div|h[1-6]|hr|li|ol|p|pre|table|td|tr|ul)\b", re.IGNORECASE)
_MARK = re.compile(
    r"(?P<comment><!--.{0,200}?-->)"
    rf"|(?P<tag></?(?:{_TAGS})(?:\s[^<>]{{0,200}})?/?>)"
    r"|(?P<forum>\[/?(?:b|i|u|s|color|colour|size|spoiler|quote|font|code)(?:=[^\[\]\n]{1,30})?\])"
    r"|(?P<entity>&(?:amp;){0,3}(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,10}\d{0,2});)"
    r"|(?P<percent>(?<!\d)(?:%[0-9a-f]{2}){1,600})"
    r"|(?P<escape>(?:\\u[0-9a-f]{4}){1,600})",
    re.IGNORECASE | re.DOTALL,
)
_SIGNS = frozenset("<[&%\\")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})", re.IGNORECASE)


def marks(text: str) -> Iterator[tuple[int, int, str]]:
    r"""Stretches of ``text`` that are marks of a page or a forum and no words.

    Yields:
        Start and end of each in ``text``, and what is read there: nothing, a blank, or the quoted sign.

    Example:
        >>> list(marks("ki<b>ll</b>&nbsp;"))
        [(2, 5, ''), (7, 11, ''), (11, 17, '\xa0')]
    """
    if _SIGNS.isdisjoint(text):
        return
    for found in _MARK.finditer(text):
        said = _READ[found.lastgroup or ""](found)
        if said is not None:
            yield found.start(), found.end(), said


def _tag(found: Match[str]) -> str:
    return "\n" if _BREAKS.match(found[0]) else ""


def _entity(found: Match[str]) -> str | None:
    said = found[0]
    while (plain := html.unescape(said)) != said:
        said = plain
    return None if said == found[0] else said


def _percent(found: Match[str]) -> str | None:
    try:
        return unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return None


def _escape(found: Match[str]) -> str:
    return _ESCAPE.sub(lambda one: chr(int(one[1], 16)), found[0])


def _nothing(found: Match[str]) -> str:
    del found
    return ""


_READ: dict[str, Callable[[Match[str]], str | None]] = {
    "comment": _nothing,
    "tag": _tag,
    "forum": _nothing,
    "entity": _entity,
    "percent": _percent,
    "escape": _escape,
}
