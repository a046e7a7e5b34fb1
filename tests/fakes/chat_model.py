"""A chat model whose answers and failures a test writes down beforehand."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from models.chat_model import (
    Candidate,
    ChatMessage,
    ChatModelError,
    ModelStatus,
    QueueListener,
    SamplingParams,
    StreamChunk,
)
from models.profiles import Profile, load_profiles

Script = Callable[[Sequence[ChatMessage], int], list[str]]


class FakeChatModel:
    """Answers from a script; remembers prompts; can wait, fail and tell that it was cancelled."""

    def __init__(
        self,
        script: Script,
        *,
        error: ChatModelError | None = None,
        hold: bool = False,
        profile: Profile | None = None,
        name: str = "fake",
    ) -> None:
        self._script = script
        capable = replace(load_profiles()["embedded"], answers_at_risk=True, monolingual=False)
        self._profile = profile or capable
        self._name = name
        self.error = error
        self.prompts: list[list[ChatMessage]] = []
        self.params: list[SamplingParams | None] = []
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.cancelled = asyncio.Event()
        if not hold:
            self.release.set()

    @property
    def name(self) -> str:
        return self._name

    @property
    def profile(self) -> Profile:
        return self._profile

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        return sum(len(message.content) // 3 + 4 for message in messages)

    async def sample(
        self,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> list[Candidate]:
        self.params.append(params)
        self.prompts.append(list(messages))
        self.started.set()
        if on_queue is not None:
            on_queue(0)
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        if self.error is not None:
            raise self.error
        texts = self._script(messages, n)
        return [Candidate(text, None, "stop", 10, len(text) // 4, 0.01) for text in texts]

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> AsyncIterator[StreamChunk]:
        (candidate,) = await self.sample(messages, 1, params, on_queue=on_queue)
        yield StreamChunk(candidate.text)
        yield StreamChunk(finish_reason="stop")

    async def check(self) -> ModelStatus:
        return ModelStatus(ready=True, detail="ok", served=("fake",))

    async def close(self) -> None:
        self.release.set()
