"""Whether a reply turns round who did what to whom: "you yelled at your boss" for "my boss yelled at me".

Only acts on others are looked at (``roles`` of the lists), and only where the person told of the act with one
doer: themselves or another. Where either text does not say plainly who did it, nothing is found.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from models.claims import Invention, Reason
from models.english_mentions import Token, english_tokens
from models.invention_lists import lists_of

_SELF = frozenset({"i", "we", "i'd", "i've", "i'll", "i'm"})
_YOU = frozenset({"you", "you'd", "you've", "you'll", "you're"})
_OTHERS = frozenset({"he", "she", "they", "everyone", "everybody", "someone", "somebody", "people", "nobody"})
_ADVERBS_AND_AUXILIARIES = (
    "just has have had always never not even then really keeps kept only also already still once again"
    " finally suddenly actually totally literally been got get getting gets was were being is are"
)
_BETWEEN = frozenset(_ADVERBS_AND_AUXILIARIES.split())
_PASSIVE = frozenset({"was", "were", "been", "being", "got", "get", "getting", "gets"})
_OBJECTS = frozenset({"you", "your", "him", "her", "them", "his", "their", "everyone", "someone"})
_LOOKED_BACK = 5
_LOOKED_ON = 3


Doers = Mapping[str, frozenset[str]]
"""By act, who did it as a person told: ``self``, ``other`` or nothing where it isn't plain."""


def english_doers(tokens: Sequence[Token]) -> Doers:
    """Who did what in what a person told in English."""
    return _by_act((act, doer) for _, act, doer in _acts(tokens, _SELF))


def chinese_doers(text: str) -> Doers:
    """The same of Chinese."""
    return _by_act((act, doer) for _, _, act, doer in _chinese_acts(text, "我咱"))


def english_reversals(reply: str, told: Doers) -> Iterator[Invention]:
    """Acts of an English reply whose doer is the wrong one."""
    if not told:
        return
    tokens = english_tokens(reply)
    for place, act, doer in _acts(tokens, _YOU):
        if doer and told.get(act) == frozenset((_other(doer),)) and _has_object(tokens, place):
            yield Invention(tokens[place].text, Reason.ROLES, tokens[place].start)


def _by_act(acts: Iterable[tuple[str, str]]) -> Doers:
    found: dict[str, set[str]] = {}
    for act, doer in acts:
        found.setdefault(act, set()).add(doer)
    return {act: frozenset(doers) for act, doers in found.items()}


def _acts(tokens: Sequence[Token], self_words: frozenset[str]) -> Iterator[tuple[int, str, str]]:
    """Each act's place and doer: ``self``, ``other`` or nothing where it isn't plain."""
    roles = lists_of("en").roles
    for place, token in enumerate(tokens):
        act = roles.get(token.raw)
        if act is not None:
            yield place, act, _doer(tokens, place, self_words)


def _doer(tokens: Sequence[Token], place: int, self_words: frozenset[str]) -> str:
    passive = False
    for back in range(place - 1, max(place - 1 - _LOOKED_BACK, -1), -1):
        if tokens[back + 1].breaks:
            return ""
        word = tokens[back].raw
        if word in _PASSIVE:
            passive = True
        if word in _BETWEEN:
            continue
        found = _who(tokens[back], self_words)
        return _other(found) if passive and not tokens[place].raw.endswith("ing") else found
    return ""


def _who(token: Token, self_words: frozenset[str]) -> str:
    if token.raw in self_words:
        return "self"
    families = lists_of("en").families
    known = lists_of("en").phrases
    is_person = any(families[one.family].kind == "people" for one in known.get(token.base, ()))
    return "other" if token.raw in _OTHERS or is_person or token.text[:1].isupper() else ""


def _other(doer: str) -> str:
    return {"self": "other", "other": "self"}.get(doer, "")


def _has_object(tokens: Sequence[Token], place: int) -> bool:
    """Whether somebody or something of theirs is named behind the act, or the act is told in the passive."""
    following = tokens[place + 1 : place + 1 + _LOOKED_ON]
    passive = any(token.raw in _PASSIVE for token in tokens[max(0, place - 2) : place])
    return passive or any(token.raw in _OBJECTS for token in following)


_CLAUSE = re.compile(r"[^，。！？；：、,.!?;:\n]+")
_CHINESE_OTHERS = re.compile(r"他|她|有人|别人|大家|人家|对方")


def chinese_reversals(reply: str, told: Doers) -> Iterator[Invention]:
    """The same of a Chinese reply."""
    if not told:
        return
    for start, verb, act, doer in _chinese_acts(reply, "你您"):
        if doer and told.get(act) == frozenset((_other(doer),)):
            yield Invention(verb, Reason.ROLES, start)


def _chinese_acts(text: str, self_words: str) -> Iterator[tuple[int, str, str, str]]:
    for clause in _CLAUSE.finditer(text):
        for verb, act in lists_of("zh").roles.items():
            place = clause.group().find(verb)
            if place >= 0:
                doer = _chinese_doer(clause.group(), place, place + len(verb), self_words)
                yield clause.start() + place, verb, act, doer


def _chinese_doer(clause: str, place: int, end: int, self_words: str) -> str:
    before, behind = clause[:place], clause[end : end + 3]
    mark = before.rfind("被")
    if mark >= 0:
        return "self" if any(word in before[mark:] for word in self_words) else "other"
    if any(word in behind for word in self_words) and not _self_subject(before, self_words):
        return "other"
    if _self_subject(before, self_words):
        return "self"
    return "other" if _CHINESE_OTHERS.search(before) or _chinese_person(before) else ""


def _self_subject(before: str, self_words: str) -> bool:
    """Whether the person is named, and not only as the one whom somebody else belongs to."""
    for match in re.finditer(f"[{self_words}]", before):
        following = before[match.end() :]
        if not re.match("们?的", following) and not _chinese_person(following[:3], at_start=True):
            return True
    return False


def _chinese_person(text: str, *, at_start: bool = False) -> bool:
    pattern = _chinese_people()
    return (pattern.match(text) if at_start else pattern.search(text)) is not None


@cache
def _chinese_people() -> re.Pattern[str]:
    families = (one for one in lists_of("zh").families.values() if one.kind == "people")
    words = {word for one in families for word in (*one.words, *(hint for hint in one.hints if one.sex))}
    return re.compile("|".join(map(re.escape, sorted(words))))
