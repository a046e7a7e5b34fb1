"""A chat model behind a vLLM server: one request for n candidates; hanging up aborts the generation."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from models.chat_model import (
    Candidate,
    ChatMessage,
    ChatModelError,
    ModelRefusedError,
    ModelStatus,
    ModelTimeoutError,
    QueueListener,
    RetryListener,
    SamplingParams,
    StreamChunk,
)
from models.completion import estimate_tokens, only_thoughts, stream_until_reply, template_kwargs, thinks
from models.ecot_stream import stream_parser
from models.profiles import Profile, load_profiles, profile_for_model
from models.server_address import exposure_warnings, reach_of
from models.vllm_answers import candidates_of, finish_reason, first_choices, reasoning_of
from models.vllm_connection import ServedModels, VllmConnection
from models.waiting_line import WaitingLine

_UNNAMED = "vllm"
"""What the model is called until the server was asked."""
_PROFILE_OF_UNKNOWN = "qwen3"

_log = logging.getLogger(__name__)


class VllmChatModel:
    """The ``ChatModel`` of a server that speaks the OpenAI protocol; called from one event loop."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        model: str | None = None,
        profile: Profile | None = None,
        timeout_s: float = 120.0,
        max_concurrency: int = 32,
        max_queue: int = 256,
        retries: int = 2,
        retry_wait_s: float = 0.5,
        on_thoughts_only: RetryListener | None = None,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            url: Address of the server, such as ``http://127.0.0.1:8000/v1``.
            api_key: Key the server was started with.
            model: Served model to ask for; ``None`` takes the first that a profile knows.
            profile: Facts of the checkpoint; found by the model's name when ``None``.
            timeout_s: Seconds one request may take, waiting for a slot not counted.
            max_concurrency: Requests sent at once.
            max_queue: Requests that may wait for a slot.
            retries: Tries after the first one when no connection can be made.
            retry_wait_s: Wait before the first retry; doubled for each further one.
            on_thoughts_only: Called when a request is repeated because it gave nothing but thoughts.
        """
        self._connection = VllmConnection(
            url, api_key, timeout_s=timeout_s, retries=retries, retry_wait_s=retry_wait_s
        )
        self._wanted = model
        self._model = model
        self._given_profile = profile
        self._timeout_s = timeout_s
        self._line = WaitingLine(max_concurrency, max_queue)
        self._context: int | None = None
        self._told: tuple[str, ...] = ()
        self._on_thoughts_only = on_thoughts_only

    @property
    def name(self) -> str:
        """The served model that is asked for."""
        return self._model or _UNNAMED

    @property
    def profile(self) -> Profile:
        """Facts of the checkpoint, with the server's own context length once that is known."""
        profile = self._given_profile or profile_for_model(self.name) or load_profiles()[_PROFILE_OF_UNKNOWN]
        if self._context is not None and self._context < profile.context_length:
            return replace(profile, context_length=self._context)
        return profile

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """An estimate that is rather too high; the tokenizer is on the server."""
        return estimate_tokens(messages)

    async def check(self) -> ModelStatus:
        """Ask the server how it is and what it serves."""
        try:
            await self._connection.require_health()
            served = await self._connection.served()
            self._choose(served)
        except ChatModelError as error:
            return ModelStatus(False, error.code, (), (str(error),))
        warnings = (*self._profile_warnings(), *await self._exposure_warnings())
        for warning in warnings:
            if warning not in self._told:
                _log.warning("chat model: %s", warning)
        self._told = warnings
        return ModelStatus(True, "ok", served.names, warnings)

    async def sample(
        self,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> list[Candidate]:
        """Draw ``n`` replies in one request; see :class:`models.chat_model.ChatModel`."""
        async with self._line.slot(on_queue):
            await self._require_model()
            chosen = params or SamplingParams.of(self.profile)
            candidates = await self._draw(messages, n, chosen)
            if only_thoughts(candidates) and thinks(self.profile, chosen):
                if self._on_thoughts_only is not None:
                    self._on_thoughts_only()
                return await self._draw(messages, n, replace(chosen, thinking=False))
            return candidates

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> AsyncIterator[StreamChunk]:
        """Draw one reply piece by piece; see :class:`models.chat_model.ChatModel`."""
        async with self._line.slot(on_queue):
            await self._require_model()
            chosen = params or SamplingParams.of(self.profile)
            draw = partial(self._pieces, messages)
            async with aclosing(stream_until_reply(draw, self.profile, chosen)) as pieces:
                async for piece in pieces:
                    yield piece

    async def close(self) -> None:
        """Close all connections."""
        await self._connection.close()

    async def _draw(self, messages: Sequence[ChatMessage], n: int, params: SamplingParams) -> list[Candidate]:
        # Greedy candidates would all be the same, and vLLM refuses to draw more than one.
        drawn = 1 if params.temperature == 0 else n
        start = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await self._connection.complete(self._request(messages, drawn, params))
        except TimeoutError as error:
            raise self._late() from error
        candidates = candidates_of(
            answer,
            thinking=thinks(self.profile, params),
            max_tokens=params.max_tokens,
            seconds=time.perf_counter() - start,
        )
        return candidates if drawn == n else candidates * n

    async def _pieces(
        self, messages: Sequence[ChatMessage], params: SamplingParams
    ) -> AsyncGenerator[StreamChunk]:
        parser = stream_parser(self.profile, expect_thought=thinks(self.profile, params))
        deadline = time.monotonic() + self._timeout_s
        reason: str | None = None
        async with aclosing(self._connection.chunks(self._request(messages, 1, params))) as chunks:
            async for choice in first_choices(chunks):
                if time.monotonic() > deadline:
                    raise self._late()
                reason = choice.finish_reason or reason
                if reasoning := reasoning_of(choice.delta):
                    parser = stream_parser(self.profile)  # the server tells thoughts apart itself
                    yield StreamChunk(reasoning=reasoning)
                settled = parser.feed(choice.delta.content or "")
                if settled.text or settled.reasoning:
                    yield StreamChunk(settled.text, settled.reasoning)
        finish = finish_reason(reason)
        last = parser.finish(cut=finish != "stop")
        yield StreamChunk(last.text, last.reasoning, finish)

    def _late(self) -> ModelTimeoutError:
        return ModelTimeoutError(f"no complete answer within {self._timeout_s:g} s")

    def _request(self, messages: Sequence[ChatMessage], n: int, params: SamplingParams) -> dict[str, Any]:
        extra: dict[str, Any] = {"repetition_penalty": params.repetition_penalty}
        if params.top_k is not None:
            extra["top_k"] = params.top_k
        if kwargs := template_kwargs(self.profile, params):
            extra["chat_template_kwargs"] = kwargs
        # No seed: with one, vLLM's CPU engine dies under load.
        return {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "n": n,
            "temperature": params.temperature,
            "top_p": params.top_p,
            "max_tokens": params.max_tokens,
            "extra_body": extra,
        }

    async def _require_model(self) -> None:
        """Make sure that the served model is known before the first request."""
        if self._model is None or self._context is None:
            self._choose(await self._connection.served())

    def _choose(self, served: ServedModels) -> None:
        name = self._wanted
        if name is None:
            known = [name for name in served.names if profile_for_model(name) is not None]
            name = next(iter(known or served.names), None)
        if name is None or name not in served.names:
            listed = ", ".join(served.names) or "no model"
            msg = f"the server offers {listed}, not {self._wanted or 'a model'}"
            raise ModelRefusedError(msg)
        self._model = name
        self._context = served.contexts.get(name, self.profile.context_length)

    def _profile_warnings(self) -> tuple[str, ...]:
        if self._given_profile is not None or profile_for_model(self.name) is not None:
            return ()
        known = ", ".join(name for profile in load_profiles().values() for name in profile.model_ids[:1])
        return (
            f"the server offers {self.name}, which no profile knows (they know {known} and relatives); "
            f"it is used with the settings of {self.profile.key}",
        )

    async def _exposure_warnings(self) -> tuple[str, ...]:
        """A key guards only part of vLLM's pages, so its address must not be public."""
        reach = await reach_of(self._connection.root)
        try:
            open_to_all = reach == "public" and await self._connection.answers_without_key()
        except ChatModelError:
            open_to_all = False
        return exposure_warnings(reach, open_to_all=open_to_all)
