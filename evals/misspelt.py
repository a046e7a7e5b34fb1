"""Spoils the spelling of English messages as hasty fingers do, for a classifier that meets them so.

The normalizer mends stretched words, digits for letters and single slips in long words. Short words with a
slip, dropped apostrophes and marks and sounded-out words reach the classifier as they were typed.
"""

import random
import re

_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_SLIPS = 0.15
"""Share of words that are spoiled."""
_KEYS = (
    *("qwa", "wqes", "ewrd", "retf", "tryg", "ytuh", "uyij", "iuok", "oipl", "pol"),
    *("aqsz", "sadwx", "dsfec", "fdgrv", "gfhtb", "hgjyn", "jhkum", "kjli", "lko"),
    *("zasx", "xzcd", "cxvf", "vcbg", "bvnh", "nbjm", "mnk"),
)
_NEAR = {keys[0]: keys[1:] for keys in _KEYS}
"""Keys beside each key of a QWERTY keyboard, those that are hit by mistake."""
_SOUNDED = {
    "you": "u",
    "are": "r",
    "your": "ur",
    "to": "too",
    "too": "to",
    "the": "teh",
    "and": "n",
    "now": "nw",
    "because": "cuz",
    "want": "wnt",
    "know": "no",
    "their": "there",
    "with": "wiv",
    "going": "goin",
    "about": "abt",
    "people": "ppl",
    "please": "pls",
    "before": "b4",
    "tonight": "2nite",
    "something": "smth",
    "anyone": "any1",
    "myself": "my self",
    "of": "off",
    "have": "hav",
    "took": "tok",
    "all": "al",
    "was": "waz",
}
"""Words as they are typed by their sound."""


def misspelt(text: str, rng: random.Random) -> str:
    """The message with slips: letters swapped, dropped, doubled or hit beside, words by their sound.

    At times capitals, apostrophes and marks are left out altogether.

    Args:
        text: An English message.
        rng: Draws.
    """
    found = _WORD.sub(lambda match: _slip(match[0], rng) if rng.random() < _SLIPS else match[0], text)
    if rng.random() < 0.5:
        found = found.lower()
    if rng.random() < 0.5:
        found = re.sub(r"['’]", "", found)
    if rng.random() < 0.3:
        found = " ".join(re.sub(r"[.,;:!?]+(?=\s|$)", "", found).split())
    return found


def _slip(word: str, rng: random.Random) -> str:
    sounded = _SOUNDED.get(word.lower())
    if sounded is not None and rng.random() < 0.5:
        return sounded
    if len(word) == 1:
        return word
    at = rng.randrange(len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[: at + 1] + word[at + 2 :]
    if kind == 2:
        return word[: at + 1] + word[at] + word[at + 1 :]
    return word[:at] + rng.choice(_NEAR.get(word[at].lower(), word[at])) + word[at + 1 :]
