"""A real Qwen3 in small, with Qwen3's template and reasoning parser, behind a real vLLM server."""

from collections.abc import AsyncIterator, Iterator

import openai
import pytest

from evals.vllm_server import VllmServer, vllm_server
from models.chat_model import SamplingParams
from models.profiles import load_profiles
from models.vllm import VllmChatModel
from tests.integration.models.vllm_world import GRIEF, START_TIMEOUT_S, require_vllm
from tests.scripted_qwen3 import write_checkpoint

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(START_TIMEOUT_S)]

NAME = "small-qwen3"
REPLY = "I hear you. That sounds hard!"
THOUGHT = "She needs comfort before advice, so listen"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    require_vllm()
    folder = tmp_path_factory.mktemp("vllm")
    checkpoint = write_checkpoint(folder / "checkpoint")
    arguments = ("--reasoning-parser", "qwen3")
    with vllm_server(checkpoint, NAME, folder / "server.log", arguments) as running:
        yield running


@pytest.fixture
async def model(server: VllmServer) -> AsyncIterator[VllmChatModel]:
    model = VllmChatModel(server.url, profile=load_profiles()["qwen3"])
    yield model
    await model.close()


async def test_thoughts_are_kept_apart_from_the_reply(model: VllmChatModel) -> None:
    for candidate in await model.sample(GRIEF, 8, SamplingParams(thinking=True, max_tokens=40)):
        assert (candidate.text, candidate.reasoning, candidate.finish_reason) == (REPLY, THOUGHT, "stop")


async def test_without_thinking_there_are_no_thoughts(model: VllmChatModel) -> None:
    for candidate in await model.sample(GRIEF, 8, SamplingParams(thinking=False, max_tokens=40)):
        assert (candidate.text, candidate.reasoning) == (REPLY, None)


async def test_the_server_sends_null_as_content_when_a_thought_is_cut(server: VllmServer) -> None:
    """The trap that the next test is about is real."""
    async with openai.AsyncOpenAI(base_url=server.url, api_key="none") as client:
        answer = await client.chat.completions.create(
            model=NAME, messages=[{"role": "user", "content": "hi"}], max_tokens=4
        )
    message = answer.choices[0].message
    assert message.content is None
    assert (message.model_extra or {})["reasoning"]


async def test_a_cut_thought_leads_to_a_reply_without_thinking_and_is_told(server: VllmServer) -> None:
    told: list[str] = []
    model = VllmChatModel(
        server.url, profile=load_profiles()["qwen3"], on_thoughts_only=lambda: told.append("again")
    )
    for candidate in await model.sample(GRIEF, 4, SamplingParams(thinking=True, max_tokens=6)):
        assert (candidate.text, candidate.reasoning) == ("I hear you. That sounds", None)
    assert told == ["again"]
    await model.close()


async def test_a_stream_keeps_thoughts_apart(model: VllmChatModel) -> None:
    params = SamplingParams(thinking=True, max_tokens=40)
    chunks = [chunk async for chunk in model.stream(GRIEF, params)]
    assert "".join(chunk.text for chunk in chunks) == REPLY
    assert "".join(chunk.reasoning for chunk in chunks).strip() == THOUGHT
    assert chunks[-1].finish_reason == "stop"


async def test_a_stream_of_a_cut_thought_goes_on_with_a_reply(model: VllmChatModel) -> None:
    params = SamplingParams(thinking=True, max_tokens=6)
    chunks = [chunk async for chunk in model.stream(GRIEF, params)]
    assert "".join(chunk.text for chunk in chunks) == "I hear you. That sounds"
    assert [chunk.finish_reason for chunk in chunks if chunk.finish_reason] == ["length"]


async def test_a_model_that_no_profile_knows_is_warned_of(server: VllmServer) -> None:
    model = VllmChatModel(server.url)
    status = await model.check()
    await model.close()
    assert status.ready
    assert [NAME in warning for warning in status.warnings] == [True]
