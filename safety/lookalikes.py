"""Letters that were made to look like plain Latin ones, read as these."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from re import Match

_NAMED = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER"
    r"|REGIONAL INDICATOR SYMBOL LETTER|LATIN (?:SMALL|CAPITAL) LETTER DOTLESS"
    r"|LATIN (?:SMALL|CAPITAL) LETTER (?=[A-Z] WITH )) ?([A-Z])(?: WITH .*)?"
)
_FLIPPED = dict(zip("ɐqɔpǝəɟƃɥᴉıɾʞןꞁɯudbɹʇnʌʍʎ⅄ɓ˙¡¿,", "abcdeefghiijkllmnpqrtuvwyyg.!?'", strict=True))
_UPSIDE_DOWN = frozenset("ɐǝɟɥᴉʞɯɹʇʌʍʎ")
_CAPITALS = str.maketrans("νημυ", "nhmy")
"""Greek letters whose capitals look like other Latin letters than they do themselves."""
_LEAST_UPSIDE_DOWN = 3
_LINE = re.compile(r"[^\n]{1,4000}")


@lru_cache(maxsize=4096)
def latin_by_name(char: str) -> str | None:
    """The Latin letter whose small capital, white-on-black or barred form ``char`` is, by Unicode's name."""
    named = _NAMED.fullmatch(unicodedata.name(char, ""))
    return named[1].lower() if named else None


def upside_down(text: str) -> list[tuple[int, int, str]]:
    """Lines that stand on their heads: start, end and what each says when it is turned."""
    if _UPSIDE_DOWN.isdisjoint(text):
        return []
    return [
        (line.start(), line.end(), "".join(_FLIPPED.get(char, char) for char in reversed(line[0].lower())))
        for line in _LINE.finditer(text)
        if sum(char in _UPSIDE_DOWN for char in line[0]) >= _LEAST_UPSIDE_DOWN
    ]


class Lookalikes:
    """Reads words that hold letters of other alphabets which look Latin.

    A word that also holds Latin letters is read as Latin. One wholly of look-alikes is, too, if it becomes a
    known word and most around it in that alphabet do: the Greek word ``το`` stays what it is.

    Args:
        letters: Folded look-alike to Latin letter.
        is_known: Whether a Latin word is one that the rules know.
    """

    def __init__(self, letters: Mapping[str, str], is_known: Callable[[str], bool]) -> None:
        self._letters = letters
        self._is_known = is_known
        self._table = {ord(letter): latin for letter, latin in letters.items()}
        signs = re.escape("".join(letters))
        self._word = re.compile(rf"[^\W\d_]*[{signs}](?:[^\W\d_]|[{signs}]){{0,60}}")

    def reader(self, text: str) -> Callable[[Match[str]], str | None] | None:
        """What replaces each match of :attr:`word` in ``text``; ``None`` if there is nothing to replace."""
        if self._letters.keys().isdisjoint(text):
            return None
        unknown = Counter[str]()
        for found in self._word.finditer(text):
            if not any(char.isascii() for char in found[0]):
                unknown[alphabet(found[0][0])] += -1 if self._latin(found[0]) else 1
        real = {name for name, more in unknown.items() if more > 0}
        return lambda found: self._read(found[0], real)

    @property
    def word(self) -> re.Pattern[str]:
        """Words with at least one such letter."""
        return self._word

    def _read(self, word: str, real: set[str]) -> str | None:
        if any(char.isascii() for char in word):
            return word.translate(self._table)
        return None if alphabet(word[0]) in real else self._latin(word)

    def _latin(self, word: str) -> str | None:
        """The known word that ``word`` looks like."""
        readings = (word.translate(self._table), word.translate(_CAPITALS).translate(self._table))
        return next((latin for latin in readings if self._is_known(latin)), None)


def alphabet(char: str) -> str:
    """First word of the Unicode name: ``CYRILLIC``, ``GREEK``."""
    return unicodedata.name(char, "").partition(" ")[0]
