"""Lost connections, silences and retries, against a server that fails as it is told."""

import pytest

from evals.free_port import free_port
from models.chat_model import (
    ChatMessage,
    ChatModelError,
    ModelAnswerError,
    ModelTimeoutError,
    ModelUnreachableError,
    SamplingParams,
    StreamChunk,
)
from models.vllm import VllmChatModel
from tests.fakes.flaky_server import Behaviour, flaky_server

HELLO = [ChatMessage("user", "Hello.")]
PARAMS = SamplingParams(max_tokens=8)


PATIENCE_S = 60.0
"""For what is not about time: a busy machine may take its own."""
SILENCE_S = 1.0


def model_at(url: str, timeout_s: float = PATIENCE_S) -> VllmChatModel:
    return VllmChatModel(url, timeout_s=timeout_s, retries=2, retry_wait_s=0.001)


@pytest.fixture
def closed_port() -> int:
    return free_port()


async def test_an_address_where_nothing_listens_is_unreachable(closed_port: int) -> None:
    model = model_at(f"http://127.0.0.1:{closed_port}")
    with pytest.raises(ModelUnreachableError):
        await model.sample(HELLO, 1, PARAMS)
    status = await model.check()
    await model.close()
    assert (status.ready, status.detail, status.served) == (False, "unreachable", ())


@pytest.mark.parametrize(
    ("script", "requests"),
    [(["answer"], 1), (["drop", "answer"], 2), (["drop", "drop", "answer"], 3)],
)
async def test_a_lost_connection_is_tried_again(script: list[Behaviour], requests: int) -> None:
    async with flaky_server(script) as server:
        model = model_at(server.url)
        (candidate,) = await model.sample(HELLO, 1, PARAMS)
        await model.close()
    assert candidate.text == "Hello."
    assert len(server.asked) == requests


async def test_tries_come_to_an_end() -> None:
    async with flaky_server(["drop"] * 10) as server:
        model = model_at(server.url)
        with pytest.raises(ModelUnreachableError):
            await model.sample(HELLO, 1, PARAMS)
        await model.close()
    assert len(server.asked) == 3


@pytest.mark.parametrize("fault", ["drop", "empty stream"])
async def test_a_stream_that_is_lost_before_its_first_token_is_tried_again(fault: Behaviour) -> None:
    async with flaky_server([fault, "stream"]) as server:
        model = model_at(server.url)
        chunks = [chunk async for chunk in model.stream(HELLO, PARAMS)]
        await model.close()
    assert chunks == [StreamChunk("Hello."), StreamChunk(finish_reason="stop")]


@pytest.mark.parametrize("fault", ["break in stream", "end in stream"])
async def test_a_stream_that_is_lost_after_its_first_token_is_not_tried_again(fault: Behaviour) -> None:
    async with flaky_server([fault, "stream"]) as server:
        model = model_at(server.url)
        seen: list[str] = []

        async def read() -> None:
            async for chunk in model.stream(HELLO, PARAMS):
                seen.append(chunk.text)

        with pytest.raises(ModelUnreachableError):
            await read()
        await model.close()
    assert seen == ["Hel"]
    assert len(server.asked) == 1


async def test_a_silent_server_is_given_up_and_not_asked_again() -> None:
    async with flaky_server(["silence"]) as server:
        model = model_at(server.url, timeout_s=SILENCE_S)
        with pytest.raises(ModelTimeoutError):
            await model.sample(HELLO, 1, PARAMS)
        await model.close()
    assert len(server.asked) == 1


async def test_a_silent_stream_is_given_up() -> None:
    async with flaky_server(["silence"]) as server:
        model = model_at(server.url, timeout_s=SILENCE_S)
        with pytest.raises(ModelTimeoutError):
            await anext(model.stream(HELLO, PARAMS))
        await model.close()


async def test_the_slot_is_free_after_a_failure() -> None:
    async with flaky_server(["drop", "answer"]) as server:
        model = VllmChatModel(server.url, timeout_s=PATIENCE_S, max_concurrency=1, retries=0)
        with pytest.raises(ChatModelError):
            await model.sample(HELLO, 1, PARAMS)
        assert len(await model.sample(HELLO, 1, PARAMS)) == 1
        await model.close()


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
async def test_the_address_may_end_with_the_version_or_not(suffix: str) -> None:
    async with flaky_server([]) as server:
        model = model_at(server.url + suffix)
        assert (await model.check()).served == ("m",)
        await model.close()


NO_ANSWERS = [
    ("<!doctype html><title>Proxy</title>", "text/html"),
    ("<!doctype html><title>Proxy</title>", "application/json"),
    ('{"x": 1}', "application/json"),
    ("null", "application/json"),
    ("[1]", "application/json"),
    ('{"choices": []}', "application/json"),
    ('{"choices": [1]}', "application/json"),
    ('{"choices": [{"index": 0, "message": null}]}', "application/json"),
    ('{"choices": [{"index": 0, "message": {"content": 5}}]}', "application/json"),
    ('{"choices": [{"index": 0, "message": {"content": "a"}}], "usage": 1}', "application/json"),
]


@pytest.mark.parametrize("body", NO_ANSWERS)
async def test_what_is_no_answer_is_a_failure_of_the_model(body: tuple[str, str]) -> None:
    async with flaky_server(["body"]) as server:
        server.body = body
        model = model_at(server.url)
        with pytest.raises(ModelAnswerError) as caught:
            await model.sample(HELLO, 2, PARAMS)
        await model.close()
    assert caught.value.code == "model_error"
    assert caught.value.retryable


@pytest.mark.parametrize(
    "piece", ['{"x": 1}', "null", "[1]", "<html>", '{"choices": [1]}', '{"choices": [{}]}']
)
async def test_what_is_no_piece_of_a_stream_is_a_failure_of_the_model(piece: str) -> None:
    async with flaky_server(["body"]) as server:
        server.body = (f"data: {piece}\n\n", "text/event-stream")
        model = model_at(server.url)
        with pytest.raises(ModelAnswerError):
            [chunk async for chunk in model.stream(HELLO, PARAMS)]
        await model.close()


@pytest.mark.parametrize("models", ["<html>", "null", '{"x": 1}', '{"data": [1]}', '"x"'])
async def test_a_list_of_models_that_is_none_is_a_failure_of_the_model(models: str) -> None:
    async with flaky_server([]) as server:
        server.models = models
        model = model_at(server.url)
        with pytest.raises(ModelAnswerError):
            await model.sample(HELLO, 1, PARAMS)
        status = await model.check()
        await model.close()
    assert (status.ready, status.detail) == (False, "model_error")
