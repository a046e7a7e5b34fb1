"""Sentences that may follow the one that says a message back, by the kind of message.

A model of 135 million weights can choose among sentences that it knows; one that it makes up is often
nonsense. So an adapter may bring a list (``sentences.json`` in its folder), and behind the first sentence its
replies say nothing else (:mod:`models.sentence_limit`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, TypeAdapter

from models.message_kind import ANY_HEAVY, HEAVY, KINDS, UNSURE, MessageReading

FILE = "sentences.json"
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_BOOK = TypeAdapter(dict[str, list[_Text]])
_STRAIGHT = "small"
"""Kind whose replies name no feeling first."""
FEELING = "{feel}"
"""Stands for the feelings that were read; a sentence without it can always be said."""


@dataclass(frozen=True, slots=True)
class Later:
    """A sentence that may follow.

    Attributes:
        text: Its words.
        last: Whether it ends the reply, as a question does.
        step: Where sentences have steps, a reply says one of each step, in order; 0 is free.
    """

    text: str
    last: bool
    step: int = 0


class SentenceBook:
    """The sentences of an adapter.

    Args:
        sentences: Those of each kind.
    """

    def __init__(self, sentences: Mapping[str, Sequence[str]]) -> None:
        self._of = {kind: tuple(dict.fromkeys(texts)) for kind, texts in sentences.items()}

    def later(self, reading: MessageReading, said: Sequence[str] = ()) -> list[Later]:
        """What may follow in a reply to such a message; empty where the book has nothing for its kind.

        Args:
            reading: Of the message.
            said: Earlier replies of the conversation. What they say is left out, as long as a question and
                another sentence remain.
        """
        kinds = HEAVY if reading.kind == ANY_HEAVY else (reading.kind,)
        templates = dict.fromkeys(text for kind in kinds for text in self._of.get(kind, ()))
        every = [one for text in templates for one in _filled(text, reading.feelings)]
        fresh = [one for one in every if not _was_said(one.text, said)]
        general = fresh if {one.last for one in fresh} == {True, False} else every
        return _suited(general, reading, said) if general else []


def _suited(general: Sequence[Later], reading: MessageReading, said: Sequence[str]) -> list[Later]:
    """The general sentences with those that suit the message in their places, as far as there are such.

    A sentence of understanding stands behind a general one, as what names a feeling, but for small talk;
    where something hurts, another general one follows it.
    """
    understanding, asked = (
        [text for text in texts if not _was_said(text, said)]
        for texts in (reading.suited.understanding, reading.suited.questions)
    )
    plain = [one for one in general if not one.last]
    questions = [Later(text, last=True) for text in asked] or [one for one in general if one.last]
    if not understanding:
        return [*plain, *questions]
    steps = [understanding, [one.text for one in plain]] if reading.kind in HEAVY else [understanding]
    if reading.kind != _STRAIGHT:
        steps.insert(0, [one.text for one in plain if one.text not in understanding])
    found = [Later(text, last=False, step=at) for at, texts in enumerate(steps, 1) for text in texts]
    return [*found, *(replace(one, step=len(steps) + 1) for one in questions)]


def _was_said(text: str, said: Sequence[str]) -> bool:
    return any(text in reply for reply in said)


def _filled(text: str, feelings: Sequence[str]) -> list[Later]:
    last = text.endswith("?")
    if FEELING not in text:
        return [Later(text, last)]
    filled = [*feelings, *([" and ".join(feelings)] if len(feelings) > 1 else [])]
    return [Later(text.replace(FEELING, feeling), last) for feeling in filled]


def read_book(adapter: Path | None) -> SentenceBook | None:
    """The sentences of an adapter; ``None`` where it has no list that can be read.

    Args:
        adapter: Its folder, or none.
    """
    if adapter is None:
        return None
    try:
        book = _BOOK.validate_json((adapter / FILE).read_bytes())
    except (OSError, ValueError):
        return None
    return SentenceBook(book) if set(book) <= {*KINDS, UNSURE} else None
