"""Titles of films, books and songs, which are not the words of the person who names them.

Only what is a title by its form counts: in marks (《》, quotation marks) or in capitals, with the word of a
work or of reading, watching, listening beside it. Where the person may speak through it ("that's me", their
own text, words that somebody said), and in manuals, all of it is read as it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from safety.yaml_file import read_yaml

_FILE = Path(__file__).with_suffix(".yaml")
_BLANK = "□"
_MOST = 60
"""Characters of a title; what is longer is a sentence of somebody."""
_WORDS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class _Language:
    """What a title looks like in one language.

    Attributes:
        titles: By a sign without which the pattern finds nothing; looking for that is quicker.
        no_title: Somewhere in the message: it may be more than a title.
        manual: In a title: it is read like any other words.
    """

    titles: tuple[tuple[str, re.Pattern[str]], ...]
    no_title: re.Pattern[str]
    manual: re.Pattern[str]

    def found(self, text: str) -> Iterator[tuple[int, int]]:
        """Where titles stand in the text."""
        for sign, pattern in self.titles:
            for match in pattern.finditer(text) if sign in text else ():
                start, end = match.span("title")
                if not self.manual.search(text, start, end) and not self._speaks(text, start, end):
                    yield start, end

    def _speaks(self, text: str, start: int, end: int) -> bool:
        """Whether the rest of the message says that it is more than a title."""
        plain = f"{text[:start]} {text[end:]}".lower().translate({ord("'"): None, ord("’"): None})
        return self.no_title.search(plain) is not None


class Titles:
    """Takes titles out of a text; holds no state and may be shared between threads."""

    def __init__(self, path: Path = _FILE) -> None:
        data = cast("dict[str, dict[str, str]]", read_yaml(path))
        self._languages = (_english(data["en"]), _chinese(data["zh"]))

    def without(self, text: str) -> str:
        """The text with a sign in place of every letter of a title; all places stay as they are.

        Example:
            >>> Titles().without("看了《想死》这部电影")
            '看了《□□》这部电影'
        """
        for language in self._languages:
            for start, end in list(language.found(text)):
                text = text[:start] + _WORDS.sub(_BLANK, text[start:end]) + text[end:]
        return text


def _english(words: dict[str, str]) -> _Language:
    work, use, small = words["work"], words["use"], words["small"]
    marks = {
        '"': rf'"(?P<title>[^"\n]{{2,{_MOST}}})"',
        "“": rf"“(?P<title>[^”\n]{{2,{_MOST}}})”",
        "‘": rf"‘(?P<title>[^’\n]{{2,{_MOST}}})’(?!\w)",
        "'": rf"(?<!\w)'(?P<title>[^'\n]{{2,{_MOST}}})'(?!\w)",
    }
    rest, beside = r"[^.!?\n]{0,60}", r"(?:,? (?!and\b|but\b)[\w-]{1,14}){0,5}"
    capitals = (
        rf"(?P<title>(?!I\b)[A-Z][\w'’]*(?: (?:{small}|[A-Z][\w'’]*)){{0,6}} [A-Z][\w'’]*)(?= [a-z]|[,.!?]|$)"
    )
    titles = [
        (sign, pattern)
        for sign, mark in marks.items()
        for pattern in (
            rf"\b(?i:{work})(?i:,? (?:is |was )?(?:called|named|titled|entitled))?[ ,:]{{1,2}}{mark}",
            rf"\b(?i:{use}) (?:\w+ ){{0,2}}{mark}(?={rest}\b(?i:{work})\b)",
            rf"{mark}(?={beside},? (?i:{work})\b)",
        )
    ]
    titles.append((" ", rf"\b{use} (?:the |that |a )?{capitals}(?={rest}\b{work}\b)"))
    titles.append((" ", rf"\b{work} (?:is |was )?(?:called |named |titled )?{capitals}"))
    return _Language(_compiled(titles), _folded(words["not"]), re.compile(words["manual"]))


def _chinese(words: dict[str, str]) -> _Language:
    work, use = words["work"], words["use"]
    gap, near = r"[^。！？!?\n《》]{0,4}", r"[^。！？!?\n]{0,14}"
    title = rf"(?P<title>[^《》“”「」\n]{{1,{_MOST // 2}}})"
    named = rf"{work}(?:的名字)?(?:叫|名叫|名字叫|名为|是|：|:|，|,)?"
    kind = r"(?:这|那|的)?(?:一)?(?:部|本|首|集|个|张|支)?(?:的)?"
    titles = [("《", rf"(?:{use}|{work}){gap}《{title}》"), ("《", rf"《{title}》(?={near}{work})")]
    for opening, closing in ("“”", "「」", '""'):
        titles.append((opening, rf"{named}{opening}{title}{closing}"))
        titles.append((opening, rf"{opening}{title}{closing}(?={kind}{work})"))
    return _Language(_compiled(titles), re.compile(words["not"]), re.compile(words["manual"]))


def _compiled(patterns: list[tuple[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((sign, re.compile(pattern)) for sign, pattern in patterns)


def _folded(pattern: str) -> re.Pattern[str]:
    """A pattern that the file folds over several lines, each ending between two alternatives."""
    return re.compile(re.sub(r"\|\s+", "|", pattern.strip()))
