"""Words that were run together, cut at the end of a line, set apart by signs, or put into quotation marks."""

import re
from re import Match

from safety.lexicon import Lexicon

_CJK = "\u3400-\u4dbf\u4e00-\u9fff"
LINE_CUT = re.compile(r"([a-z]{2,20})-[^\S\n]{0,4}\n{1,2}[^\S\n]{0,4}([a-z]{2,20})")
"""``over-`` at the end of a line and ``dose`` on the next."""
ONE_A_LINE = re.compile(
    r"(?<![^\n])[a-z']{1,12}(?:[^\S\n]{0,3}\n{1,2}[^\S\n]{0,3}[a-z']{1,12}){2,40}(?![^\n])"
)
"""Lines of one word each."""
SET_APART = re.compile(
    r"(?<![a-z0-9@./:_-])[a-z']{1,12}([+_./|~*-])[a-z']{1,12}(?:\1[a-z']{1,12}){1,20}(?![a-z0-9@/:_-])"
)
"""``i_want_to_die``, with the same sign at every place."""
QUOTED = re.compile(
    r"(?P<before>\b(?:to|i|im|ill|id|want|dont|cant|my|kill|end|be|of|about|just|really|commit|is|a) )"
    r"(?P<quote>[\"'])(?P<said>[a-z']{1,12}(?: [a-z']{1,12}){0,2})(?P=quote)(?![a-z0-9])"
)
QUOTED_CJK = re.compile(rf"(?<=[{_CJK}])[\"'「『]([{_CJK}]{{1,4}})[\"'」』]")
EMPHASIS = re.compile(
    r"(?<![a-z0-9])(\*{1,3}|_{1,3}|~~|\|\||`)(?=[^\s*_~|`])(?P<apart>[^*~|`\n]{1,120}?)(?<=[^\s*_~|`])\1(?![a-z0-9])"
    r"|(?<=[a-z])(\*\*|__|~~|\|\||`)(?P<within>[a-z]{1,12})\3(?=[a-z])"
    r"|(?<![a-z0-9])(\*\*|__|~~|\|\||`)(?P<first>[a-z]{1,12})\5(?=[a-z])"
    r"|(?<=[a-z])(\*\*|__|~~|\|\||`)(?P<last>[a-z]{1,12})\7(?![a-z0-9])"
    rf"|(?<=[{_CJK}])(\*{{1,2}}|__|~~|\|\||`)(?P<chinese>[{_CJK}]{{1,20}})\9"
)
"""Signs by which a page makes letters bold, slanted, struck or hidden; ``f**k`` has no second pair."""
_TITLED = re.compile(
    r"(?:\b(?:song|film|movie|book|series|episode|album|track|play|game|poem|novel|title|titled|called|named|word"
    r"|listen\w{0,3}|watch\w{0,3}|read\w{0,3}|sing\w{0,3}|spell\w{0,3}|translate)\b|[歌书片剧词字曲诗叫读听看唱念])[^.!?。！？\n]{0,20}$"
)
_TELLING = re.compile(
    "myself|todie|suicid|endit|mylife|overdos|tolive|tobedead|wnadie|wannadie|2die|unalive|selfharm|tobehere|killme"
)
"""A long word that is no word of English holds one of these when it is a sentence without blanks."""
SHORT_FORMS = {
    "wanna": "want to",
    "wna": "want to",
    "gonna": "going to",
    "im": "im",
    "ill": "ill",
    "imma": "im going to",
}
"""What people write in such sentences, and what the rules read."""


class JoinedWords:
    """Finds the words again with the help of a lexicon."""

    def __init__(self, lexicon: Lexicon, short_forms: Lexicon) -> None:
        self._lexicon = lexicon
        self._glued = short_forms

    def split(self, token: str) -> str | None:
        """``iwanttodie`` as words, if it is a sentence about such things and all of it is known."""
        if len(token) < 7 or not _TELLING.search(token):
            return None
        words = self._glued.split_glued(token)
        return " ".join(SHORT_FORMS.get(word, word) for word in words.split()) if words else None

    def close_line_cut(self, match: Match[str]) -> str | None:
        """The whole word, if it is a known one."""
        whole = match[1] + match[2]
        return whole if self._lexicon.knows(whole) else None

    def join_lines(self, match: Match[str]) -> str | None:
        """Lines of a word each as one line; lines of a letter each as words."""
        parts = match[0].split()
        if all(len(part) == 1 for part in parts):
            return self._glued.split_glued("".join(parts))
        return " ".join(parts)

    def set_free(self, match: Match[str]) -> str | None:
        """Known words with blanks between them."""
        parts = match[0].split(match[1])
        return " ".join(parts) if all(self._glued.knows(part.replace("'", "")) for part in parts) else None


def unquote(match: Match[str]) -> str | None:
    """The sentence without the marks around one to three words, which are no title."""
    if _TITLED.search(match.string, max(0, match.start() - 40), match.start("quote")):
        return None
    return match["before"] + match["said"]


def unquote_chinese(match: Match[str]) -> str | None:
    """The same in Chinese."""
    if _TITLED.search(match.string, max(0, match.start() - 12), match.start()):
        return None
    return match[1]


_ACT = re.compile(rf"(?:\S+ ){{3}}|[{_CJK}]{{5}}")
"""Four words or five signs."""


def plain(match: Match[str]) -> str | None:
    """What stands between signs of emphasis; an act between single asterisks (``*takes it all*``) stays one.

    A few letters set apart are emphasis; a whole sentence is what somebody does in a game of roles, and
    rules read it as such.
    """
    said = next(said for said in match.groupdict().values() if said is not None)
    single = match[0].startswith("*") and not match[0].startswith("**")
    return None if single and _ACT.search(said) else said
