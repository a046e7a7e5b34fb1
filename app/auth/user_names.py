"""Which user names a new account may have: such that everybody sees the name that is there."""

import unicodedata

LONGEST = 64
"""Characters."""

# Letters and marks that Unicode counts as visible and that nobody sees.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_MARKS_OF_HTML = frozenset("<>")


def fault(name: str) -> str | None:
    """What is wrong with a name: ``empty_name``, ``long_name``, ``odd_name``, or nothing.

    Odd is what can't be seen or turns the direction of writing, by which one name can look like another, and
    what a page could take for HTML.
    """
    if not name.strip():
        return "empty_name"
    if len(name) > LONGEST:
        return "long_name"
    return "odd_name" if any(_is_odd(mark) for mark in name.strip()) else None


def _is_odd(mark: str) -> bool:
    if not mark.isprintable() or mark in _BLANK or mark in _MARKS_OF_HTML:
        return True
    return unicodedata.name(mark, "").startswith("VARIATION SELECTOR")
