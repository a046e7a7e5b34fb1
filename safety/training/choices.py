"""Lines with choices, each of which stands for many texts."""

import random
import re
from collections.abc import Callable, Iterator

_TRIES = 3
"""Draws for each text that is wanted; choices repeat."""


def fillings(
    pattern: str, choice: re.Pattern[str], most: int, chance: random.Random, polish: Callable[[str], str]
) -> Iterator[str]:
    """Up to ``most`` different texts that a line stands for.

    Args:
        pattern: The line.
        choice: Finds a choice; its group holds the alternatives, parted by ``|``.
        most: Most texts wanted.
        chance: Picks the alternatives.
        polish: Tidies a filled line, and may draw from ``chance`` as well.
    """
    seen: set[str] = set()
    for _ in range(most * _TRIES):
        text = polish(choice.sub(lambda match: chance.choice(match[1].split("|")), pattern))
        if text not in seen and len(seen) < most:
            seen.add(text)
            yield text
