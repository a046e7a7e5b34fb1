"""Details of a Chinese reply that are stated as facts about the person and that the person did not tell.

See :mod:`models.english_claims`; without articles, what stands behind 你 is the person's, and of close
people, pets, events and times every plain statement counts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from models.chinese_mentions import ChineseMention, chinese_mentions
from models.claims import Invention, Reason, Statement, in_order, places
from models.invention_lists import lists_of
from models.number_words import chinese_numbers
from models.role_reversal import chinese_reversals
from models.sentences import split_sentences
from models.told import Told

_CLAUSE_MARKS = "，,；;：:、"
_ABOUT = re.compile(r"(?:近|快|将近|差不多|大约|大概|超过)$")
_ABOUT_BEHIND = re.compile(r"[多来几]")
_ABOUT_SHARE = 0.2
_FEW = 3
"""Up to so many of most things are said without having been told, as of hands."""
_SPANS = frozenset({"年", "个月", "周", "个星期", "星期", "天", "小时", "个小时", "岁"})
_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]{2,}(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class _Sentence(Statement):
    def general_at(self, place: int) -> bool:
        """Whether the clause around a place holds for anybody, or speaks of the one who replies."""
        first = max(self.text.rfind(mark, 0, place) for mark in _CLAUSE_MARKS) + 1
        ends = [found for mark in _CLAUSE_MARKS if (found := self.text.find(mark, place)) >= 0]
        clause = self.text[first : min(ends, default=len(self.text))]
        of_itself = "我" in clause and not any(word in clause for word in "你您")
        return (
            of_itself or _holds(lists_of("zh").general, clause) or "如果" in self.text or "要是" in self.text
        )


def chinese_claims(reply: str, told: Told) -> list[Invention]:
    """What a Chinese reply invents.

    Args:
        reply: The reply.
        told: What the person told.
    """
    found = [one for sentence in _sentences(reply) for one in _of_sentence(sentence, told)]
    return in_order([*found, *chinese_reversals(reply, told.chinese_doers)])


def _sentences(reply: str) -> Iterator[_Sentence]:
    lists = lists_of("zh")
    parts = split_sentences(reply)
    for text, start in zip(parts, places(reply, parts), strict=True):
        asks = text.rstrip("”’」』）)").endswith(("？", "?"))
        yield _Sentence(text, start, asks, _holds(lists.exists, text), _advises(text))


def _advises(text: str) -> bool:
    lists = lists_of("zh")
    for phrase in lists.no_advice:
        text = text.replace(phrase, "")
    return _holds(lists.advice, text)


def _holds(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)


def _of_sentence(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    mentions = chinese_mentions(sentence.text)
    for one in mentions:
        reason = _reason(sentence, one, told)
        if reason is not None:
            yield Invention(sentence.text[one.start : one.end], reason, sentence.start + one.start)
    yield from _numbers(sentence, told)
    yield from _names(sentence, told)
    if not any(one.family.kind == "people" for one in mentions):
        yield from _pronouns(sentence, told)


def _reason(sentence: _Sentence, mention: ChineseMention, told: Told) -> Reason | None:
    if not _is_claimed(sentence, mention):
        return None
    if not told.holds(mention.family):
        return Reason(mention.family.kind)
    if mention.whose == "your" and mention.family.kind != "times" and told.is_another_s(mention.family):
        return Reason.ANOTHERS
    return None


def _is_claimed(sentence: _Sentence, mention: ChineseMention) -> bool:
    family, whose, place = mention.family, mention.whose, mention.start
    if whose == "a" or sentence.text.startswith("们", mention.end):
        return False
    if whose == "your" and not family.common and family.kind != "times":
        several = any(mark in sentence.text[max(0, place - 4) : mention.end + 3] for mark in ("或", "还是"))
        return not (sentence.exists or sentence.general_at(place) or several)
    if family.own or family.common:
        return whose == "your" and sentence.states_at(place)
    if family.kind in ("body", "things") and not family.bare:
        return whose == "his" and sentence.states_at(place)
    return sentence.states_at(place)


def _numbers(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    text, lists = sentence.text, lists_of("zh")
    for value, start, end in chinese_numbers(text):
        about = _ABOUT.search(text[:start]) is not None or _ABOUT_BEHIND.match(text[end:]) is not None
        unit_at = end + bool(_ABOUT_BEHIND.match(text[end:]))
        unit = next((one for one in lists.units if text.startswith(one, unit_at)), None)
        free = any(text.startswith(one, unit_at) for one in lists.free_units)
        if unit is None or free or value < 2 or (value <= _FEW and unit not in _SPANS):
            continue
        if text[:start].endswith(("第", "几")) or not sentence.states_at(start):
            continue
        share = _ABOUT_SHARE if about else 0.0
        if not any(abs(one - value) <= share * value or int(one) == value for one in told.numbers):
            yield Invention(text[start : unit_at + len(unit)], Reason.NUMBERS, sentence.start + start)


def _names(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    for pattern in (_chinese_name(), _LATIN_NAME):
        for match in pattern.finditer(sentence.text):
            if match.group().lower() not in told.lower:
                yield Invention(match.group(), Reason.NAMES, sentence.start + match.start())


@cache
def _chinese_name() -> re.Pattern[str]:
    characters = lists_of("zh").name_characters
    return re.compile(f"[小老阿][{characters}](?![{characters}])|[{characters}](?=先生|女士|老师)")


def _pronouns(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    """The first 她 where only men were told of, or 他 where only women were."""
    if told.neutral or len(told.sexes) != 1:
        return
    wrong = "她" if "m" in told.sexes else "他"
    match = re.search(f"(?<![其])(?:{wrong})(?!们|人)", sentence.text)
    if match:
        yield Invention(wrong, Reason.PEOPLE, sentence.start + match.start())
