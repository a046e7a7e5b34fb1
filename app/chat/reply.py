"""Makes the reply to one stored message: prompt, samples, choice, and what to say when there is none."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.chat.choice import Choice, ReplyChooser
from app.chat.crisis import CrisisVerdict
from app.chat.events import OtherModel, ReplyStatus, Working
from app.chat.sampling import Emit, Hints, Sampler
from app.chat.stores import Past, TurnStores, Wishes
from app.chat.tasks import to_the_end
from app.chat.written import WrittenReply, fitting_reply, instead_of_model
from app.db.records import Message, MessageStatus, NewReply, Person, ReplySource
from app.logs import log_without_text
from app.metrics import Metrics
from models.chat_model import Candidate, ChatModel, ChatModelError
from models.language import Language, conversation_language
from models.routing import ModelsByLanguage
from models.styles import Style
from safety.crisis_reply import language_of
from safety.levels import RiskLevel

_log = logging.getLogger(__name__)

Heed = Callable[[Sequence[str], CrisisVerdict], Awaitable[CrisisVerdict]]
"""Reads the sampled replies for a danger that nobody noticed; gives the verdict, raised or as it was."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is to be answered.

    Attributes:
        message: The person's message.
        person: Who wrote it.
        past: The conversation.
        language: The language to answer in.
        emotion: What the message clearly voices, for the prompt.
        wishes: How the person wants to be answered.
        said: Replies so far, those set aside too, so that no written one comes twice.
    """

    message: Message
    person: Person
    past: Past
    language: Language
    emotion: str | None
    wishes: Wishes
    said: list[str]

    @property
    def hints(self) -> Hints:
        """What the prompt says about it."""
        return Hints(self.language, self.emotion, self.wishes)

    def fitting(self, verdict: CrisisVerdict) -> str:
        """The written reply that fits."""
        return fitting_reply(self.message.text, self.person.locale, verdict, self.said)

    def instead_of(self, model: ChatModel, verdict: CrisisVerdict) -> WrittenReply | None:
        """The written reply to give without this model's words, if any."""
        return instead_of_model(model.profile, self.message.text, self.person.locale, verdict, self.said)


class ReplyMaker:
    """Samples candidates, has one chosen and stores all of them with the reply.

    Args:
        stores: The repositories of a turn.
        models: Who answers in which language.
        sampler: Asks a model.
        chooser: Judges candidates.
        metrics: Counted in.
        history_messages: Most recent messages that a prompt is made of.
    """

    def __init__(
        self,
        stores: TurnStores,
        models: ModelsByLanguage,
        sampler: Sampler,
        chooser: ReplyChooser,
        metrics: Metrics,
        history_messages: int,
    ) -> None:
        self._stores = stores
        self._models = models
        self._sampler = sampler
        self._chooser = chooser
        self._metrics = metrics
        self._history_messages = history_messages

    async def make(
        self,
        message: Message,
        person: Person,
        verdict: CrisisVerdict,
        emit: Emit,
        later: Awaitable[CrisisVerdict] | None = None,
        emotion: str | None = None,
        heed: Heed | None = None,
    ) -> tuple[Message, ReplyStatus]:
        """Answer ``message``; reply and candidates are stored when this returns.

        Args:
            message: The person's message.
            person: Who wrote it.
            verdict: What the crisis layers found at once.
            emit: Told what happens.
            later: The verdict after a judge was heard beside the model's work; the reply is chosen by it.
            emotion: What the message clearly voices, for the prompt.
            heed: Asked about the sampled replies before one is chosen.

        Raises:
            Exception: When the model fails and nobody is at risk, mostly a ``ChatModelError``; a person at
                risk gets a written reply instead, whatever failed.
        """
        past = await self._stores.past(message.session_id, self._history_messages)
        said = [turn.content for turn in past.turns if turn.role == "user"]
        wishes = await self._stores.wishes(message.session_id)
        language = conversation_language(said, person.locale)
        replies = [*past.replies, *await self._stores.messages.set_aside_replies(message.id)]
        turn = _Turn(message, person, past, language, emotion, wishes, replies)
        model = self._models.for_language(turn.language)
        written = turn.instead_of(model, verdict)
        if written is not None:
            return await self._save_written(message, written), "fallback"
        try:
            return await self._of_models(turn, model, verdict, emit, later, heed)
        except Exception as error:
            verdict = await _heard(later, verdict)
            if verdict.assessment.level < RiskLevel.MODERATE:
                raise
            # Whatever broke, a person at risk is not left with an error message.
            code = error.code if isinstance(error, ChatModelError) else "internal"
            if not isinstance(error, ChatModelError):
                log_without_text(_log, "no reply of the model for a person at risk", error)
            return await self._save_written(message, WrittenReply(code, turn.fitting(verdict))), "fallback"

    async def _of_models(
        self,
        turn: _Turn,
        model: ChatModel,
        verdict: CrisisVerdict,
        emit: Emit,
        later: Awaitable[CrisisVerdict] | None,
        heed: Heed | None,
    ) -> tuple[Message, ReplyStatus]:
        """The reply of the language's own model, or of the first one when that one fails."""
        try:
            candidates = await self._sampler.draw(model, turn.past, verdict, turn.hints, emit)
        except ChatModelError as error:
            if model is self._models.first:
                raise
            self._metrics.model_fallbacks.labels(error.code).inc()
            emit(OtherModel())
            model = self._models.first
            written = turn.instead_of(model, verdict)
            if written is not None:
                return await self._save_written(turn.message, written), "fallback"
            candidates = await self._sampler.draw(model, turn.past, verdict, turn.hints, emit)
        verdict = await _heard(later, verdict)
        heeded = verdict if heed is None else await heed([one.text for one in candidates], verdict)
        if heeded.assessment.level > verdict.assessment.level:
            return await self._guided(turn, model, heeded, emit)
        return await self._chosen(turn, model, candidates, verdict, emit)

    async def _guided(
        self, turn: _Turn, model: ChatModel, verdict: CrisisVerdict, emit: Emit
    ) -> tuple[Message, ReplyStatus]:
        """Answer anew after the risk rose: those replies were sampled without guidance for it."""
        try:
            written = turn.instead_of(model, verdict)
            if written is not None:
                return await self._save_written(turn.message, written), "fallback"
            candidates = await self._sampler.draw(model, turn.past, verdict, turn.hints, emit)
            return await self._chosen(turn, model, candidates, verdict, emit)
        except Exception as error:
            log_without_text(_log, "no reply of the model after the risk rose", error)
            code = error.code if isinstance(error, ChatModelError) else "internal"
            written = WrittenReply(code, turn.fitting(verdict))
            return await self._save_written(turn.message, written), "fallback"

    async def _chosen(
        self,
        turn: _Turn,
        model: ChatModel,
        candidates: list[Candidate],
        verdict: CrisisVerdict,
        emit: Emit,
    ) -> tuple[Message, ReplyStatus]:
        message, past = turn.message, turn.past
        written = turn.instead_of(model, verdict)
        if written is not None:
            return await self._save_written(message, written), "fallback"
        emit(Working("choosing"))
        level = verdict.assessment.level
        facts = [fact.text for fact in turn.wishes.facts]
        choice = await self._chooser.choose(
            candidates, past.turns, past.tactics, past.replies, level, turn.wishes.style, facts
        )
        chosen = choice.chosen
        if chosen is not None and not _in_another_language(chosen.text, message.text, level):
            style = turn.wishes.style if level < RiskLevel.MODERATE else Style.BALANCED
            saved = await self._save(message, choice, chosen.text, "complete", model.name, style)
            return saved, "complete"
        self._metrics.fallbacks.labels("no_candidate").inc()
        text = turn.fitting(verdict)
        return await self._save(message, choice, text, "fallback", model.name), "fallback"

    async def _save_written(self, message: Message, written: WrittenReply) -> Message:
        self._metrics.fallbacks.labels(written.reason).inc()
        return await self._save(message, None, written.text, "fallback", None)

    async def _save(
        self,
        message: Message,
        choice: Choice | None,
        text: str,
        status: ReplyStatus,
        model: str | None,
        style: Style | None = None,
    ) -> Message:
        """Store candidates and reply and mark the message answered, all or nothing."""
        start = time.perf_counter()
        source = ReplySource.MODEL if status == "complete" else ReplySource.WRITTEN
        reply = NewReply(text, MessageStatus(status), source, model, style=style)
        stored = await to_the_end(self._stores.save_reply(message, choice, reply))
        self._metrics.observe("store", time.perf_counter() - start)
        return stored


def _in_another_language(reply: str, asked: str, level: RiskLevel) -> bool:
    """Whether a person at risk would get a reply in a language that they did not write in."""
    wanted = language_of(asked, "")
    return level >= RiskLevel.MODERATE and wanted == "zh" and language_of(reply, "") == "en"


async def _heard(later: Awaitable[CrisisVerdict] | None, verdict: CrisisVerdict) -> CrisisVerdict:
    """The verdict after the judge, or the first one when that could not be had."""
    if later is None:
        return verdict
    try:
        return await later
    except Exception as error:
        log_without_text(_log, "the judge's opinion could not be stored", error)
        return verdict
