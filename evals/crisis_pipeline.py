"""Runs messages through the real turn pipeline and reads from the page's events what a person would see.

Each case is a conversation of its own on a temporary SQLite file. Every event of a turn is folded into the
page's view, and a card counts when the view holds its HTML with a way to reach somebody. A turn is left as
soon as its risk step is over: what follows comes from the model (here a scripted one), and help is promised
before any word of a model, so a card that came later would rightly count as missing. A reply is stored then,
outside the time that is measured: without one, the next message would be read as part of a burst that nobody
answered.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from app.chat.events import Done, HelplineShown, MessageStored, TurnEvent, TurnFailed, Working
from app.db.messages import MessageRepository
from app.db.migrate import upgrade
from app.db.records import MessageStatus, NewReply, ReplySource
from app.db.risk import RiskRepository
from app.main import Parts, build_parts
from app.settings import Settings, StorageSettings
from app.ui.running import RunningTurns
from app.ui.texts import load_texts
from app.ui.turn_view import TurnView
from app.ui.view import ViewBuilder
from evals.crisis_data import Case
from evals.scripted_model import ScriptedModel
from safety.levels import RiskLevel

_PERSON = "00000000-0000-4000-8000-00000000c515"
_COUNTRIES = {"en": "US", "zh": "CN"}
_REPLY = NewReply("Mm.", MessageStatus.COMPLETE, ReplySource.MODEL, model="scripted")
_REFUSED = "refused"
"""Layer named for a message that was not stored, being empty or too long."""


class PipelineError(Exception):
    """The pipeline could not take a turn."""


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What one turn did.

    Attributes:
        level: Level that was stored with the message.
        category: Its category.
        layer: Layer of the strongest finding.
        card: Whether the page shows a helpline card with a number or an address to turn to.
        repeated: Whether the same lines were on screen already.
        milliseconds: From the message to the end of the risk step, database included.
    """

    level: RiskLevel
    category: str
    layer: str
    card: bool
    repeated: bool
    milliseconds: float


@dataclass(slots=True)
class _Heard:
    """What the events of one turn said."""

    shown: HelplineShown | None = None
    rendered: bool = False
    refused: bool = False
    stored: str | None = None


class Pipeline:
    """The built application, ready for turns."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._risk = RiskRepository(parts.sessions)
        self._messages = MessageRepository(parts.sessions)
        self._builder = ViewBuilder(
            parts.conversations, parts.helplines, load_texts(), resume_hours=1, running=RunningTurns()
        )

    async def classifier(self) -> str:
        """``off``, ``loading``, ``ready`` or ``failed``, as readiness reports it."""
        parts = await self._parts.readiness.parts()
        return next(part.detail.split(";")[0] for part in parts if part.name == "crisis classifier")

    async def take(self, case: Case) -> list[SeenTurn]:
        """Run one case as a conversation of its own; one result a turn.

        Raises:
            PipelineError: When a turn failed.
        """
        locale = case.lang if case.lang in _COUNTRIES else "en"
        session = await self._parts.conversations.create(_PERSON, locale, country=_COUNTRIES[locale])
        seen = [await self._turn(session.id, locale, text) for text in case.turns]
        await self._parts.conversations.delete(_PERSON, session.id)
        return seen

    async def _turn(self, session_id: str, locale: str, text: str) -> SeenTurn:
        view = TurnView(self._builder, locale, session_id, text)
        start = time.perf_counter()
        heard = await self._listen(view, session_id, text)
        spent = (time.perf_counter() - start) * 1000
        if heard.stored is not None:
            await self._messages.reply_with_candidates(session_id, heard.stored, _REPLY, [])
        repeated = heard.shown is not None and heard.shown.repeated
        if heard.refused:
            card = None if heard.shown is None else heard.shown.card
            level = RiskLevel.NONE if card is None else card.level
            category = "none" if card is None else card.category.value
            return SeenTurn(level, category, _REFUSED, heard.rendered, repeated, spent)
        stored = await self._risk.latest(session_id)
        if stored is None:
            raise PipelineError("a turn left no assessment")
        return SeenTurn(stored.level, stored.category.value, stored.layer, heard.rendered, repeated, spent)

    async def _listen(self, view: TurnView, session_id: str, text: str) -> _Heard:
        heard = _Heard()
        events = cast("AsyncGenerator[TurnEvent]", self._parts.turns.run(session_id, text))
        async with aclosing(events) as stream:
            async for event in stream:
                shown: dict[str, Any] | None = view.apply(event).get("card")
                match event:
                    case MessageStored():
                        heard.stored = event.message_id
                    case HelplineShown():
                        heard.shown = event
                        heard.rendered = shown is not None and 'href="' in shown["html"]
                    case TurnFailed(code="empty" | "too_long"):
                        heard.refused = True
                    case TurnFailed():
                        raise PipelineError(f"a turn failed: {event.code}")
                    case Working() | Done():
                        break
                    case _:
                        pass
        return heard


@asynccontextmanager
async def running_pipeline() -> AsyncGenerator[Pipeline]:
    """The application on a fresh database with a scripted model, every part of it loaded."""
    with tempfile.TemporaryDirectory() as folder:
        storage = StorageSettings(folder=Path(folder), database_url=f"sqlite:///{folder}/crisis.sqlite3")
        settings = Settings(storage=storage)
        await asyncio.to_thread(upgrade, settings.database_url)
        parts = build_parts(settings, model=ScriptedModel())
        await parts.start()
        try:
            await parts.ready()
            pipeline = Pipeline(parts)
            while await pipeline.classifier() == "loading":
                await asyncio.sleep(0.1)
            yield pipeline
        finally:
            await parts.close()
