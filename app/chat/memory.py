"""Notes what a person tells of themselves, so that a long conversation does not forget its beginning."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from app.chat.crisis import CrisisVerdict
from app.db.memory_records import FactSource
from app.db.records import Message
from app.logs import log_without_text
from app.metrics import Metrics
from models.fact_patterns import facts_in
from models.facts import FoundFact
from safety.levels import RiskAssessment, RiskLevel

_log = logging.getLogger(__name__)

MAX_FACTS = 60
"""Facts of one conversation; a person should be able to read them all."""
_AT_ONCE = 4
_WAITING = 64


class FactStore(Protocol):
    """Where facts are kept; see ``app.db.facts``."""

    async def note(
        self, message_id: str, found: Sequence[FoundFact], source: FactSource, level: RiskLevel, limit: int
    ) -> int:
        """Add what was found in a message."""
        ...

    async def drop(self, message_id: str) -> None:
        """Delete what was found in a message."""
        ...


class Reader(Protocol):
    """What is needed of ``models.fact_reader.FactReader``."""

    async def read(self, text: str) -> list[FoundFact]:
        """The facts of one message."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


class MessageMemory:
    """Reads messages for facts; a failure is counted and costs the turn nothing else.

    Nothing is noted from a message that shows moderate risk or more: what was said then is for the crisis
    layers and for reviewers, not for later small talk.

    Args:
        store: Keeps the facts.
        metrics: Counts failures.
        reader: A model that reads a message once more after its turn, if one is asked.
    """

    def __init__(self, store: FactStore, metrics: Metrics, reader: Reader | None = None) -> None:
        self._store = store
        self._metrics = metrics
        self._reader = reader
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._reading: set[asyncio.Task[None]] = set()

    async def note(self, message: Message, verdict: CrisisVerdict) -> None:
        """Note at once what the patterns find."""
        if _level_of(verdict.assessment) >= RiskLevel.MODERATE:
            return
        try:
            found = facts_in(message.text)
            if found:
                level = _moment(verdict.assessment)
                await self._store.note(message.id, found, FactSource.RULES, level, MAX_FACTS)
        except Exception as error:
            self._failed(error)

    async def take_back(self, message: Message) -> None:
        """Forget what was noted from a message that turned out to show risk."""
        try:
            await self._store.drop(message.id)
        except Exception as error:
            self._failed(error)

    def read_later(self, message: Message, verdict: CrisisVerdict) -> None:
        """Have the model read a message in the background; skipped when many are waiting already."""
        if self._reader is None or len(self._reading) >= _WAITING:
            return
        if _level_of(verdict.assessment) >= RiskLevel.MODERATE:
            return
        task = asyncio.ensure_future(self._read(self._reader, message, _moment(verdict.assessment)))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def settled(self) -> None:
        """Wait until nothing is being read."""
        await asyncio.gather(*self._reading, return_exceptions=True)

    async def close(self) -> None:
        """Stop reading and close connections."""
        for task in self._reading:
            task.cancel()
        await self.settled()
        if self._reader is not None:
            await self._reader.close()

    async def _read(self, reader: Reader, message: Message, level: RiskLevel) -> None:
        try:
            async with self._room:
                found = await reader.read(message.text)
            if found:
                await self._store.note(message.id, found, FactSource.MODEL, level, MAX_FACTS)
        except Exception as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        log_without_text(_log, "no facts of a message", error)
        self._metrics.layer_failures.labels("memory").inc()


def _level_of(assessment: RiskAssessment) -> RiskLevel:
    """Risk of the message itself, whatever was said before it; caution where a layer failed."""
    own = [match.level for match in assessment.matches if match.layer != "session"]
    return max(own, default=RiskLevel.NONE)


def _moment(assessment: RiskAssessment) -> RiskLevel:
    """The level that a fact is stored with: that of the whole moment, the conversation included."""
    return max(assessment.level, assessment.session.level)
