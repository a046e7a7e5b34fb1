"""Names as text inside Markdown: nothing in them is read as a mark, a link or HTML."""

import string

_MARKS = {mark: f"&#{ord(mark)};" for mark in string.punctuation}
_UNSEEN = "\N{REPLACEMENT CHARACTER}"


def as_text(name: str) -> str:
    """What shows ``name`` where Markdown is rendered; a character that can't be seen shows as a sign."""
    seen = (mark if mark.isprintable() else _UNSEEN for mark in " ".join(name.split()))
    return "".join(_MARKS.get(mark, mark) for mark in seen)
