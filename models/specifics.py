"""What a person told that is particular to them, and how much of it a reply leaves out.

Specifics are names, numbers, and the people and events of ``specifics.yaml`` (English and Chinese). Numbers
and Latin names are found in any language; a reply that takes up two of them misses nothing.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml

ENOUGH = 2
"""Specifics that a reply need not exceed: nobody wants everything said back."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(
    r"(?<=[^\s.!?…。！？:：\"“(])[ \t]+([A-Z][a-zà-öø-ÿ]{2,})\b|(?<=[\u3400-\u9fff])([A-Z][a-z]{2,})\b"
)
_TITLE = re.compile(r"《([^》]{1,30})》")
_CALLED = re.compile(r"(?:我叫|名叫|名字叫|他叫|她叫)([\u4e00-\u9fff]{2,3})")
_CJK = re.compile(r"[\u3400-\u9fff]")


def specifics(said: str) -> frozenset[str]:
    """The specifics of a message, each as a key that only this module reads.

    Args:
        said: What the person wrote.
    """
    found = {f"number:{number}" for number in _NUMBER.findall(said)}
    found |= {f"name:{(first or second).lower()}" for first, second in _NAME.findall(said)}
    found |= {f"name:{name}" for pattern in (_TITLE, _CALLED) for name in pattern.findall(said)}
    known = _events()
    listed = {f"event:{known[word]}" for word in _words(said) if word in known}
    return frozenset(found | listed)


def missed(told: frozenset[str], reply: str) -> float:
    """How much of the person's specifics a reply leaves out.

    Args:
        told: From :func:`specifics`.
        reply: The reply.

    Returns:
        0 when it takes up two (or all) of them or there are none, 1 when it takes up none.
    """
    if not told:
        return 0.0
    text, known = reply.lower(), _events()
    words = _words(reply)
    events = {known[word] for word in words if word in known}
    numbers = set(_NUMBER.findall(reply))
    taken = sum(_is_taken(key, text, words, events, numbers) for key in told)
    return 1.0 - min(taken / min(len(told), ENOUGH), 1.0)


def _is_taken(key: str, text: str, words: set[str], events: set[int], numbers: set[str]) -> bool:
    kind, _, value = key.partition(":")
    if kind == "event":
        return int(value) in events
    if kind == "number":
        return value in numbers
    return value in text if _CJK.search(value) else value in words


def _words(text: str) -> set[str]:
    """Latin words in lower case without a possessive ending, and the Chinese words of the list."""
    lower = text.lower().replace("’", "'")
    words = {word.removesuffix("'s") for word in _WORD.findall(lower)}
    if _CJK.search(text):
        words |= {word for word in _events() if _CJK.match(word) and word in lower}
    return words


@cache
def _events() -> Mapping[str, int]:
    """The number of the line for each listed word."""
    lines = yaml.safe_load(resources.files("models").joinpath("specifics.yaml").read_text("utf-8"))
    return {str(word): number for number, words in enumerate(lines) for word in words}
