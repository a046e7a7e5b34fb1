"""Details of an English reply that are stated as facts about the person and that the person did not tell.

Each sentence is read by itself. What a question asks for ("is there a friend …?"), what holds on a condition,
for anybody or as an example, and what is advised states nothing; "your husband" does, in all of them but the
first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.claims import Invention, Reason, Statement, in_order, places
from models.english_mentions import OTHERS, Mention, Token, english_mentions, english_tokens, names_something
from models.invention_lists import lists_of
from models.number_words import english_numbers
from models.role_reversal import english_reversals
from models.sentences import split_sentences
from models.told import Told

_MARKS = ",;:—–"
_NEAR_OR = 3
_BEFORE_ONE = frozenset({"lost", "losing", "lose", "buried", "have", "had", "married"})
"""Verbs behind which "a friend" is one whom the person has or had."""
_ADDRESSED = frozenset({"mother", "father", "grandmother", "grandfather"})
"""Who is named without "your": "when Mum asks"."""
_ABOUT = frozenset({"almost", "nearly", "about", "around", "over", "roughly", "than"})
_ABOUT_SHARE = 0.2
"""How far "nearly twenty" may be from the number that was told."""
_SPANS = frozenset({"year", "month", "week", "day", "hour", "night"})
_IRREGULAR = _SPANS | {"people", "children", "men", "women"}
_NO_PLURAL = frozenset(["this", "was", "his", "its", "has", "always", "perhaps", "less", "does"])
_FEW = 3
"""Up to so many of most things are said without having been told, as of hands."""
_HE, _SHE = frozenset({"he", "him", "his"}), frozenset({"she", "her", "hers"})
_TITLE = re.compile(r"[A-Z][a-zà-öø-ÿ]{2,}")
_ORIGIN = ("ish", "ese", "ian", "ean")
"""Endings of languages and nationalities, which are no names."""


@dataclass(frozen=True, slots=True)
class _Sentence(Statement):
    tokens: Sequence[Token]
    conditional: bool

    def says(self, first: int, after: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[after - 1].end]

    def general_at(self, place: int) -> bool:
        """Whether the clause around a token holds for anybody."""
        if self.conditional:
            return True
        first = after = place
        while first and not _parts(self, first):
            first -= 1
        while after + 1 < len(self.tokens) and not _parts(self, after + 1):
            after += 1
        return _holds(lists_of("en").general, self.tokens[first : after + 1])


def english_claims(reply: str, told: Told) -> list[Invention]:
    """What an English reply invents.

    Args:
        reply: The reply.
        told: What the person told.
    """
    found = [one for sentence in _sentences(reply) for one in _of_sentence(sentence, told)]
    return in_order([*found, *english_reversals(reply, told.english_doers)])


def _of_sentence(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    mentions = english_mentions(sentence.tokens)
    for one in mentions:
        reason = _reason(sentence, one, told)
        if reason is not None:
            yield _invention(sentence, one.first, one.after, reason)
    yield from _numbers(sentence, told)
    yield from _names(sentence, told)
    yield from _pronouns(sentence, mentions, told)


def _sentences(reply: str) -> Iterator[_Sentence]:
    lists = lists_of("en")
    parts = split_sentences(reply)
    for text, start in zip(parts, places(reply, parts), strict=True):
        tokens = english_tokens(text)
        if tokens:
            yield _Sentence(
                text,
                start,
                text.rstrip("\"'”’)").endswith("?"),
                _holds(lists.exists, tokens),
                tokens[0].raw in lists.orders or _holds(lists.advice, tokens, lists.no_advice),
                tokens,
                any(token.raw in ("if", "whether", "unless") for token in tokens),
            )


def _holds(phrases: Sequence[str], tokens: Sequence[Token], but: Sequence[str] = ()) -> bool:
    words = f" {' '.join(token.raw for token in tokens)} "
    for phrase in but:
        if phrase in words:
            words = words.replace(f" {phrase} ", " ")
    alone = set(words.split())
    return any(phrase in alone or (" " in phrase and f" {phrase} " in words) for phrase in phrases)


def _parts(sentence: _Sentence, place: int) -> bool:
    """Whether a mark that ends a clause stands before a token."""
    between = sentence.text[sentence.tokens[place - 1].end : sentence.tokens[place].start]
    return any(mark in between for mark in _MARKS)


def _reason(sentence: _Sentence, mention: Mention, told: Told) -> Reason | None:
    if not _is_claimed(sentence, mention):
        return None
    if not told.holds(mention.family):
        return Reason(mention.family.kind)
    if mention.whose == "your" and mention.family.kind != "times" and told.is_another_s(mention.family):
        return Reason.ANOTHERS
    return None


def _is_claimed(sentence: _Sentence, mention: Mention) -> bool:
    family, whose, place = mention.family, mention.whose, mention.first
    if family.common:
        return whose == "your" and sentence.states_at(place)
    if whose == "your" and family.kind != "times":
        return not (sentence.exists or sentence.general_at(place) or _is_one_of_several(sentence, mention))
    if family.kind in ("times", "events") or family.bare:
        return whose not in ("a", "an", "any", "some") and sentence.states_at(place)
    if family.kind in ("people", "pets"):
        return _is_definite(sentence, mention) and sentence.states_at(place)
    return whose in OTHERS and sentence.states_at(place)


def _is_definite(sentence: _Sentence, mention: Mention) -> bool:
    if mention.whose in OTHERS or mention.whose == "the":
        return mention.whose != "the" or not mention.family.own
    before = sentence.tokens[mention.first - 2].raw if mention.first > 1 else ""
    if mention.whose in ("a", "an"):
        return before in _BEFORE_ONE
    return mention.whose == "" and mention.family.name in _ADDRESSED


def _is_one_of_several(sentence: _Sentence, mention: Mention) -> bool:
    """Whether it is an example: "your mum or a friend"."""
    before = sentence.tokens[max(0, mention.first - _NEAR_OR) : mention.first]
    behind = sentence.tokens[mention.after : mention.after + _NEAR_OR]
    return any(token.raw == "or" for token in (*before, *behind)) or any(
        token.raw == "like" for token in before
    )


def _invention(sentence: _Sentence, first: int, after: int, reason: Reason) -> Invention:
    start = sentence.start + sentence.tokens[first].start
    return Invention(sentence.says(first, after), reason, start)


def _numbers(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    tokens, lists = sentence.tokens, lists_of("en")
    for value, first, after in english_numbers([token.raw for token in tokens]):
        unit = _unit(tokens, after, lists.free_units, few=value <= _FEW)
        if unit is None or value < 2 or not sentence.states_at(first):
            continue
        about = first > 0 and tokens[first - 1].raw in _ABOUT
        if not _was_told(value, told, about=about):
            yield _invention(sentence, first, unit + 1, Reason.NUMBERS)


def _unit(tokens: Sequence[Token], after: int, free: frozenset[str], *, few: bool) -> int | None:
    """The place of what is counted, when it is something that would have to be told."""
    for place in range(after, min(after + 2, len(tokens))):
        token = tokens[place]
        if token.breaks or token.raw in free:
            return None
        if token.base in _IRREGULAR or (token.base != token.raw and token.raw not in _NO_PLURAL):
            return place if not few or token.base in _SPANS or names_something(token) else None
    return None


def _was_told(value: float, told: Told, *, about: bool) -> bool:
    share = _ABOUT_SHARE if about else 0.0
    return any(abs(one - value) <= share * value or int(one) == value for one in told.numbers)


def _names(sentence: _Sentence, told: Told) -> Iterator[Invention]:
    tokens, lists = sentence.tokens, lists_of("en")
    if sentence.asks or sentence.advises or sentence.exists:
        return
    for place, token in enumerate(tokens):
        if (
            not place
            or token.breaks
            or not _TITLE.fullmatch(token.text.removesuffix("'s").removesuffix("’s"))
        ):
            continue
        before = sentence.text[tokens[place - 1].end : token.start]
        if before.strip() or token.base.endswith(_ORIGIN):
            continue
        known = {token.raw, token.base, token.raw.removesuffix("'s")}
        if known & lists.free_names or any(word in lists.phrases for word in known):
            continue
        if not any(word in told.words for word in known):
            yield _invention(sentence, place, place + 1, Reason.NAMES)


def _pronouns(sentence: _Sentence, mentions: Sequence[Mention], told: Told) -> Iterator[Invention]:
    """The first "she" where only men were told of, or "he" where only women were."""
    if told.neutral or len(told.sexes) != 1 or any(one.family.kind == "people" for one in mentions):
        return
    wrong = _SHE if "m" in told.sexes else _HE
    for place, token in enumerate(sentence.tokens):
        if token.raw in wrong:
            yield _invention(sentence, place, place + 1, Reason.PEOPLE)
            return
