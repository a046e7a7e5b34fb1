"""All messages whose kind is known, in one order, for those who learn to read kinds."""

from dataclasses import dataclass

from models.training.echoed_file import EchoedTalk, read_echoed
from models.training.echoed_replies import SOURCE as ECHOED
from models.training.example import VALIDATION_SHARE, is_held_out
from models.training.kind_file import SOURCE as KINDS_ONLY
from models.training.kind_file import read_kinds


@dataclass(frozen=True, slots=True)
class KnownMessage:
    """A message and what is known of it.

    Attributes:
        said: The person's messages, the last one being it.
        kind: One of :data:`models.message_kind.KINDS`.
        feel: Feelings that the person surely has.
        group: Number of its conversation.
        apart: Whether the chat model's fine-tuning keeps it apart.
    """

    said: tuple[str, ...]
    kind: str
    feel: tuple[str, ...]
    group: int
    apart: bool


def kind_rows() -> list[KnownMessage]:
    """Messages of ``models/training/echoed``, then of ``models/training/kinds``."""
    talks = read_echoed()
    found = [row for group, talk in enumerate(talks) for row in _of_talk(talk, group)]
    for group, row in enumerate(read_kinds(), len(talks)):
        apart = is_held_out(f"{KINDS_ONLY}:{row.place}", VALIDATION_SHARE)
        found.append(KnownMessage((row.text,), row.kind, row.feel, group, apart))
    return found


def _of_talk(talk: EchoedTalk, group: int) -> list[KnownMessage]:
    said = tuple(parts.said for parts in talk.parts)
    apart = is_held_out(f"{ECHOED}:{talk.place}", VALIDATION_SHARE)
    return [
        KnownMessage(said[: place + 1], parts.kind, parts.feel, group, apart)
        for place, parts in enumerate(talk.parts)
    ]
