"""The name of a conversation as it is kept, from what a person typed."""

import re
import unicodedata

from app.chat.limits import normalise_text

MAX_NAME_CHARS = 60
"""Longest name of a conversation: what the list shows on one or two lines."""

_TURNS_TEXT = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX 9): they show a line in
another order than it was written in. The marks stay, as Arabic and Hebrew keyboards have them."""
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
"""They count as letters or symbols, and nothing is seen of them."""


def kept_name(typed: str) -> str | None:
    """One line of at most ``MAX_NAME_CHARS`` characters; ``None`` when nothing of it would be seen."""
    line = " ".join(_TURNS_TEXT.sub("", normalise_text(typed)).split())[:MAX_NAME_CHARS]
    return line if any(map(_is_seen, line)) else None


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ" and character not in _BLANK_LETTERS
