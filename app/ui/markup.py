"""HTML that is safe by construction: every value is escaped unless it is markup already."""

import re
from collections.abc import Iterable, Mapping
from html import escape


class Markup(str):
    """A string that is HTML already; only this module's functions and literals make one."""

    __slots__ = ()


AttributeValue = str | bool | int | None

_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
# A pair of marks tightly around text on one line; the text itself holds no such mark.
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")


def text(value: object) -> Markup:
    """``value`` as text: nothing in it can become a tag or an attribute."""
    return value if isinstance(value, Markup) else Markup(escape(str(value), quote=True))


def join(parts: Iterable[str | None]) -> Markup:
    """The parts one after another, plain strings escaped, ``None`` left out."""
    return Markup("".join(text(part) for part in parts if part is not None))


def tag(name: str, *children: str | None, attributes: Mapping[str, AttributeValue] | None = None) -> Markup:
    """One element.

    Args:
        name: Name of the element, a literal of the caller.
        children: Markup, or text that is escaped; ``None`` is left out.
        attributes: Names to values; ``True`` writes the bare name, ``False`` and ``None`` leave it out.
    """
    written = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value), quote=True)}"'
        for key, value in (attributes or {}).items()
        if value is not None and value is not False
    )
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def reply_paragraphs(value: str) -> Markup:
    """A reply as paragraphs; the only markup honoured are ``**strong**`` and ``*emphasis*``."""
    return join(_paragraph(_emphasised(text(part))) for part in _BLANK_LINES.split(value.strip()) if part)


def icon(name: str) -> Markup:
    """A picture from the page's own set; it says nothing to a screen reader."""
    return Markup(f'<svg class="hk-icon" aria-hidden="true"><use href="#hk-i-{escape(name)}"></use></svg>')


def _paragraph(inner: Markup) -> Markup:
    return Markup(f"<p>{inner.replace(chr(10), '<br>')}</p>")


def _emphasised(escaped: Markup) -> Markup:
    strong = _STRONG.sub(r"<strong>\1</strong>", escaped)
    return Markup(_EMPHASIS.sub(r"<em>\1</em>", strong))
