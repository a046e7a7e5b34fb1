"""Danger that is told in pieces: short messages in a row, read as one.

"took something", "a whole bottle", "paracetamol": each alone says little, and a classifier that learned from
sentences guesses at it. Read as one they say what they mean, and what is everyday about them as well.
"""

import re
from collections.abc import Sequence

MOST_PIECES = 4
"""Messages before this one that are read with it."""
_MOST_CHARACTERS = 14
_MOST_WORDS = 10
_CHINESE = re.compile("[\u3400-\u9fff]")


def is_piece(text: str) -> bool:
    """Whether a message is so short that it may be a part of what is told."""
    chinese = len(_CHINESE.findall(text))
    return chinese <= _MOST_CHARACTERS if chinese else len(text.split()) <= _MOST_WORDS


def run_before(lately: Sequence[str], text: str) -> str:
    """The short messages right before a short one, as one text; empty where there are none.

    Args:
        lately: What the person wrote before ``text``, oldest first.
        text: The message.
    """
    run: list[str] = []
    if is_piece(text):
        for earlier in reversed(lately[-MOST_PIECES:]):
            if not is_piece(earlier):
                break
            run.append(earlier.strip())
    return _as_one(run[::-1])


def with_run(before: str, text: str) -> str:
    """The run and the message after it, as one text."""
    return _as_one([before, text])


def _as_one(pieces: Sequence[str]) -> str:
    """Chinese pieces follow each other without a space, as their words do."""
    text = ""
    for piece in pieces:
        close = text and _CHINESE.match(text[-1]) and _CHINESE.match(piece[:1])
        text += piece if close or not text else f" {piece}"
    return text
