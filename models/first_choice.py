"""Which first sentences a reply of the embedded model may begin with: draw several, keep what fits.

Drawn once, its first sentence says a message back rightly in about two of three cases; among eight there is
nearly always one that does, and a reader (:mod:`models.first_reader`) tells most of them. So it is chosen
before the rest is drawn, which costs less than drawing more replies.
"""

from collections.abc import Sequence
from dataclasses import replace

from models.chat_model import SamplingParams
from models.local_engine import Begun
from models.message_kind import ADDRESSED, MessageReading

DRAWN = 8
"""First sentences that are drawn."""
TEMPERATURE = 0.7
"""Of that: a reply's own would bring the same sentence over and over."""
MOST_TOKENS = 56
"""Of a first sentence."""
_MARGIN = 0.15
"""Chance by which a sentence may fall behind the best one and still begin a reply."""


def says_back(reading: MessageReading | None) -> bool:
    """Whether the first sentence of a reply is to say back what was read."""
    return reading is not None and reading.kind not in ADDRESSED


def drawing(params: SamplingParams) -> SamplingParams:
    """How first sentences are sampled, where replies are sampled with ``params``."""
    if params.temperature == 0:
        return replace(params, max_tokens=min(params.max_tokens, MOST_TOKENS))
    warmer = max(params.temperature, TEMPERATURE)
    return replace(params, temperature=warmer, max_tokens=min(params.max_tokens, MOST_TOKENS))


def chosen(firsts: Sequence[Begun], worths: Sequence[float], n: int) -> list[Begun]:
    """How each of ``n`` replies begins: the worthiest sentences in turn, none far behind the best.

    Args:
        firsts: Different sentences, at least one.
        worths: Of each, see :meth:`models.first_reader.FirstReader.worths`.
        n: Replies.
    """
    ranked = sorted(range(len(firsts)), key=lambda place: -worths[place])
    kept = [firsts[place] for place in ranked if worths[place] >= worths[ranked[0]] - _MARGIN][:n]
    return [kept[number % len(kept)] for number in range(n)]
