"""Which replies of the embedded model go on well: draw more than are wanted, keep those that suit.

Behind its first sentence the model says sentences by heart, and which of them suit a message it can't tell.
A reader of sentences can (:mod:`models.verdict_reader`), so twice as many replies are drawn side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from models.chat_model import SamplingParams
from models.sentences import split_sentences

MORE = 2
"""Replies that are drawn for each that is wanted."""
FEWEST = 4
"""Replies that are drawn at least: one alone would have a single other."""
TEMPERATURE = 0.6
"""Of them: at the profile's own they are often alike."""


def drawn(n: int) -> int:
    """How many replies are drawn where ``n`` are wanted."""
    return max(FEWEST, MORE * n)


def drawing(params: SamplingParams) -> SamplingParams:
    """How they are sampled, where replies are sampled with ``params``."""
    if params.temperature == 0:
        return params
    return replace(params, temperature=max(params.temperature, TEMPERATURE))


def later_sentences(reply: str) -> list[str]:
    """All sentences of a reply but the first."""
    return split_sentences(reply)[1:]


def best(replies: Sequence[str], worths: Mapping[str, float], n: int) -> list[int]:
    """Places of the ``n`` replies whose later sentences suit best, the best first; other words come first.

    Args:
        replies: At least ``n``.
        worths: Of each later sentence, see :meth:`models.verdict_reader.VerdictReader.worths`.
        n: Wanted.
    """

    def worth(place: int) -> float:
        found = [worths[one] for one in later_sentences(replies[place])]
        # A reply without any is worth less than one with middling ones.
        return sum(found) / len(found) if found else -1.0

    ranked = sorted(range(len(replies)), key=worth, reverse=True)
    firsts: dict[str, int] = {}
    for place in ranked:
        firsts.setdefault(replies[place], place)
    different = list(firsts.values())
    return [*different, *(place for place in ranked if place not in different)][:n]
