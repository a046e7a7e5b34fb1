"""Sentence split for English and Chinese replies.

MINT tags each sentence of a reply, so the border of a sentence decides what is counted. The rule
follows the borders in the released replies (white space after a final mark, quotes and markup
closing first) and adds Chinese marks, which need no white space after them.
"""

import re
from unicodedata import category

_CAN_END = frozenset({"a.m", "p.m", "etc", "no", "ph.d", "u.s", "u.k"})
_ABBREVIATIONS = _CAN_END | frozenset(
    {"dr", "mr", "mrs", "ms", "prof", "st", "sr", "jr", "vs", "e.g", "i.e", "approx", "est", "fig"}
)

_BORDER = re.compile(
    r"""(?P<mark>[.!?…]+)(?P<close>["'”’»)\]*_]*)(?P<gap>\s+)"""
    r"""|(?P<zh>[。！？!?…]+)(?P<zhclose>["'”’」』》）)\]*_]*)(?P<zhgap>\s*)"""
)
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_]+)?|\d+")
_CHARACTERS_A_WORD = 1.6
_LAST_WORD = re.compile(r"[\w.]+$")
_LETTER = re.compile(r"[^\W\d_]")


def split_sentences(text: str) -> list[str]:
    """Split a reply into sentences; nothing but the white space between them is lost.

    Args:
        text: A reply, in English, Chinese or both.

    Returns:
        The sentences in order, stripped, none empty. A trailing emoji stays a part of its own,
        as in the released tags.
    """
    parts: list[str] = []
    start = 0
    for match in _BORDER.finditer(text):
        if _is_border(text, match):
            parts.append(text[start : match.end()].strip())
            start = match.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def has_letters(text: str) -> bool:
    """Whether a text holds at least one letter or Chinese character (emoji and marks do not count)."""
    return _LETTER.search(text) is not None


def says_something(text: str) -> bool:
    """Whether a part can carry a tactic: words, or an emoji, which voices a feeling."""
    return has_letters(text) or any(category(character) == "So" for character in text)


def is_chinese(text: str) -> bool:
    """Whether at least a third of the letters are Chinese characters."""
    letters = len(_LETTER.findall(text))
    return letters > 0 and len(_CJK.findall(text)) * 3 >= letters


def word_count(text: str) -> float:
    """Words of a text; 1.6 Chinese characters make one, as in :mod:`models.language`."""
    return len(_WORD.findall(text)) + len(_CJK.findall(text)) / _CHARACTERS_A_WORD


def _is_border(text: str, match: re.Match[str]) -> bool:
    if match["zh"] is not None:
        return _is_chinese_border(text, match)
    following = text[match.end() : match.end() + 1]
    if not following:
        return False
    mark, lower = match["mark"], following.islower()
    if lower and (set(mark) == {"…"} or mark.endswith("..")):
        return False
    if lower and set(match["close"]) & set("”’»"):
        return False
    if mark == ".":
        word = _LAST_WORD.search(text, 0, match.start())
        return word is None or not _keeps_stop(word.group(), lower)
    return True


def _keeps_stop(word: str, before_lower: bool) -> bool:
    # "around 5 p.m. Then …" ends a sentence, "e.g. Monday" and "Dr. Lee" do not.
    word = word.lower()
    return word in _ABBREVIATIONS and (before_lower or word not in _CAN_END)


def _is_chinese_border(text: str, match: re.Match[str]) -> bool:
    """A Chinese mark, or a Latin one right after Chinese text, ends a sentence without white space."""
    mark = match["zh"]
    if set(mark) & set("。！？"):
        return True
    before = text[max(0, match.start() - 1) : match.start()]
    after = text[match.end() : match.end() + 1]
    # "我……我不知道": a pause inside a sentence, not its end.
    return bool(_CJK.match(before) and _CJK.match(after)) and set(mark) != {"…"}
