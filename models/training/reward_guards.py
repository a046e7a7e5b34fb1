"""Terms that keep a policy from earning its reward by texts that nobody wants; ours, not MINT's.

Each is a plain number about texts, 0 when nothing is wrong. :mod:`models.training.rewards` makes
reward functions of them.
"""

import re
from collections import Counter
from collections.abc import Hashable, Sequence

from models.sentences import split_sentences
from models.wording import opening

NGRAM = 4
"""Words (Chinese: characters) of an n-gram whose return counts as a repetition."""
DEEPEST = 2.0
"""Most nats a token by which a reply can count as too unlikely."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_\u3400-\u9fff]+)?")
_ENDED = re.compile(r"[.!?…。！？~][\"'”’»*_)\]）」\s]*$|[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f]\s*$")


def repeated_share(text: str, size: int = NGRAM) -> float:
    """Share of a reply's word n-grams that occurred earlier in it, 0–1."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    grams = [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
    return 1.0 - len(set(grams)) / len(grams) if grams else 0.0


def is_unfinished(text: str) -> bool:
    """Whether a reply does not end with a final mark (or an emoji): empty, or cut by the token limit."""
    return _ENDED.search(text) is None


def incoherence(log_likelihood: float, floor: float) -> float:
    """How many nats a token a reply lies below what the untouched base finds likely, at most 2.

    One-sided: what is *more* likely than people's replies is not rewarded, or the blandest text would win.

    Args:
        log_likelihood: Mean log-likelihood of the reply's tokens under the base, nats.
        floor: Log-likelihood below which it counts.
    """
    return min(max(floor - log_likelihood, 0.0), DEEPEST)


def shared_openings(texts: Sequence[str], keys: Sequence[Hashable]) -> list[float]:
    """For each text the share of texts to *other* prompts that begin with the same three words.

    One reply may well begin like another to the same message; a template begins all alike.

    Args:
        texts: Replies of one batch.
        keys: The prompt each belongs to.

    Returns:
        Shares of 0–1; 0 where there is no other prompt, and for replies shorter than an opening.
    """
    found = ([words] if (words := opening(text)) else [] for text in texts)
    return _shared(list(found), keys)


def shared_sentences(texts: Sequence[str], keys: Sequence[Hashable]) -> list[float]:
    """For each text, over its sentences, the mean share of texts to *other* prompts that hold the sentence.

    A policy that finds three sentences which the judge likes after any message says them after every one.

    Args:
        texts: Replies of one batch.
        keys: The prompt each belongs to.

    Returns:
        Shares of 0–1; 0 where there is no other prompt, and for empty texts.
    """
    return _shared([[one.lower() for one in split_sentences(text)] for text in texts], keys)


def _shared(parts: Sequence[Sequence[str]], keys: Sequence[Hashable]) -> list[float]:
    """Mean over the parts of each text of the share of texts to other prompts that have the part."""
    everywhere = Counter(part for own in parts for part in set(own))
    here = Counter((key, part) for key, own in zip(keys, parts, strict=True) for part in set(own))
    sizes = Counter(keys)
    shares: list[float] = []
    for key, own in zip(keys, parts, strict=True):
        others = len(parts) - sizes[key]
        same = sum(everywhere[part] - here[key, part] for part in own)
        shares.append(same / others / len(own) if others and own else 0.0)
    return shares
