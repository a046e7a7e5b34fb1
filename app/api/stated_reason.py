"""What counts as a reason that somebody states: words that can be read, not blanks or a key held down."""

import re
import unicodedata

MIN_WORDS = 3
"""Different words of a reason for an export."""
_WORD = re.compile(r"[^\W_]{2,}")
_SIGNS_A_WORD = 2
"""Chinese and other scripts without blanks between words: about so many signs make one."""


def readable(text: str) -> str:
    """The text without invisible characters and with single blanks."""
    seen = "".join(" " if unicodedata.category(one)[0] in "CZ" else one for one in text)
    return " ".join(seen.split())


def tells_why(text: str, least: int) -> bool:
    """Whether a text says something: so many readable characters, in three different words or more.

    Args:
        text: As it was typed.
        least: Readable characters.
    """
    told = readable(text)
    return len(told) >= least and _different_words(told.casefold()) >= MIN_WORDS


def _different_words(text: str) -> int:
    signs = {one for one in text if unicodedata.category(one) == "Lo"}
    words = set(_WORD.findall("".join(" " if one in signs else one for one in text)))
    return len(words) + len(signs) // _SIGNS_A_WORD
