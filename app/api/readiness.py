"""Which parts work, by name: for load balancers, operators and admins."""

import asyncio
import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from app.api.health import Part
from app.chat.emotions import MessageEmotions
from app.chat.reply_faults import ReplyFaults
from app.chat.second_opinion import SecondOpinion
from app.db.write_probe import WriteProbe
from models.chat_model import ChatModel
from models.routing import ModelsByLanguage
from safety.helplines import HelplineDirectory
from safety.risk import RiskAssessor
from safety.toxicity import ToxicityChecker


class WarmScorer(Protocol):
    """What readiness needs of the scorer: a first run that loads the encoder."""

    def warm_up(self) -> None:
        """Load weights now; raises when they can't be loaded."""
        ...


class Readiness:
    """Looks at every part that can be missing."""

    def __init__(
        self,
        engine: AsyncEngine,
        models: ModelsByLanguage,
        scorer: WarmScorer,
        assessor: RiskAssessor,
        toxicity: ToxicityChecker,
        helplines: HelplineDirectory,
        faults: ReplyFaults | None = None,
        opinion: SecondOpinion | None = None,
        others: Callable[[], list[Part]] = list,
        emotions: MessageEmotions | None = None,
    ) -> None:
        self._engine = engine
        self._models = models
        self._scorer = scorer
        self._assessor = assessor
        self._toxicity = toxicity
        self._helplines = helplines
        self._faults = faults or ReplyFaults(None)
        self._opinion = opinion
        self._others = others
        self._emotions = emotions
        self._probe = WriteProbe(engine.url)
        self._scorer_state: Part = Part("reply scorer", "missing", "loading", needed=True)
        self._tasks: set[asyncio.Task[Any]] = set()

    def warm_up(self) -> None:
        """Load scorer, checks of replies and chat model; the page is up before they are done."""
        self._assessor.start()
        self._toxicity.start()
        for part in (self._load_scorer(), self._chat_model(self._models.first)):
            task = asyncio.create_task(part)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def parts(self) -> list[Part]:
        """The state of each part now."""
        return [
            await self._database(),
            await self._chat_model(self._models.first),
            *[await self._second_model(*one) for one in self._models.of_language.items()],
            self._scorer_state,
            self._classifier_part(),
            self._toxicity_part(),
            self._faults_part(),
            *self._judge_parts(),
            *self._emotion_parts(),
            self._helpline_part(),
            *self._others(),
        ]

    async def _database(self) -> Part:
        try:
            async with self._engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError) as error:
            return Part("database", "missing", f"no answer ({type(error).__name__})", needed=True)
        problem = await self._probe.problem()
        if problem is not None:
            return Part("database", "missing", problem, needed=True)
        return Part("database", "ok", self._engine.dialect.name, needed=True)

    async def _second_model(self, language: str, model: ChatModel) -> Part:
        part = await self._chat_model(model)
        return replace(part, name=f"chat model ({language})", needed=False)

    async def _chat_model(self, model: ChatModel) -> Part:
        status = await model.check()
        detail = "; ".join([status.detail, *status.served, *status.warnings])
        state = "missing" if not status.ready else ("degraded" if status.warnings else "ok")
        return Part("chat model", state, detail, needed=True)

    def _classifier_part(self) -> Part:
        status = self._assessor.classifier_status()
        state = "ok" if status == "ready" else ("missing" if status == "failed" else "degraded")
        return Part("crisis classifier", state, f"{status}; the rules work in any case", needed=False)

    def _toxicity_part(self) -> Part:
        kind = self._toxicity.status()
        if kind == "detoxify":
            return Part("reply toxicity check", "ok", "detoxify", needed=False)
        return Part(
            "reply toxicity check", "degraded", f"detoxify is not in use; checking with {kind}", needed=False
        )

    def _faults_part(self) -> Part:
        status = self._faults.status()
        state = "ok" if status == "ready" else ("missing" if status == "failed" else "degraded")
        return Part("reply classifier", state, f"{status}; the rules work in any case", needed=False)

    def _judge_parts(self) -> list[Part]:
        """Only where an operator asked for a judge."""
        if self._opinion is None:
            return []
        status = self._opinion.status()
        state = "degraded" if status.startswith("failed") else "ok"
        return [Part("crisis judge", state, f"{status}; the other layers work in any case", needed=False)]

    def _emotion_parts(self) -> list[Part]:
        """Whether the emotions of messages are read; off by choice is no fault."""
        if self._emotions is None:
            return []
        status = self._emotions.status()
        state = "missing" if status == "failed" else "ok"
        return [Part("emotions", state, f"{status}; a turn never waits for them long", needed=False)]

    def _helpline_part(self) -> Part:
        stale = self._helplines.stale(dt.date.today())
        if stale:
            return Part(
                "helplines",
                "degraded",
                f"{len(stale)} entries bear no date or were checked over a year ago: "
                + ", ".join(line.id for line in stale),
                needed=False,
            )
        return Part("helplines", "ok", "all entries checked within a year", needed=False)

    async def _load_scorer(self) -> None:
        try:
            await asyncio.to_thread(self._scorer.warm_up)
        except Exception as error:  # any failure here is told by name, not raised into a background task
            # Replies are still chosen, only not the best one: not ready would be worse.
            self._scorer_state = Part("reply scorer", "missing", type(error).__name__, needed=False)
        else:
            self._scorer_state = Part("reply scorer", "ok", "encoder and heads are loaded", needed=True)
        # With the scorer's encoder, so after it; otherwise the first person would wait for it.
        await asyncio.to_thread(self._faults.warm_up)
