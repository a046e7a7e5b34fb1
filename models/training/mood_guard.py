"""Whether a reply is in the mood of what was said, or joy for pain, pain for joy, comfort for a late bus."""

import re
from collections.abc import Mapping
from functools import cache

from models.sentences import split_sentences
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN, read_scenes
from models.training.scene_replies import gladdens, mood_of

AGAINST: Mapping[str, frozenset[str]] = {
    HARD: frozenset((GOOD, LIGHT)),
    GOOD: frozenset((HARD,)),
    LIGHT: frozenset((HARD, GOOD)),
    PLAIN: frozenset((HARD, GOOD)),
}
"""Moods whose sentences of support clash with what was said, by its mood."""

_GRAVE = re.compile(
    r"\b(?:sad|sorrow|lonel|guilt|asham|shame|humiliat|afraid|frighten|terrif|helpless|hopeless|powerless|despair"
    r"|empty|heavy|worthless|heartbr|devastat|betray|reject|abandon|longing|grie|pain(?:ful)?\b|hurt|wound)",
    re.IGNORECASE,
)


def mood_clash(reply: str, mood: str) -> float:
    """How much of a reply is in another mood than what it answers.

    One half is its first sentence: joy alone for something hard, no joy for good news, grave feelings for
    something light. The other is whether any later sentence belongs to a mood that clashes
    (:data:`AGAINST`), as the book of scenes has them.

    Args:
        reply: In English.
        mood: Of what was said, by the names of :mod:`models.training.scene_book`; empty where nobody knows.

    Returns:
        0, 0.5 or 1.
    """
    sentences = split_sentences(reply)
    if not sentences or mood not in AGAINST:
        return 0.0
    support = _support()
    others = any(AGAINST[mood] & support.get(one.lower(), frozenset()) for one in sentences[1:])
    return 0.5 * _first_clashes(sentences[0], mood) + 0.5 * others


def _first_clashes(sentence: str, mood: str) -> bool:
    if mood == HARD:
        return mood_of(sentence) == GOOD
    if mood == GOOD:
        return not gladdens(sentence)
    return mood == LIGHT and _GRAVE.search(sentence) is not None


@cache
def _support() -> Mapping[str, frozenset[str]]:
    """The moods that each sentence of support fits."""
    found: dict[str, frozenset[str]] = {}
    for mood, kinds in read_scenes().support.items():
        for sentences in kinds.values():
            for one in sentences:
                found[one.lower()] = found.get(one.lower(), frozenset()) | {mood}
    return found
