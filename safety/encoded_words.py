"""Read what somebody wrote in base64, so that no layer is blind to it."""

import base64
import binascii
import re
from collections.abc import Iterator

_SIGNS = r"A-Za-z0-9+/_\-"
_RUN = re.compile(rf"(?<![{_SIGNS}=])[{_SIGNS}]{{16,8000}}={{0,2}}(?![{_SIGNS}=])")
"""Shorter runs say less than ten letters, and many words look like them."""
_MOSTLY = 0.9
"""Share of a decoded text that is letters and spaces; other bytes decode to signs of all kinds."""


def encoded_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of ``text`` that are base64 of readable text.

    Yields:
        Start and end of each in ``text``, and what it says.
    """
    for run in _RUN.finditer(text):
        plain = _decoded(run[0])
        if plain is not None:
            yield run.start(), run.end(), plain


def _decoded(run: str) -> str | None:
    bare = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        plain = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    readable = sum(char.isalpha() or char.isspace() for char in plain)
    return plain if readable >= _MOSTLY * len(plain) else None
