"""The engine of a real vLLM server is killed in the middle of a reply."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass

import pytest

from evals.vllm_server import VllmServer, vllm_server
from models.chat_model import (
    ChatModelError,
    EngineDeadError,
    ModelStatus,
    ModelUnreachableError,
    SamplingParams,
)
from models.profiles import load_profiles
from models.vllm import VllmChatModel
from tests.integration.models.vllm_world import GRIEF, START_TIMEOUT_S, engines, require_vllm
from tests.scripted_qwen3 import ENDLESS, write_checkpoint

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(START_TIMEOUT_S)]

CONTEXT = 32_768
MOST = 32_000
"""The tiny model writes 1,900 tokens in two seconds, which a busy machine can let pass unnoticed."""


@dataclass(frozen=True)
class Aftermath:
    """What was seen after the engine died."""

    during: ChatModelError
    status: ModelStatus
    later: ChatModelError


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aftermath]:
    require_vllm()
    folder = tmp_path_factory.mktemp("vllm")
    checkpoint = write_checkpoint(folder / "checkpoint", ENDLESS, context=CONTEXT)
    length = ("--max-model-len", str(CONTEXT))
    with vllm_server(checkpoint, "endless", folder / "server.log", length) as server:
        yield asyncio.run(kill_in_mid_reply(server))


async def kill_in_mid_reply(server: VllmServer) -> Aftermath:
    model = VllmChatModel(server.url, profile=load_profiles()["qwen3"], retry_wait_s=0.1)
    async with aclosing(model.stream(GRIEF, SamplingParams(thinking=False, max_tokens=MOST))) as chunks:
        await anext(chunks)
        for engine in engines(server):
            engine.kill()
        with pytest.raises(ChatModelError) as during:
            async for _ in chunks:
                pass
    status = await model.check()
    with pytest.raises(ChatModelError) as later:
        await model.sample(GRIEF, 1)
    await model.close()
    return Aftermath(during.value, status, later.value)


def test_the_reply_that_was_cut_off_ends_with_a_dead_engine(aftermath: Aftermath) -> None:
    assert isinstance(aftermath.during, EngineDeadError)


def test_the_check_says_that_nobody_can_be_served(aftermath: Aftermath) -> None:
    assert not aftermath.status.ready
    assert aftermath.status.detail in ("engine_dead", "unreachable")


def test_the_next_request_fails_with_a_type(aftermath: Aftermath) -> None:
    assert isinstance(aftermath.later, EngineDeadError | ModelUnreachableError)
