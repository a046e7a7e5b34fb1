"""What a reply states of a person's life, whether or not the person told it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """What is wrong with a detail of a reply."""

    PEOPLE = "people"
    """Somebody whom the person never spoke of."""
    PETS = "pets"
    BODY = "body"
    """A part of the body, an illness or a treatment."""
    THINGS = "things"
    """A thing or a place."""
    TIMES = "times"
    EVENTS = "events"
    NUMBERS = "numbers"
    NAMES = "names"
    ANOTHERS = "anothers"
    """Somebody or something that is another's, made the person's own."""
    ROLES = "roles"
    """Who did what to whom is turned round."""


@dataclass(frozen=True, slots=True)
class Invention:
    """A detail that the person did not tell.

    Attributes:
        span: The words of the reply.
        reason: What is wrong with them.
        start: Their place in the reply.
    """

    span: str
    reason: Reason
    start: int


@dataclass(frozen=True, slots=True)
class Statement(ABC):
    """A sentence of a reply; each language finds out whether a place in it holds for anybody.

    Attributes:
        text: The sentence.
        start: Its place in the reply.
        asks: Whether it is a question.
        exists: Whether it only says that something may be there.
        advises: Whether it is advice.
    """

    text: str
    start: int
    asks: bool
    exists: bool
    advises: bool

    @abstractmethod
    def general_at(self, place: int) -> bool:
        """Whether the clause around a place holds for anybody."""

    def states_at(self, place: int) -> bool:
        """Whether a place is in a plain statement."""
        return not (self.asks or self.advises or self.exists or self.general_at(place))


def in_order(found: Sequence[Invention]) -> list[Invention]:
    """Sorted by place, each place once."""
    return sorted({one.start: one for one in reversed(found)}.values(), key=lambda one: one.start)


def places(text: str, parts: Sequence[str]) -> list[int]:
    """Where each of consecutive parts begins in a text."""
    found: list[int] = []
    start = 0
    for part in parts:
        start = text.index(part, start)
        found.append(start)
        start += len(part)
    return found
