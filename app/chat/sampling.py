"""Asks a chat model for the candidates of a turn, and once more when none of them kept its form."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.chat.crisis import CrisisVerdict
from app.chat.events import Queued, TurnEvent
from app.chat.prompt import turn_prompt
from app.chat.recall import Memory
from app.chat.stores import NO_WISHES, Past, Wishes
from app.metrics import Metrics
from models.chat_model import Candidate, ChatMessage, ChatModel, SamplingParams
from models.ecot_choice import DEFAULT_THRESHOLD, all_dropped, judge_form
from models.style_effects import effect_of
from safety.levels import RiskLevel

Emit = Callable[[TurnEvent], None]


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """How a turn is sampled.

    Attributes:
        candidates: Replies asked for at a time.
        form_threshold: Lowest format reward, 0–1, of a candidate that is kept, where outputs have a form.
        prompt_folder: Prompt files that replace the built-in ones.
        memory_tokens: Most tokens of a prompt that facts may take.
    """

    candidates: int
    form_threshold: float = DEFAULT_THRESHOLD
    prompt_folder: Path | None = None
    memory_tokens: int = 300


@dataclass(frozen=True, slots=True)
class Hints:
    """What a prompt says about one turn.

    Attributes:
        language: In which to answer, if the model can.
        emotion: What the person's message clearly voices, if anything.
        wishes: Style and facts of the conversation.
    """

    language: str
    emotion: str | None = None
    wishes: Wishes = NO_WISHES


class Sampler:
    """Builds the prompt and draws candidates."""

    def __init__(self, settings: SampleSettings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics

    async def draw(
        self, model: ChatModel, past: Past, verdict: CrisisVerdict, hints: Hints, emit: Emit
    ) -> list[Candidate]:
        """Candidates of one turn, those of a second attempt after those of the first.

        Args:
            model: Who is asked.
            past: The conversation up to the person's message.
            verdict: What the crisis layers found.
            hints: What the prompt says about this turn.
            emit: Told the place in the queue.

        Raises:
            ChatModelError: See :meth:`models.chat_model.ChatModel.sample`.
        """
        start = time.perf_counter()
        prompt = self._prompt(model, past, verdict, hints)
        self._metrics.observe("prompt", time.perf_counter() - start)
        params = None
        if _level(verdict) < RiskLevel.MODERATE:
            params = effect_of(hints.wishes.style).sampling(model.profile)
        first = await self._sample(model, prompt, params, 1, emit)
        if not model.profile.ecot or not all_dropped(first):
            return first
        self._metrics.format_repeats.inc()
        return [*first, *await self._sample(model, prompt, params, 2, emit)]

    def _prompt(
        self, model: ChatModel, past: Past, verdict: CrisisVerdict, hints: Hints
    ) -> list[ChatMessage]:
        return turn_prompt(
            model.profile,
            past.turns,
            past.tactics.turns,
            _level(verdict),
            hints.language,
            model.count_tokens,
            self._settings.prompt_folder,
            hints.emotion,
            hints.wishes.style,
            Memory(hints.wishes.facts, self._settings.memory_tokens),
        )

    async def _sample(
        self,
        model: ChatModel,
        prompt: list[ChatMessage],
        params: SamplingParams | None,
        attempt: int,
        emit: Emit,
    ) -> list[Candidate]:
        start = time.perf_counter()
        found = await model.sample(
            prompt, self._settings.candidates, params, on_queue=lambda position: emit(Queued(position))
        )
        self._metrics.observe("model", time.perf_counter() - start)
        if not model.profile.ecot:
            return found
        return [judge_form(one, self._settings.form_threshold, attempt) for one in found]


def _level(verdict: CrisisVerdict) -> RiskLevel:
    """The higher of the message's and the conversation's risk."""
    return max(verdict.assessment.level, verdict.assessment.session.level)
