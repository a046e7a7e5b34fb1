"""From the OpenAI client's exceptions to the errors of a chat model."""

import httpx2
import openai

from models.chat_model import (
    ChatModelError,
    ContextTooLongError,
    EngineDeadError,
    ModelBusyError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnreachableError,
)

# Words of vLLM's own messages; their status codes alone do not tell these cases apart.
_TOO_LONG = ("maximum context length", "context_length_exceeded", "max_model_len", "maximum model length")
_DEAD = ("enginecore", "enginedeaderror", "engine is dead", "engine core")

_BUSY_CODES = (429, 503)
_TIMEOUT_CODES = (408, 504)
_GATEWAY_CODES = (502, 520, 521, 522, 523)
"""A reverse proxy that does not reach the server."""


def chat_model_error(error: openai.OpenAIError) -> ChatModelError:
    """The typed error for whatever the client raised.

    The text of a server's error may repeat the prompt, so it is not passed on.
    """
    if isinstance(error, openai.APITimeoutError) and not connection_lost(error):
        return ModelTimeoutError("the server did not answer in time")
    if isinstance(error, openai.APIConnectionError):
        return ModelUnreachableError(f"no connection to the server ({_cause(error)})")
    if isinstance(error, openai.APIError):
        return _from_answer(_status(error), f"{error.message} {error.body}".casefold())
    return ModelRefusedError(f"the client refused the request ({type(error).__name__})")


def connection_lost(error: openai.OpenAIError) -> bool:
    """Whether there was no connection, as opposed to an answer or to a silence."""
    silent = isinstance(error, openai.APITimeoutError) and not isinstance(
        error.__cause__, httpx2.ConnectTimeout
    )
    return isinstance(error, openai.APIConnectionError) and not silent


def _from_answer(status: int, text: str) -> ChatModelError:
    if any(mark in text for mark in _DEAD):
        return EngineDeadError("the engine of the server has died; restart the server")
    if status in _BUSY_CODES:
        return ModelBusyError(f"the server's queue is full ({status})")
    if status in _TIMEOUT_CODES:
        return ModelTimeoutError(f"the server gave up waiting ({status})")
    if status in _GATEWAY_CODES:
        return ModelUnreachableError(f"the proxy does not reach the server ({status})")
    if any(mark in text for mark in _TOO_LONG):
        return ContextTooLongError("prompt and reply do not fit the server's context")
    if 300 <= status < 500:
        return ModelRefusedError(f"the server refused the request ({status})")
    return ChatModelError(f"the server failed ({status})")


def _status(error: openai.APIError) -> int:
    """HTTP status, or the code inside an error that came in the middle of a stream."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code
    return int(error.code) if error.code is not None and error.code.isdecimal() else 500


def _cause(error: BaseException) -> str:
    return type(error.__cause__ or error).__name__
