"""What a vLLM server sends, in our own words."""

from collections.abc import AsyncIterator

from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessage
from openai.types.chat.chat_completion_chunk import Choice as ChunkChoice
from openai.types.chat.chat_completion_chunk import ChoiceDelta

from models.chat_model import Candidate, FinishReason
from models.completion import parse_output

_FINISH: dict[str | None, FinishReason] = {None: "aborted", "abort": "aborted", "length": "length"}


def candidates_of(
    answer: ChatCompletion, *, thinking: bool, max_tokens: int, seconds: float
) -> list[Candidate]:
    """The candidates of an answer in the order of their index.

    Args:
        answer: What the server sent.
        thinking: The prompt asked for a thought.
        max_tokens: Most tokens a candidate can have.
        seconds: How long the whole answer took.
    """
    choices = sorted(answer.choices, key=lambda choice: choice.index)
    # Content is null when a limit has cut the thought.
    parts = [(choice.message.content or "", reasoning_of(choice.message)) for choice in choices]
    prompt = answer.usage.prompt_tokens if answer.usage else 0
    # The server tells the tokens of all candidates together; they are shared out by length.
    size = sum(len(text) + len(thought) for text, thought in parts) or 1
    density = answer.usage.completion_tokens / size if answer.usage else 0.0
    candidates: list[Candidate] = []
    for choice, (text, thought) in zip(choices, parts, strict=True):
        finish = finish_reason(choice.finish_reason)
        parsed = parse_output(text, thought, cut=finish != "stop", thinking=thinking)
        tokens = min(round(density * (len(text) + len(thought))), max_tokens)
        candidates.append(Candidate(parsed.text, parsed.reasoning, finish, prompt, tokens, seconds, text))
    return candidates


async def first_choices(chunks: AsyncIterator[ChatCompletionChunk]) -> AsyncIterator[ChunkChoice]:
    """The choices of a stream that was asked for one candidate."""
    async for chunk in chunks:
        for choice in chunk.choices[:1]:
            yield choice


def reasoning_of(part: ChatCompletionMessage | ChoiceDelta) -> str:
    """Thoughts that a server tells apart, under either name that is in use."""
    extra = part.model_extra or {}
    return str(extra.get("reasoning") or extra.get("reasoning_content") or "")


def finish_reason(told: str | None) -> FinishReason:
    """A server's reason in our words; a stream that ended without one was cut off."""
    return _FINISH.get(told, "stop")
