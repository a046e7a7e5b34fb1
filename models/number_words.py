"""Numbers of a text, in figures or in words, English and Chinese."""

import re
from collections.abc import Iterator, Sequence

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_UNITS = {word: value for value, word in enumerate(_ONES.split())}
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * value for value, word in enumerate(_FROM_TWENTY.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ALIKE = {"dozen": 12, "couple": 2, "pair": 2, "twice": 2, "decade": 10, "fortnight": 2, "twins": 2}
_FROM_SECOND = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {word: value for value, word in enumerate(_FROM_SECOND.split(), 2)}
_FIGURES = re.compile(r"\d+(?:\.\d+)?")
_CHINESE = re.compile(r"\d+(?:\.\d+)?[十百千万]?|[零一二两三四五六七八九十百千万]+")
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2}
_CHINESE_SCALES = {"十": 10, "百": 100, "千": 1000}


def english_numbers(words: Sequence[str], *, ordinals: bool = False) -> list[tuple[float, int, int]]:
    """Each number with the word it begins at and the one behind it.

    Args:
        words: A text's words in lower case, hyphens parted.
        ordinals: Whether "third" and "a dozen" count as well.
    """
    found: list[tuple[float, int, int]] = []
    place = 0
    while place < len(words):
        value, end = _english_at(words, place)
        if value is None and ordinals:
            value, end = _loosely(words[place]), place + 1
        if value is None:
            place += 1
            continue
        found.append((value, place, end))
        place = end
    return found


def chinese_numbers(text: str) -> Iterator[tuple[float, int, int]]:
    """Each number with its place in a text."""
    for match in _CHINESE.finditer(text):
        yield _chinese_value(match.group()), match.start(), match.end()


def _english_at(words: Sequence[str], place: int) -> tuple[float | None, int]:
    figures = _FIGURES.fullmatch(words[place].replace(",", ""))
    if figures:
        return float(figures.group()), place + 1
    total: float | None = None
    while place < len(words):
        word = words[place]
        if word in _UNITS and (total is None or (total % 10 == 0 and _UNITS[word] < 10)):
            total = (total or 0) + _UNITS[word]
        elif word in _TENS and (total is None or total % 100 == 0):
            total = (total or 0) + _TENS[word]
        elif word in _SCALES:
            total = (total or 1) * _SCALES[word]
        elif word != "and" or total is None or not total >= 100 or not _goes_on(words, place):
            break
        place += 1
    return total, place


def _goes_on(words: Sequence[str], place: int) -> bool:
    return place + 1 < len(words) and (words[place + 1] in _UNITS or words[place + 1] in _TENS)


def _loosely(word: str) -> float | None:
    found = _ALIKE.get(word, _ORDINALS.get(word))
    return None if found is None else float(found)


def _chinese_value(text: str) -> float:
    figures = _FIGURES.match(text)
    if figures:
        scale = text[figures.end() :]
        return float(figures.group()) * (10_000 if scale == "万" else _CHINESE_SCALES.get(scale, 1))
    total, part, digit = 0, 0, 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character == "万":
            total, part, digit = (total + part + digit) * 10_000, 0, 0
        else:
            part += (digit or 1) * _CHINESE_SCALES[character]
            digit = 0
    return float(total + part + digit)
