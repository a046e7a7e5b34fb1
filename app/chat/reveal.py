"""How a finished reply appears: by a few words at a time, so that reading can begin at once."""

import re
from collections.abc import Iterator

# A step ends after a word and the space behind it, or after a Chinese character or mark.
_PIECE = re.compile(
    r"\s*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+)\s*"
)


def reveal_steps(text: str, pieces_a_step: int = 3) -> Iterator[str]:
    """Growing beginnings of ``text``; the last one is all of it.

    Args:
        text: The whole reply.
        pieces_a_step: Words (or Chinese characters) added by one step.
    """
    ends = [match.end() for match in _PIECE.finditer(text)]
    for index in range(pieces_a_step - 1, len(ends) - 1, pieces_a_step):
        yield text[: ends[index]].rstrip()
    yield text
