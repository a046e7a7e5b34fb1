"""What both back ends do with a raw output: take it apart, and see whether thinking ate it up."""

import math
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from models.chat_model import Candidate, ChatMessage, SamplingParams, StreamChunk
from models.ecot import ParsedReply, parse_reply
from models.profiles import Profile

_BYTES_PER_TOKEN = 3
_TOKENS_AROUND_A_MESSAGE = 8


def parse_output(output: str, reasoning: str, *, cut: bool, thinking: bool) -> ParsedReply:
    """Take an output apart.

    Args:
        output: What the model wrote.
        reasoning: What a server had already told apart as reasoning; may be empty.
        cut: The output was ended by a limit or a stop.
        thinking: The prompt asked for a thought, which may have been opened by the template.
    """
    parsed = parse_reply(output, expect_thought=thinking and not reasoning, cut=cut)
    thoughts = "\n".join(part for part in (reasoning.strip(), parsed.reasoning) if part)
    return replace(parsed, reasoning=thoughts or None)


def only_thoughts(candidates: Sequence[Candidate]) -> bool:
    """Whether there is no reply because every candidate spent its tokens on thinking."""
    return all(not candidate.text.strip() and candidate.reasoning for candidate in candidates)


async def stream_until_reply(
    draw: Callable[[SamplingParams], AsyncGenerator[StreamChunk]], profile: Profile, params: SamplingParams
) -> AsyncGenerator[StreamChunk]:
    """Stream one candidate, and a second one without thinking if the first was nothing but thoughts."""
    said = thought = False
    async with aclosing(draw(params)) as chunks:
        async for chunk in chunks:
            said, thought = said or bool(chunk.text), thought or bool(chunk.reasoning)
            if chunk.finish_reason is None or said or not thought or not thinks(profile, params):
                yield chunk
                continue
            break
        else:
            return
    async with aclosing(draw(replace(params, thinking=False))) as chunks:
        async for chunk in chunks:
            yield chunk


def template_kwargs(profile: Profile, params: SamplingParams) -> dict[str, Any]:
    """Chat template arguments of a request; thinking follows the parameters where the template knows it."""
    kwargs = dict(profile.chat_template_kwargs)
    if params.thinking is not None and "enable_thinking" in kwargs:
        kwargs["enable_thinking"] = params.thinking
    return kwargs


def thinks(profile: Profile, params: SamplingParams) -> bool:
    """Whether a request asks the model to think before it answers."""
    return bool(template_kwargs(profile, params).get("enable_thinking", False))


def estimate_tokens(messages: Sequence[ChatMessage]) -> int:
    """Tokens of messages without their tokenizer: rather too many, in English and in Chinese."""
    return sum(
        math.ceil(len(message.content.encode()) / _BYTES_PER_TOKEN) + _TOKENS_AROUND_A_MESSAGE
        for message in messages
    )
