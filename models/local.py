"""A chat model in this process: one worker, a bounded queue, the page up before the weights are."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from models.adapter_marks import knows_codes
from models.chat_model import (
    Candidate,
    ChatMessage,
    ModelStatus,
    QueueListener,
    RetryListener,
    SamplingParams,
    StreamChunk,
)
from models.completion import (
    estimate_tokens,
    only_thoughts,
    parse_output,
    stream_until_reply,
    template_kwargs,
    thinks,
)
from models.ecot_stream import stream_parser
from models.embedded_readers import EmbeddedReaders, Opening
from models.encoder import UNTUNED, is_installed
from models.later_sentences import read_book
from models.local_engine import Generation, LocalEngine, Prompt
from models.local_worker import LocalWorker
from models.message_kind import load_kinds
from models.profiles import Profile, load_profiles, profile_for_model
from models.weights import (
    DEFAULT_ADAPTER,
    checkpoint_name,
    default_adapter,
    load_checkpoint,
)

AdapterChoice = Path | Literal["default", "none"]
_CODE_TOKENS = 32
"""Room for the control codes at the end of a prompt, beyond the context that a profile names."""


class LocalChatModel:
    """The embedded model, or any Transformers folder, behind the ``ChatModel`` protocol.

    Loading begins with the first :meth:`check` or request; requests wait for it in the queue.
    All methods are called from one event loop.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        adapter: AdapterChoice = "default",
        profile: Profile | None = None,
        timeout_s: float = 120.0,
        max_queue: int = 64,
        threads: int = 2,
        cache_folder: Path | None = None,
        on_thoughts_only: RetryListener | None = None,
    ) -> None:
        """Prepare; nothing is read yet.

        Args:
            folder: A local Transformers folder; ``None`` is the embedded model.
            adapter: A LoRA folder; ``default`` is the one shipped for the embedded model.
            profile: Facts of the checkpoint; found by the folder's name when ``None``.
            timeout_s: Seconds one generation may take, waiting in the queue not counted.
            max_queue: Requests that may wait besides the one that is running.
            threads: CPU threads of a generation.
            cache_folder: Where the unpacked embedded model is kept.
            on_thoughts_only: Called, in the model's thread, when a request is repeated because it gave
                nothing but thoughts.
        """
        chosen = _adapter(folder, adapter)
        self._name = checkpoint_name(folder, chosen)
        fitting = profile_for_model(self._name.split("+")[0])
        self._profile = profile or fitting or load_profiles()["embedded"]
        self._timeout_s = timeout_s
        self._on_thoughts_only = on_thoughts_only
        # An adapter that was asked for and is not there stops the load; only the default may be missing.
        plain = folder is None and chosen is None and adapter == "default"
        self._warnings = (f"adapter {DEFAULT_ADAPTER.name} is missing: the plain model answers",) * plain

        # Only an adapter that knows control codes is told the kind of a message.
        self._readers: EmbeddedReaders | None = None
        if knows_codes(chosen) and is_installed(UNTUNED):
            self._readers = EmbeddedReaders(load_kinds(), on_weights=folder is None, book=read_book(chosen))

        def load() -> LocalEngine:
            room = self._profile.context_length + _CODE_TOKENS
            checkpoint = load_checkpoint(folder, chosen, cache_folder)
            if self._readers is not None:
                self._readers.load(checkpoint, chosen)
            return LocalEngine(checkpoint, room)

        self._worker = LocalWorker(load, max_queue=max_queue, threads=threads)

    @property
    def name(self) -> str:
        """Name of the model, with its adapter's."""
        return self._name

    @property
    def profile(self) -> Profile:
        """Facts of the checkpoint."""
        return self._profile

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens of messages by the model's tokenizer; an estimate while it is loading."""
        engine = self._worker.engine
        return engine.count(messages) if engine else estimate_tokens(messages)

    async def check(self) -> ModelStatus:
        """``ok``, ``loading`` or ``unreachable``; begins to load when that has not been done."""
        status = self._worker.status()
        served = (self._name,) if status.ready else ()
        missing = () if self._readers is None else self._readers.warnings
        return replace(status, served=served, warnings=(*status.warnings, *self._warnings, *missing))

    async def sample(
        self,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> list[Candidate]:
        """Draw ``n`` replies in one batch; see :class:`models.chat_model.ChatModel`."""
        chosen = params or SamplingParams.of(self._profile)
        self._refuse_early(messages, chosen)

        def job(engine: LocalEngine, stop: threading.Event) -> list[Candidate]:
            candidates = self._draw(engine, messages, n, chosen, stop)
            if only_thoughts(candidates) and thinks(self._profile, chosen) and not stop.is_set():
                if self._on_thoughts_only is not None:
                    self._on_thoughts_only()
                return self._draw(engine, messages, n, replace(chosen, thinking=False), stop)
            return candidates

        return await self._worker.run(job, on_queue)

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> AsyncIterator[StreamChunk]:
        """Draw one reply piece by piece; see :class:`models.chat_model.ChatModel`."""
        chosen = params or SamplingParams.of(self._profile)
        self._refuse_early(messages, chosen)
        draw = partial(self._pieces, messages, on_queue)
        async with aclosing(stream_until_reply(draw, self._profile, chosen)) as pieces:
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        """Stop what is running and free the weights."""
        await self._worker.close()

    async def _pieces(
        self, messages: Sequence[ChatMessage], on_queue: QueueListener | None, params: SamplingParams
    ) -> AsyncGenerator[StreamChunk]:
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | None] = asyncio.Queue()

        def put(piece: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        def job(engine: LocalEngine, stop: threading.Event) -> Generation:
            left = self._time_left()
            opening = self._begin(engine, messages, 1, params, stop)
            put(_opened(opening.prompt))
            (output,) = _generate(engine, opening, 1, params, stop, left(), put)
            return output

        running = asyncio.ensure_future(self._worker.run(job, on_queue))
        running.add_done_callback(lambda _: pieces.put_nowait(None))
        running.add_done_callback(_seen)
        parser = stream_parser(self._profile)
        try:
            while (piece := await pieces.get()) is not None:
                settled = parser.feed(piece)
                if settled.text or settled.reasoning:
                    yield StreamChunk(settled.text, settled.reasoning)
            reason = (await running).finish_reason
            last = parser.finish(cut=reason != "stop")
            yield StreamChunk(last.text, last.reasoning, reason)
        finally:
            running.cancel()

    def _draw(
        self,
        engine: LocalEngine,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams,
        stop: threading.Event,
    ) -> list[Candidate]:
        left = self._time_left()
        opening = self._begin(engine, messages, n, params, stop)
        outputs = _generate(engine, opening, n, params, stop, left())
        return [_candidate(opening.prompt, output) for output in outputs]

    def _begin(
        self,
        engine: LocalEngine,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams,
        stop: threading.Event,
    ) -> Opening:
        """The prompt, and how ``n`` replies begin and go on where that is settled."""
        make = partial(self._prompt, engine, params=params)
        if self._readers is None:
            return Opening(make(messages))
        return self._readers.begin(*(engine, messages, n, params, make), stop=stop, timeout_s=self._timeout_s)

    def _time_left(self) -> Callable[[], float]:
        """Tells how many seconds of the time for one request are left, from now on."""
        started = time.perf_counter()
        return lambda: max(0.0, self._timeout_s - (time.perf_counter() - started))

    def _prompt(self, engine: LocalEngine, messages: Sequence[ChatMessage], params: SamplingParams) -> Prompt:
        prompt = engine.prompt(messages, template_kwargs(self._profile, params))
        engine.require_room(prompt, params)
        return prompt

    def _refuse_early(self, messages: Sequence[ChatMessage], params: SamplingParams) -> None:
        """A prompt that can't fit need not wait for its turn; while loading that is not known yet."""
        if engine := self._worker.engine:
            self._prompt(engine, messages, params)


def _adapter(folder: Path | None, choice: AdapterChoice) -> Path | None:
    if isinstance(choice, Path):
        return choice
    return default_adapter() if choice == "default" and folder is None else None


def _seen(task: "asyncio.Future[Generation]") -> None:
    """Look at a task's error, which nobody awaits when the reader has left."""
    if not task.cancelled():
        task.exception()


def _generate(
    engine: LocalEngine,
    opening: Opening,
    n: int,
    params: SamplingParams,
    stop: threading.Event,
    timeout_s: float,
    on_text: Callable[[str], None] | None = None,
) -> list[Generation]:
    return engine.generate(
        opening.prompt,
        n,
        params,
        stop=stop,
        timeout_s=timeout_s,
        on_text=on_text,
        begun=opening.begun,
        later=opening.later,
    )


def _opened(prompt: Prompt) -> str:
    """What the template has written of the output already."""
    return "<think>" if prompt.opens_thought else ""


def _candidate(prompt: Prompt, output: Generation) -> Candidate:
    whole = _opened(prompt) + output.text
    parsed = parse_output(whole, "", cut=output.finish_reason != "stop", thinking=False)
    size, tokens = len(prompt.ids), output.tokens
    return Candidate(parsed.text, parsed.reasoning, output.finish_reason, size, tokens, output.seconds, whole)
