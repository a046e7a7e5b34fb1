"""What happens during one turn, in the order in which it happens.

Pages, the HTTP API and load tests all read these; none of them needs to know the pipeline.
"""

from dataclasses import dataclass
from typing import Literal

from safety.helplines import HelplineCard

ReplyStatus = Literal["complete", "stopped", "fallback"]
Stage = Literal["thinking", "choosing"]


@dataclass(frozen=True, slots=True)
class MessageStored:
    """The person's message is in the database; nothing that follows can lose it."""

    message_id: str


@dataclass(frozen=True, slots=True)
class HelplineShown:
    """Help for a person at risk; always comes before any text of a model."""

    message_id: str | None
    """The stored message, or ``None`` when the text was too long to be stored, or is not stored yet: help
    waits for no database, and then the event comes again once there is an id."""
    card: HelplineCard
    repeated: bool
    """The same lines are on screen already from an earlier turn; point to them, don't stack them."""
    again: bool = False
    """Open them once more all the same: this message calls for them anew, or what was done goes on."""


@dataclass(frozen=True, slots=True)
class Queued:
    """Others are served first."""

    position: int
    """Number of requests ahead; 0 means that it is this one's turn."""


@dataclass(frozen=True, slots=True)
class Working:
    """What is being done now."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class OtherModel:
    """The model of the conversation's language fails; the first one answers in its place."""


@dataclass(frozen=True, slots=True)
class ReplyText:
    """The reply so far (the whole text each time, not a difference)."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The reply is stored; the turn is over."""

    message_id: str
    reply_id: str
    status: ReplyStatus
    text: str


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """No reply could be made; the person's message is stored and can be tried again."""

    message_id: str | None
    code: str
    retryable: bool


TurnEvent = MessageStored | HelplineShown | Queued | Working | OtherModel | ReplyText | Done | TurnFailed
