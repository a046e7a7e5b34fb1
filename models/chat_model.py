"""The protocol every chat model back end fulfils, and the values that cross it.

Two back ends exist: :mod:`models.vllm` (an OpenAI-compatible server) and
:mod:`models.local` (a Transformers model in this process).
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from models.ecot_form import Form
from models.profiles import Profile

Role = Literal["system", "user", "assistant"]
FinishReason = Literal["stop", "length", "aborted"]
QueueListener = Callable[[int], None]
"""Called with the number of requests still ahead (0 = this one is running now)."""
RetryListener = Callable[[], None]
"""Called when a request is sent a second time."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How candidates are drawn; see the profile for each checkpoint's defaults.

    Attributes:
        temperature: Softmax temperature; 0 means greedy.
        top_p: Nucleus mass in (0, 1].
        top_k: Number of most likely tokens kept, or ``None`` for all.
        max_tokens: Most tokens generated for one candidate, reasoning included.
        repetition_penalty: Factor over 1 that discourages tokens already seen.
        thinking: Whether the chat template asks for reasoning; ``None`` leaves it out.
    """

    temperature: float = 0.7
    top_p: float = 0.95
    top_k: int | None = None
    max_tokens: int = 512
    repetition_penalty: float = 1.0
    thinking: bool | None = None

    @classmethod
    def of(cls, profile: Profile) -> "SamplingParams":
        """The defaults of a checkpoint."""
        return cls(**profile.sampling)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sampled reply.

    Attributes:
        text: The reply without any reasoning; may be empty.
        reasoning: What the model thought before it answered, or ``None``.
        finish_reason: ``length`` when ``max_tokens`` cut it, ``aborted`` when it was stopped.
        prompt_tokens: Tokens of the prompt.
        completion_tokens: Tokens generated for this candidate (estimated when a server
            only tells the sum of all candidates).
        latency_s: Seconds from the request to this candidate's last token, or to the last one
            of all candidates where a server answers in one piece.
        output: What the model wrote, tags and thoughts included, less what a server told apart;
            ``None`` where it is not known.
        form: How the output kept the form that its checkpoint was trained to write, if there is one.
    """

    text: str
    reasoning: str | None
    finish_reason: FinishReason
    prompt_tokens: int
    completion_tokens: int
    latency_s: float
    output: str | None = None
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class StreamChunk:
    """A piece of one streamed reply; ``finish_reason`` is set on the last one only."""

    text: str = ""
    reasoning: str = ""
    finish_reason: FinishReason | None = None


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What a back end found out about itself, for readiness and for admins.

    Attributes:
        ready: Whether a turn can be answered now.
        served: Names of the models that are served.
        warnings: Sentences for an operator, such as a model that no profile knows.
        detail: One word of the state: ``ok``, ``loading``, ``unreachable``, ``dead``, ...
    """

    ready: bool
    detail: str
    served: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())


class ChatModelError(Exception):
    """Base of all errors a chat model raises; ``code`` is stable, the text is for operators."""

    code = "model_error"
    retryable = True


class ModelAnswerError(ChatModelError):
    """The server answered with something that is no answer of a chat model, as a proxy's page."""


class ModelUnreachableError(ChatModelError):
    """The server can't be connected to, or the model could not be loaded."""

    code = "unreachable"


class ModelBusyError(ChatModelError):
    """The queue is full (vLLM: 503); trying again later helps."""

    code = "busy"


class ModelTimeoutError(ChatModelError):
    """No complete answer within the configured time."""

    code = "timeout"


class EngineDeadError(ChatModelError):
    """The server answers but its engine has died; an operator must restart it."""

    code = "engine_dead"


class ContextTooLongError(ChatModelError):
    """The prompt and ``max_tokens`` do not fit the context window."""

    code = "context_too_long"
    retryable = False


class ModelRefusedError(ChatModelError):
    """The server refused the request itself (authentication, unknown model, bad input)."""

    code = "refused"
    retryable = False


class ChatModel(Protocol):
    """A model that answers a prompt with sampled replies.

    Cancelling the task that awaits :meth:`sample`, or closing the iterator of
    :meth:`stream`, stops the generation itself, not only its display.
    """

    @property
    def name(self) -> str:
        """Name of the model or checkpoint that answers."""
        ...

    @property
    def profile(self) -> Profile:
        """Sampling defaults, context length, language and prompt of the checkpoint."""
        ...

    async def sample(
        self,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> list[Candidate]:
        """Draw ``n`` replies to one prompt in one request.

        Args:
            messages: System, user and assistant messages, oldest first.
            n: Number of candidates, at least 1.
            params: Sampling settings; the profile's defaults when ``None``.
            on_queue: Told the place in the queue whenever it changes, on the caller's event loop.

        Returns:
            ``n`` candidates in the order of their index.

        Raises:
            ChatModelError: One of its subclasses, see there.
        """
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        params: SamplingParams | None = None,
        *,
        on_queue: QueueListener | None = None,
    ) -> AsyncIterator[StreamChunk]:
        """Draw one reply and yield it piece by piece; errors as in :meth:`sample`."""
        ...

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens of a prompt in the model's template, rounded up where it can only be estimated."""
        ...

    async def check(self) -> ModelStatus:
        """Look at the back end now, loading or connecting if that has not begun; never raises."""
        ...

    async def close(self) -> None:
        """Free connections, threads and memory."""
        ...
