"""A chat model that answers at once with varied written replies, to measure everything around it."""

from collections.abc import AsyncIterator, Sequence

from models.chat_model import (
    Candidate,
    ChatMessage,
    ModelStatus,
    QueueListener,
    SamplingParams,
    StreamChunk,
)
from models.profiles import Profile, load_profiles

_OPENINGS = (
    "That sounds like a lot to carry at once.",
    "I'm glad you told me about this.",
    "You have been holding this together for a long time.",
    "No wonder you feel worn out after a week like that.",
    "Something in what you say stays with me.",
    "It makes sense that this keeps you awake.",
    "What a painful place to be in.",
    "I can hear how much this matters to you.",
)
_MIDDLES = (
    "You are trying to be fair to everyone, and nobody seems to be fair to you.",
    "Part of you wants to move on while another part still needs time.",
    "Losing something that held so many memories can feel like a second goodbye.",
    "When we are this tired, even small things can feel like too much.",
    "It takes courage to look at it so honestly.",
    "Being told that you overreact makes it lonelier still.",
)
_ENDINGS = (
    "What would you want her to understand first?",
    "Could you take one quiet hour for yourself this week?",
    "You know yourself better than anybody else does.",
    "Who is somebody you can lean on tonight?",
    "We can look at it step by step, if you like.",
)


class ScriptedModel:
    """Answers number the calls, so that no two replies of a conversation are the same text."""

    def __init__(self) -> None:
        self._calls = 0

    @property
    def name(self) -> str:
        """Name shown in results."""
        return "scripted"

    @property
    def profile(self) -> Profile:
        """The profile whose limits apply."""
        return load_profiles()["embedded"]

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """About four characters a token."""
        return sum(len(message.content) // 4 + 4 for message in messages)

    async def sample(
        self,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> list[Candidate]:
        """``n`` different replies of five sentences, every one new."""
        del messages, params, on_queue
        self._calls += 1
        return [Candidate(self._reply(i), None, "stop", 0, 0, 0.0) for i in range(n)]

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> AsyncIterator[StreamChunk]:
        """One reply in one piece."""
        (candidate,) = await self.sample(messages, 1, params, on_queue=on_queue)
        yield StreamChunk(candidate.text, finish_reason="stop")

    async def check(self) -> ModelStatus:
        """Always ready."""
        return ModelStatus(ready=True, detail="ok", served=(self.name,))

    async def close(self) -> None:
        """Nothing to free."""

    def _reply(self, index: int) -> str:
        key = self._calls * 7 + index
        return " ".join(
            (
                _OPENINGS[key % len(_OPENINGS)],
                _MIDDLES[key % len(_MIDDLES)],
                f"After {self._calls * 8 + index} such evenings anybody would need a break.",
                _MIDDLES[(key + 3) % len(_MIDDLES)],
                _ENDINGS[key % len(_ENDINGS)],
            )
        )
