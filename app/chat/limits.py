"""What a message must be like before it is stored: not empty, not longer than the limit."""

from typing import Literal

Rejection = Literal["empty", "too_long"]
_MORE_READ = 20_000
"""Characters beyond twice the limit that are still read whole; static/js/composer.js sends no more."""


def normalise_text(text: str) -> str:
    """One kind of line end, no NUL, no lone surrogates, no blank edges; otherwise as written."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return unified.encode("utf-8", "replace").decode("utf-8").strip()


def rejection(text: str, max_chars: int) -> Rejection | None:
    """Why a message can't be taken, or ``None`` when it can.

    Args:
        text: The message after :func:`normalise_text`.
        max_chars: Most characters (code points) allowed.
    """
    if not text:
        return "empty"
    return "too_long" if len(text) > max_chars else None


def excerpt(text: str, max_chars: int) -> str:
    """Beginning and end of a message that is far too long: enough to notice a crisis, at a bounded cost.

    Args:
        text: A message that can't be taken.
        max_chars: Most characters allowed in a message.
    """
    half = max_chars + _MORE_READ // 2
    return text if len(text) <= 2 * half else f"{text[:half]}\n{text[-half:]}"
