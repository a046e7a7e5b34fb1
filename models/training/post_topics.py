"""Which topic a help-seeking post has, by the words of ``post_cleaning.yaml``."""

import re
from functools import lru_cache

from models.training.post_text import patterns

OTHER = "other"


def topics() -> tuple[str, ...]:
    """All topics, ``other`` last."""
    return (*patterns().topics, OTHER)


def topic(text: str) -> str:
    """The topic with the most different words in a text; of equal ones that of the word that comes first.

    Returns:
        A name of :func:`topics`; ``other`` when no word is found.
    """
    best, merit = OTHER, (0, 0)
    for name, words in _words().items():
        first: dict[str, int] = {}
        for match in words.finditer(text.lower()):
            first.setdefault(match.group(), match.start())
        found = (len(first), -min(first.values(), default=0))
        if first and found > merit:
            best, merit = name, found
    return best


@lru_cache(maxsize=1)
def _words() -> dict[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    for name, words in patterns().topics.items():
        # Longer ones first, or 男朋友 would be read as 朋友.
        chinese = "|".join(map(re.escape, sorted(words["zh"], key=len, reverse=True)))
        english = "|".join(map(re.escape, sorted(words["en"], key=len, reverse=True)))
        found[name] = re.compile(rf"{chinese}|\b(?:{english})\b", re.ASCII)
    return found
