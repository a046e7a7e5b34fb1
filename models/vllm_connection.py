"""The wire to a vLLM server: one OpenAI client, health, the list of models, streams with retries."""

import asyncio
import random
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from models.answer_form import is_answer, is_chunk, is_model_list
from models.chat_model import ChatModelError, EngineDeadError, ModelAnswerError, ModelUnreachableError
from models.server_address import is_internal
from models.vllm_errors import chat_model_error, connection_lost

_CONNECT_S = 5.0
_HEALTH_S = 3.0
_NO_KEY = "none"
"""The client insists on a key; a server without one ignores it."""


@dataclass(frozen=True, slots=True)
class ServedModels:
    """What ``/v1/models`` lists.

    Attributes:
        names: Names to ask for, in the server's order.
        contexts: Longest prompt and reply together by name, where the server tells it.
    """

    names: tuple[str, ...]
    contexts: dict[str, int] = field(default_factory=dict[str, int])


class VllmConnection:
    """Talks to one server; every failure is a :class:`ChatModelError`."""

    def __init__(
        self, url: str, api_key: str | None, *, timeout_s: float, retries: int, retry_wait_s: float
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            url: Address, with or without ``/v1`` at its end.
            api_key: Key the server was started with.
            timeout_s: Longest silence of a server that is answering.
            retries: Tries after the first one when no connection can be made.
            retry_wait_s: Wait before the first retry; doubled for each further one.
        """
        self._root = url.rstrip("/").removesuffix("/v1").rstrip("/")
        self._retries = retries
        self._retry_wait_s = retry_wait_s
        # Internal addresses are no business of a proxy, and a redirect could carry the key elsewhere.
        self._http = openai.DefaultAsyncHttpx2Client(
            trust_env=not is_internal(self._root), follow_redirects=False
        )
        self._client = openai.AsyncOpenAI(
            base_url=f"{self._root}/v1",
            api_key=api_key or _NO_KEY,
            max_retries=0,
            timeout=openai.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
            http_client=self._http,
        )

    @property
    def root(self) -> str:
        """Address of the server without ``/v1``."""
        return self._root

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def served(self) -> ServedModels:
        """List the models that are served."""
        try:
            page = await self._client.with_options(timeout=_HEALTH_S).models.list()
        except openai.OpenAIError as error:
            raise chat_model_error(error) from error
        except (ValueError, AttributeError) as error:
            # No JSON at all, or a bare null, which the client itself does not expect.
            raise _no_answer() from error
        if not is_model_list(page):
            raise _no_answer()
        lengths: dict[str, Any] = {
            entry.id: (entry.model_extra or {}).get("max_model_len") for entry in page.data
        }
        contexts = {name: length for name, length in lengths.items() if isinstance(length, int)}
        return ServedModels(tuple(lengths), contexts)

    async def require_health(self) -> None:
        """Ask vLLM's health page; a server of another make that has none passes.

        Raises:
            EngineDeadError: The server lives, its engine does not.
            ModelUnreachableError: Nothing answers.
        """
        status = await self._status("/health")
        if status == 503:
            raise EngineDeadError("the engine of the server has died; restart the server")

    async def answers_without_key(self) -> bool:
        """Whether anybody who reaches the address can use the models."""
        return await self._status("/v1/models") == 200

    async def complete(self, request: dict[str, Any]) -> ChatCompletion:
        """Send a request and wait for the whole answer; cancelling this aborts the generation.

        Eight candidates in one piece cost the event loop 7 ms, as a stream 300 ms.
        """
        for attempt in range(self._retries + 1):
            try:
                answer = await self._client.chat.completions.create(**request, stream=False)
            except openai.OpenAIError as error:
                if not connection_lost(error) or attempt == self._retries:
                    raise await self._diagnose(chat_model_error(error)) from error
            except ValueError as error:
                raise _no_answer() from error
            else:
                if not is_answer(answer):
                    raise _no_answer()
                return answer
            await self._back_off(attempt)
        raise AssertionError  # the last attempt returns or raises

    async def chunks(self, request: dict[str, Any]) -> AsyncGenerator[ChatCompletionChunk]:
        """Send a request and yield what the server streams; closing this aborts the generation.

        A lost connection is tried again only as long as nothing has arrived. A stream that ends without a
        reason was lost too, however quietly the connection was closed.
        """
        for attempt in range(self._retries + 1):
            arrived = ended = False
            try:
                async with await self._client.chat.completions.create(**request, stream=True) as stream:
                    async for chunk in stream:
                        if not is_chunk(chunk):
                            raise _no_answer()
                        arrived = True
                        ended = ended or any(choice.finish_reason for choice in chunk.choices)
                        yield chunk
                if ended:
                    return
                lost: openai.OpenAIError | None = None
            except openai.OpenAIError as error:
                if not connection_lost(error):
                    raise await self._diagnose(chat_model_error(error)) from error
                lost = error
            except ValueError as error:
                raise _no_answer() from error
            if arrived or attempt == self._retries:
                typed = chat_model_error(lost) if lost else ModelUnreachableError("the reply was cut off")
                raise await self._diagnose(typed) from lost
            await self._back_off(attempt)

    async def _back_off(self, attempt: int) -> None:
        # Spread out, or all waiting requests would come back in the same moment.
        await asyncio.sleep(self._retry_wait_s * 2**attempt * random.uniform(0.5, 1.5))  # noqa: S311

    async def _diagnose(self, typed: ChatModelError) -> ChatModelError:
        """The error that fits best: a broken connection or a server error may mean a dead engine."""
        if type(typed) in (ChatModelError, ModelUnreachableError):
            try:
                await self.require_health()
            except ChatModelError as found:
                return found
        return typed

    async def _status(self, path: str) -> int:
        try:
            answer = await self._http.get(self._root + path, timeout=_HEALTH_S)
        except Exception as error:  # the HTTP library's errors share no public base with the client's
            msg = f"no connection to the server ({type(error).__name__})"
            raise ModelUnreachableError(msg) from error
        return answer.status_code


def _no_answer() -> ModelAnswerError:
    """For a body of another form, whatever its status; its text is not passed on."""
    return ModelAnswerError("what the server sent is no answer of a model: is the address that of the model?")
