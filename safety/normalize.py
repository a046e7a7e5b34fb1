"""Fold the many spellings of one message into one, remembering where each character came from."""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from re import DOTALL, Match, Pattern, compile

from safety import joined_words
from safety.encoded_words import encoded_words
from safety.joined_words import SHORT_FORMS, JoinedWords
from safety.lexicon import Lexicon
from safety.lookalikes import Lookalikes, latin_by_name, upside_down
from safety.markup import marks
from safety.spelling_tables import SpellingTables

Replacement = Callable[[Match[str]], str | None]

_QUOTES = dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u00b4`\u2032\uff07", "'") | dict.fromkeys(
    "“”„‟″«»", '"'
)
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_LINE_ENDS = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")
_EMPTY = "\u3164\uffa0\u2800"
"""Letters without a shape, which stand for blanks where a text has few others."""
_EMPTY_AS_BLANKS = dict.fromkeys(map(ord, _EMPTY), " ")
_INVISIBLE = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5" + _EMPTY)
_CJK = "\u3400-\u4dbf\u4e00-\u9fff"
_RUNS = compile("[\u4e00-\u9fff]+|[^\u4e00-\u9fff]", DOTALL)
"""Runs of Chinese characters, which fold one by one whatever stands beside them; and each other character."""
_SPACED = compile(r"(?<![a-z0-9@$'])[a-z0-9@$!](?:[ .\-_*/|~·][a-z0-9@$!](?![a-z0-9@$'])){2,200}")
_SPACED_SIGNS = compile(r"[ .\-_*/|~·]")
_HASHTAG = compile(r"#[a-z]{6,60}")
_SPLIT_CJK = compile(rf"(?<=[{_CJK}])[ ._\-*/|~·+^&#]{{1,3}}(?=[{_CJK}])")
_TOKEN = compile(r"[a-z0-9@$](?:[a-z0-9@$'*#!|+]{0,60}[a-z0-9@$])?")
_BLANKS = compile(r"[^\S\n]{2,}|[^\S\n ]|[^\S\n]*\n\s*")
_REPEATED_CJK = compile(rf"([{_CJK}])\1{{2,}}")


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """Folded text whose characters point back into the original.

    Attributes:
        text: What the rules read: lower case, no apostrophes inside words, simplified Chinese.
        starts: For each character, where its source begins in the original.
        ends: For each character, one past where its source ends.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Map a non-empty span of ``text`` to the original; an empty span maps to ``(0, 0)``."""
        if start >= end or not self.text:
            return (0, 0)
        return (self.starts[start], self.ends[end - 1])

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the original back to ``text``."""
        return bisect_left(self.starts, start), bisect_left(self.starts, end)


class Normalizer:
    """Applies all spelling tables in a fixed order; safe to share between threads."""

    def __init__(self, tables: SpellingTables, lexicon: Lexicon) -> None:
        self._tables = tables
        self._lexicon = lexicon
        self._simplified = {ord(form): simple for form, simple in tables.traditional.items()}
        self._joined = JoinedWords(lexicon, lexicon.with_words(SHORT_FORMS))
        self._lookalikes = Lookalikes(tables.lookalikes, lexicon.knows)
        self._word_steps: tuple[tuple[Pattern[str], Replacement], ...] = (
            (joined_words.EMPHASIS, joined_words.plain),
            (joined_words.LINE_CUT, self._joined.close_line_cut),
            (joined_words.ONE_A_LINE, self._joined.join_lines),
            (_SPACED, self._join_spaced),
            (joined_words.SET_APART, self._joined.set_free),
            (_HASHTAG, lambda m: lexicon.split_glued(m[0][1:])),
            (_TOKEN, lambda m: self._fix_cached(m[0])),
            (joined_words.QUOTED, joined_words.unquote),
            (joined_words.QUOTED_CJK, joined_words.unquote_chinese),
        )
        self._fold_cached = lru_cache(maxsize=16_384)(self._fold_char)
        self._fix_cached = lru_cache(maxsize=65_536)(self._fix_token)

    def normalize(self, text: str) -> NormalizedText:
        """Fold ``text``; every input is accepted, including lone surrogates."""
        draft = self._fold_words(self._fold_written(text))
        if any(_is_cjk(char) for char in draft.text):
            draft = _rewrite(draft, _SPLIT_CJK, lambda m: _cjk_gap(m, draft.text))
            draft = _rewrite(draft, _REPEATED_CJK, lambda m: m[1] * 2)
        for homophone in self._tables.homophones:
            if homophone.possible(draft.text):
                draft = _rewrite(draft, homophone.pattern, lambda _, new=homophone.meant: new)
        return _fold_blanks(draft)

    def fold(self, text: str) -> NormalizedText:
        """Fold characters and codes only, for words of a language whose slips and slang no table knows."""
        return _fold_blanks(self._fold_written(text))

    def _fold_written(self, text: str) -> NormalizedText:
        if sum(map(text.count, _EMPTY)) > text.count(" "):
            text = text.translate(_EMPTY_AS_BLANKS)
        return self._fold_encoded(text) or self._fold_characters(text)

    def _fold_words(self, draft: NormalizedText) -> NormalizedText:
        read = self._lookalikes.reader(draft.text)
        if read is not None:
            draft = _rewrite(draft, self._lookalikes.word, read)
        for pattern, replace in self._word_steps:
            draft = _rewrite(draft, pattern, replace)
        return draft

    def _fold_encoded(self, text: str) -> NormalizedText | None:
        """Fold a text with encoded words or marks, each read as what it says; ``None`` if there are none."""
        parts: list[NormalizedText] = []
        done = 0
        coded = [
            (start, end, f" {plain} ") for start, end, plain in (*encoded_words(text), *upside_down(text))
        ]
        for start, end, plain in sorted([*coded, *marks(text)]):
            if start < done:
                continue
            parts.append(_moved(self._fold_characters(text[done:start]), done))
            said = self._fold_characters(plain).text
            parts.append(NormalizedText(said, (start,) * len(said), (end,) * len(said)))
            done = end
        if not parts:
            return None
        parts.append(_moved(self._fold_characters(text[done:]), done))
        return NormalizedText(
            "".join(part.text for part in parts),
            tuple(place for part in parts for place in part.starts),
            tuple(place for part in parts for place in part.ends),
        )

    def _fold_characters(self, text: str) -> NormalizedText:
        if text.isascii() and text.isprintable():
            places = range(len(text) + 1)
            return NormalizedText(text.lower().replace("`", "'"), tuple(places[:-1]), tuple(places[1:]))
        table = self._one_to_one(text)
        if table is not None:
            places = range(len(text) + 1)
            return NormalizedText(text.translate(table), tuple(places[:-1]), tuple(places[1:]))
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        previous = ""
        for run in _RUNS.finditer(text):
            char, index = run[0], run.start()
            if "\u4e00" <= char[0] <= "\u9fff":
                folded = char.translate(self._simplified)
                starts += range(index, run.end())
                ends += range(index + 1, run.end() + 1)
            else:
                folded = (
                    char.lower() if "\x1f" < char < "\x7f" else self._fold_special(char, previous, pieces)
                )
                starts += [index] * len(folded)
                ends += [index + 1] * len(folded)
            pieces.append(folded)
            if folded.strip():
                previous = folded.strip()[-1]
        return NormalizedText("".join(pieces), tuple(starts), tuple(ends))

    def _one_to_one(self, text: str) -> dict[int, str] | None:
        """What each character becomes, if each becomes one whatever stands before it; else ``None``."""
        tables, table = self._tables, dict[int, str]()
        for char in set(text):
            if char in tables.emoji or char in tables.emoji_die:
                return None
            folded = char.lower() if "\x1f" < char < "\x7f" else self._fold_cached(char)
            if len(folded) != 1:
                return None
            table[ord(char)] = folded
        return table

    def _fold_special(self, char: str, previous: str, pieces: list[str]) -> str:
        """Fold what depends on the characters before it: pictures."""
        tables = self._tables
        if char in tables.emoji:
            return f" {tables.emoji[char][_is_cjk(previous)]} "
        if char in tables.emoji_die and "".join(pieces[-3:]).endswith(tables.emoji_die_after):
            return "死" if _is_cjk(previous) else "die"
        return self._fold_cached(char)

    def _fold_char(self, char: str) -> str:
        if char in _QUOTES:
            return _QUOTES[char]
        if char in _DASHES:
            return _DASHES[char]
        if char in _LINE_ENDS:
            return "\n"
        category = unicodedata.category(char)
        if category in {"Cf", "Mn", "Cs", "Co"} or char in _INVISIBLE:
            return ""
        if category in {"Zs", "Cc"}:
            return " "
        folded = "".join(
            c for c in unicodedata.normalize("NFKD", char).lower() if unicodedata.category(c) != "Mn"
        )
        if len(folded) == 1 and folded in self._tables.traditional:
            return self._tables.traditional[folded]
        if len(folded) == 1 and not folded.isascii():
            return latin_by_name(folded) or latin_by_name(char) or folded
        return folded

    def _join_spaced(self, match: Match[str]) -> str | None:
        letters = _SPACED_SIGNS.sub("", match[0])
        if not any(c.isalpha() for c in letters):
            return None
        plain = self._lexicon.decode_leet(letters, self._tables.leet) or letters
        return self._lexicon.split_glued(plain) or plain

    def _fix_token(self, token: str) -> str | None:
        bare = token.replace("'", "")
        if bare in self._tables.slang:
            return self._tables.slang[bare]
        plain = self._joined.split(bare) or self._lexicon.correct(bare, self._tables.leet)
        return plain or (bare if bare != token else None)


def _fold_blanks(draft: NormalizedText) -> NormalizedText:
    return _rewrite(draft, _BLANKS, lambda m: "\n" if "\n" in m[0] else " ")


def _moved(text: NormalizedText, by: int) -> NormalizedText:
    return NormalizedText(
        text.text, tuple(place + by for place in text.starts), tuple(place + by for place in text.ends)
    )


def _is_cjk(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"


def _cjk_gap(match: Match[str], text: str) -> str | None:
    """Close a gap between Chinese characters when one side stands alone (``自 杀``); keep ``好累 不想活``."""
    before, after = match.start() - 2, match.end() + 1
    alone = before < 0 or not _is_cjk(text[before]) or after >= len(text) or not _is_cjk(text[after])
    return "" if alone or match[0].strip() else None


def _rewrite(draft: NormalizedText, pattern: Pattern[str], replace: Replacement) -> NormalizedText:
    """Replace matches; every character of a replacement points to the whole source of its match."""
    changes: list[tuple[int, int, str]] = []
    for match in pattern.finditer(draft.text):
        new = replace(match)
        if new is not None and new != match[0]:
            changes.append((match.start(), match.end(), new))
    return _splice(draft, changes) if changes else draft


def _splice(draft: NormalizedText, changes: Iterable[tuple[int, int, str]]) -> NormalizedText:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for start, end, new in changes:
        pieces += [draft.text[done:start], new]
        starts += draft.starts[done:start]
        ends += draft.ends[done:start]
        starts += [draft.starts[start]] * len(new)
        ends += [draft.ends[end - 1]] * len(new)
        done = end
    pieces.append(draft.text[done:])
    starts += draft.starts[done:]
    ends += draft.ends[done:]
    return NormalizedText("".join(pieces), tuple(starts), tuple(ends))
