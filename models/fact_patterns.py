"""Finds the facts in a person's own message, English and Chinese, by patterns alone.

A fact is a statement of the person in their own words, never a paraphrase: what is remembered can be
incomplete, but it can't say what they did not say. Questions and suppositions state nothing; only a wish
about the conversation itself may be a question.
"""

import re
from collections.abc import Iterator

from models.fact_grammar import CHINESE, ENGLISH, Grammar
from models.facts import MAX_FACT_CHARS, FactKind, FoundFact, may_be_kept, same_words
from models.sentences import is_chinese, split_sentences

MOST = 8
"""Facts that are taken from one message."""

_NAMED_CHARS = 200
"""Within so many characters of a sentence a person says their name."""

_WHOLE_CHARS = 160
"""Up to this length a sentence with one fact in it is kept whole."""

_PIECE = re.compile(r"(?:,|;|，|；|——|—)\s*|\s+(?:and|but)\s+(?=i\b|i['’]|my\b|we\b|our\b)", re.IGNORECASE)
_GOES_ON = re.compile(r"(?=.*[\u4e00-\u9fff])(?!.*我)")
_OF_OTHERS = re.compile(r"^(?:我(?!叫|是|今年|在|住|有|们)|家里)")
_LEAD = re.compile(r"^(?:and|but|so|well|oh|also|because|then)\s+", re.IGNORECASE)
_QUESTION = re.compile(r"(?:[?？]|[吗呢])[\"”’」』)）]*$")


def facts_in(text: str) -> list[FoundFact]:
    """The facts of one message, in the order in which they stand there.

    Args:
        text: What the person wrote.

    Returns:
        At most :data:`MOST` facts whose text is a part of the message.
    """
    found: list[FoundFact] = []
    for line in text.splitlines():
        for sentence in split_sentences(line):
            for fact in _of_sentence(sentence):
                if may_be_kept(fact.text) and not any(same_words(fact.text, one.text) for one in found):
                    found.append(fact)
    return found[:MOST]


def _of_sentence(sentence: str) -> Iterator[FoundFact]:
    grammar = CHINESE if is_chinese(sentence) else ENGLISH
    name = grammar.name(sentence[:_NAMED_CHARS])
    if name is not None and not _QUESTION.search(sentence):
        yield FoundFact(FactKind.NAME, name)
    told = [
        (piece, kind)
        for piece in _pieces(sentence)
        if not (name is not None and name in piece) and (kind := _kind(piece, grammar)) is not None
    ]
    if len(told) > 1 or name is not None or len(sentence) > _WHOLE_CHARS:
        yield from (FoundFact(kind, _trimmed(piece)) for piece, kind in told)
        return
    kind = _kind(sentence, grammar)
    if kind is not None:
        yield FoundFact(kind, _trimmed(sentence))


def _pieces(sentence: str) -> list[str]:
    """The parts of a sentence that state something of their own; in Chinese one without 我 goes on."""
    borders = [(match.start(), match.end()) for match in _PIECE.finditer(sentence)]
    starts = [0, *(end for _, end in borders)]
    ends = [*(start for start, _ in borders), len(sentence)]
    spans: list[tuple[int, int]] = []
    for start, end in zip(starts, ends, strict=True):
        if spans and _GOES_ON.match(sentence[start:end]) and _OF_OTHERS.match(sentence[slice(*spans[-1])]):
            spans[-1] = (spans[-1][0], end)
        elif start < end:
            spans.append((start, end))
    return [sentence[start:end] for start, end in spans]


def _kind(piece: str, grammar: Grammar) -> FactKind | None:
    """What a statement is about, if it is one."""
    if len(piece) > MAX_FACT_CHARS or grammar.supposes(piece):
        return None
    if grammar.requests(piece):
        return FactKind.REQUEST
    return None if _QUESTION.search(piece) else grammar.kind(piece)


def _trimmed(piece: str) -> str:
    return _LEAD.sub("", piece.strip()).rstrip(".,;。，；")
