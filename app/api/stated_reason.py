"""What counts as a reason that somebody states: letters that can be read, not blanks or invisible marks."""

import unicodedata


def readable(text: str) -> str:
    """The text without invisible characters and with single blanks."""
    seen = "".join(" " if unicodedata.category(one)[0] in "CZ" else one for one in text)
    return " ".join(seen.split())
