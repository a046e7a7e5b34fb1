"""How much of a reply's wording was used before in the conversation."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from models.sentences import is_chinese

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_\u3400-\u9fff]+)?")
_OPENING_WORDS, _OPENING_CHARACTERS = 3, 4


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a reply, in the form they are compared in.

    Attributes:
        pairs: How often each pair of neighbouring words (Chinese: characters) occurs.
        opening: See :func:`opening`.
    """

    pairs: Mapping[tuple[str, str], int]
    opening: str

    def similarity(self, other: "Wording") -> float:
        """Cosine of the pair counts.

        Alike in *meaning* is the tactics' part; this finds the same *words*: 1 for the same text,
        about 0.1 for two replies that share set phrases, 0 without a common pair.
        """
        small, large = sorted((self.pairs, other.pairs), key=len)
        shared = sum(count * large.get(pair, 0) for pair, count in small.items())
        norm = (sum(n * n for n in small.values()) * sum(n * n for n in large.values())) ** 0.5
        return shared / norm if norm else 0.0


def read_wording(reply: str) -> Wording:
    """The words of a reply."""
    words = _WORD.findall(reply.lower().replace("’", "'"))
    return Wording(Counter(pairwise(words)), opening(reply))


def repeats_opening(wording: Wording, earlier: Iterable[Wording]) -> bool:
    """Whether a reply opens with the same words as an earlier one."""
    return bool(wording.opening) and any(wording.opening == past.opening for past in earlier)


def opening(reply: str) -> str:
    """The first three words (Chinese: four characters), lower case, to find repeated openings."""
    head = reply.strip()[:80]
    words = _WORD.findall(head.lower().replace("’", "'"))
    size = _OPENING_CHARACTERS if is_chinese(head) else _OPENING_WORDS
    return " ".join(words[:size]) if len(words) >= size else ""
