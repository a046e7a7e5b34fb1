"""Read what somebody wrote in base64, hexadecimal digits, Morse or turned letters."""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator

_SIGNS = r"A-Za-z0-9+/_\-"
_RUN = re.compile(rf"(?<![{_SIGNS}=])[{_SIGNS}]{{16,8000}}={{0,2}}(?![{_SIGNS}=])")
"""Shorter runs say less than ten letters, and many words look like them."""
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){6,4000}(?![0-9a-zA-Z])")
_HEX_SIGNS = re.compile(r"0x|\\x|[ ,:]")
_MORSE = re.compile(r"[.\-·–—]{1,5}(?:[ /|\n]{1,3}[.\-·–—]{1,5}){5,1000}")
_MORSE_WORDS = re.compile(r" ?[/|\n] ?| {2,3}")
_MORSE_DOTS = str.maketrans("·–—", ".--")
_MORSE_LETTERS: dict[str, str] = {
    ".-": "a", "-...": "b", "-.-.": "c", "-..": "d", ".": "e", "..-.": "f", "--.": "g", "....": "h",
    "..": "i", ".---": "j", "-.-": "k", ".-..": "l", "--": "m", "-.": "n", "---": "o", ".--.": "p",
    "--.-": "q", ".-.": "r", "...": "s", "-": "t", "..-": "u", "...-": "v", ".--": "w", "-..-": "x",
    "-.--": "y", "--..": "z", "-----": "0", ".----": "1", "..---": "2", "...--": "3", "....-": "4",
    ".....": "5", "-....": "6", "--...": "7", "---..": "8", "----.": "9",
}  # fmt: skip
_TURNED = re.compile(r"(?i)\b(?:zlfrys|fhvpvqr|fhvpvqny|bireqbfr)\b|\bgb qvr\b|\bzl yvsr\b")
"""Words that only letters turned by thirteen places make."""
_BACKWARDS = re.compile(r"(?i)\b(?:flesym|edicius|ladicius)\b|\beid ot\b|\befil ym\b")
_LINE = re.compile(r"[^\n]{1,4000}")
_MOSTLY = 0.9
"""Share of a decoded text that is letters and spaces; other bytes decode to signs of all kinds."""


def encoded_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of ``text`` that are readable text in another code, in order, none over another.

    Yields:
        Start and end of each in ``text``, and what it says.
    """
    done = 0
    for start, end, plain in sorted([*_base64(text), *_hexadecimal(text), *_morse(text), *_turned(text)]):
        if start >= done:
            yield start, end, plain
            done = end


def _base64(text: str) -> Iterator[tuple[int, int, str]]:
    for run in _RUN.finditer(text):
        bare = run[0].rstrip("=").translate(str.maketrans("-_", "+/"))
        try:
            plain = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if _readable(plain):
            yield run.start(), run.end(), plain


def _hexadecimal(text: str) -> Iterator[tuple[int, int, str]]:
    for run in _HEX.finditer(text):
        try:
            plain = bytes.fromhex(_HEX_SIGNS.sub("", run[0])).decode("utf-8")
        except (ValueError, UnicodeDecodeError):
            continue
        if _readable(plain):
            yield run.start(), run.end(), plain


def _morse(text: str) -> Iterator[tuple[int, int, str]]:
    for run in _MORSE.finditer(text):
        words = _MORSE_WORDS.split(run[0].translate(_MORSE_DOTS))
        letters = [[_MORSE_LETTERS.get(sign, "") for sign in word.split()] for word in words]
        if all(letter for word in letters for letter in word):
            plain = " ".join("".join(word) for word in letters)
            if len(set(plain)) > 3:  # a row of dots divides sections
                yield run.start(), run.end(), plain


def _turned(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines whose letters are turned by thirteen places or stand in reverse order."""
    for line in _LINE.finditer(text):
        if _TURNED.search(line[0]):
            yield line.start(), line.end(), codecs.encode(line[0], "rot13")
        elif _BACKWARDS.search(line[0]):
            yield line.start(), line.end(), line[0][::-1]


def _readable(plain: str) -> bool:
    readable = sum(char.isalpha() or char.isspace() for char in plain)
    return readable >= _MOSTLY * len(plain) and any(char.isalpha() for char in plain)
