import httpx2
import openai
import pytest

from models.chat_model import (
    ChatModelError,
    ContextTooLongError,
    EngineDeadError,
    ModelBusyError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnreachableError,
)
from models.vllm_errors import chat_model_error

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")


def not_connected() -> openai.APITimeoutError:
    """What the client raises when the server's address does not even take a connection."""
    error = openai.APITimeoutError(request=REQUEST)
    error.__cause__ = httpx2.ConnectTimeout("")
    return error


def answered(status: int, message: str = "") -> openai.APIStatusError:
    return openai.APIStatusError(message, response=httpx2.Response(status, request=REQUEST), body=None)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (answered(503, "queue full"), ModelBusyError),
        (answered(429), ModelBusyError),
        (answered(401), ModelRefusedError),
        (answered(403), ModelRefusedError),
        (answered(404, "The model `x` does not exist."), ModelRefusedError),
        (answered(422), ModelRefusedError),
        (answered(302), ModelRefusedError),
        (answered(400, "This model's maximum context length is 2048 tokens."), ContextTooLongError),
        (answered(400, "top_p must be in (0, 1]"), ModelRefusedError),
        (answered(500, "EngineCore encountered an issue."), EngineDeadError),
        (answered(500, "boom"), ChatModelError),
        (answered(502), ModelUnreachableError),
        (answered(504), ModelTimeoutError),
        (openai.APITimeoutError(request=REQUEST), ModelTimeoutError),
        (not_connected(), ModelUnreachableError),
        (openai.APIConnectionError(request=REQUEST), ModelUnreachableError),
        (openai.APIError("EngineCore encountered an issue.", REQUEST, body={"code": 500}), EngineDeadError),
        (openai.APIError("full", REQUEST, body={"code": 503}), ModelBusyError),
        (openai.APIError("odd", REQUEST, body={"code": "odd"}), ChatModelError),
    ],
)
def test_each_failure_has_its_own_type(error: openai.OpenAIError, kind: type[ChatModelError]) -> None:
    assert type(chat_model_error(error)) is kind


def test_a_servers_words_are_not_passed_on() -> None:
    error = chat_model_error(answered(400, "bad message: I want to die"))
    assert "die" not in str(error)
