"""What the person's message voices: read beside the turn, stored with the message, never in a turn's way."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

from app.logs import log_without_text
from app.metrics import Metrics
from models.emotion import EmotionReading

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Seconds after which a turn goes on without a reading, when the encoder is busy with other replies."""


class Reader(Protocol):
    """What is needed of ``models.emotion.EmotionReader``."""

    def read(self, text: str) -> EmotionReading | None:
        """The emotions of one message."""
        ...


class EmotionStore(Protocol):
    """Where readings are kept; see ``app.db.messages``."""

    async def set_emotions(self, message_id: str, emotions: Mapping[str, float]) -> bool:
        """Store the likeliest emotions of a message."""
        ...


class MessageEmotions:
    """Reads and stores the emotions of messages; a failure is counted and costs the turn nothing else.

    Args:
        load: Builds the reader with the first message, in a worker thread; ``None`` where none are read.
        store: Keeps what was read.
        metrics: Counts failures.
        patience_s: See :data:`PATIENCE_S`.
    """

    def __init__(
        self,
        load: Callable[[], Reader] | None,
        store: EmotionStore,
        metrics: Metrics,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._load = load
        self._store = store
        self._metrics = metrics
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._reader: Reader | None = None
        self._failed = False

    def status(self) -> str:
        """``off``, ``not asked yet``, ``ready`` or ``failed``."""
        if self._load is None:
            return "off"
        return "failed" if self._failed else ("not asked yet" if self._reader is None else "ready")

    async def of(self, message_id: str, text: str) -> str | None:
        """The emotion that a message clearly voices; the likeliest ones are stored.

        Args:
            message_id: A stored message of the person.
            text: What they wrote.

        Returns:
            A name for the prompt, or ``None`` when nothing is clear, or nothing could be read or stored.
        """
        load = self._load
        if load is None or self._failed:
            return None
        try:
            async with asyncio.timeout(self._patience_s):
                reading = await asyncio.to_thread(lambda: self._loaded(load).read(text))
            if reading is None:
                return None
            await self._store.set_emotions(message_id, reading.top())
        except Exception as error:
            log_without_text(_log, "no emotions of a message", error)
            self._metrics.layer_failures.labels("emotions").inc()
            return None
        return reading.clear

    def _loaded(self, load: Callable[[], Reader]) -> Reader:
        with self._lock:
            if self._reader is None:
                try:
                    self._reader = load()
                except Exception:
                    self._failed = True
                    raise
            return self._reader
