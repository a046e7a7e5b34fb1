from collections.abc import AsyncGenerator

import pytest

from models.chat_model import Candidate, ChatMessage, SamplingParams, StreamChunk
from models.completion import (
    estimate_tokens,
    only_thoughts,
    parse_output,
    stream_until_reply,
    template_kwargs,
    thinks,
)
from models.profiles import load_profiles

QWEN = load_profiles()["qwen3"]
EMBEDDED = load_profiles()["embedded"]


def candidate(text: str, reasoning: str | None) -> Candidate:
    return Candidate(text, reasoning, "length", 1, 1, 0.1)


def test_reasoning_of_the_server_and_of_the_text_are_joined() -> None:
    parsed = parse_output("<thinking>b</thinking><answer>Hi.</answer>", "a", cut=False, thinking=False)
    assert (parsed.text, parsed.reasoning) == ("Hi.", "a\nb")


def test_text_beside_the_servers_reasoning_is_the_reply() -> None:
    assert parse_output("I hear", "a", cut=True, thinking=True).text == "I hear"


def test_a_cut_thought_whose_opening_the_template_wrote_is_no_reply() -> None:
    assert parse_output("She seems to", "", cut=True, thinking=True).text == ""


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([candidate("", "a"), candidate(" ", "b")], True),
        ([candidate("", "a"), candidate("Hi.", "b")], False),
        ([candidate("", None)], False),
    ],
)
def test_only_thoughts_means_that_no_candidate_has_a_reply(
    candidates: list[Candidate], expected: bool
) -> None:
    assert only_thoughts(candidates) is expected


@pytest.mark.parametrize("thinking", [True, False])
def test_thinking_follows_the_request_where_the_template_knows_it(thinking: bool) -> None:
    assert template_kwargs(QWEN, SamplingParams(thinking=thinking)) == {"enable_thinking": thinking}


def test_a_template_without_thinking_is_not_asked_for_it() -> None:
    params = SamplingParams(thinking=True)
    assert template_kwargs(EMBEDDED, params) == {}
    assert not thinks(EMBEDDED, params)


@pytest.mark.parametrize("text", ["I feel so alone since my mother died.", "妈妈去世以后我一直觉得很孤单。"])
def test_the_estimate_is_not_too_low_for_plain_text(text: str) -> None:
    words = len(text.split()) if text.isascii() else len(text)
    assert words <= estimate_tokens([ChatMessage("user", text)]) <= 2 * words + 16


async def drawn(replies: dict[bool | None, list[StreamChunk]], thinking: bool) -> list[StreamChunk]:
    async def draw(params: SamplingParams) -> AsyncGenerator[StreamChunk]:
        for chunk in replies[params.thinking]:
            yield chunk

    stream = stream_until_reply(draw, QWEN, SamplingParams(thinking=thinking))
    return [chunk async for chunk in stream]


async def test_a_stream_of_thoughts_alone_is_drawn_again_without_thinking() -> None:
    thoughts = [StreamChunk(reasoning="hm"), StreamChunk(finish_reason="length")]
    reply = [StreamChunk("Hi."), StreamChunk(finish_reason="stop")]
    assert await drawn({True: thoughts, False: reply}, True) == [thoughts[0], *reply]


async def test_a_stream_with_a_reply_is_drawn_once() -> None:
    chunks = [StreamChunk(reasoning="hm"), StreamChunk("Hi."), StreamChunk(finish_reason="stop")]
    assert await drawn({True: chunks}, True) == chunks


async def test_a_stream_of_nothing_without_thinking_is_drawn_once() -> None:
    chunks = [StreamChunk(reasoning="hm"), StreamChunk(finish_reason="length")]
    assert await drawn({False: chunks}, False) == chunks
