"""What the embedded model is told of the message it answers, and how its replies begin.

Both need readers beside it: of kinds of messages, and of first sentences.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from models.chat_model import ChatMessage, SamplingParams
from models.control_code import with_code
from models.first_choice import DRAWN, chosen, drawing, says_back
from models.first_file import FIRSTS_FILE, FirstsFacts, read_firsts_facts
from models.head_file import HeadError
from models.kinds_file import KINDS_FILE, KindsFacts, read_kinds_facts
from models.later_sentences import Later, SentenceBook
from models.local_engine import Begun, LocalEngine, Prompt
from models.message_kind import KindReader, MessageReading, readable
from models.reader_text import TurnTokens
from models.weights import EMBEDDED_NAME, Checkpoint

if TYPE_CHECKING:
    from models.first_reader import FirstReader
    from models.kind_opinion import OpinionReader

_log = logging.getLogger(__name__)
_NO_FIRSTS = "the reader of first sentences is missing: replies fit less often"
_NO_OPINION = "a reader of kinds of messages is missing: more of them are misread"
MakePrompt = Callable[[Sequence[ChatMessage]], Prompt]
_Facts = TypeVar("_Facts", FirstsFacts, KindsFacts)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where replies start from.

    Attributes:
        prompt: It tells the kind of its newest message.
        begun: How each reply begins; empty where that is left to the model.
        later: What may follow these beginnings; empty for anything.
    """

    prompt: Prompt
    begun: list[Begun] = field(default_factory=list[Begun])
    later: list[Later] = field(default_factory=list[Later])


class EmbeddedReaders:
    """The readers of one chat model.

    Args:
        kinds: Reads what kind of message it is.
        on_weights: Whether readers that change the embedded model's weights can be used.
        book: Sentences that may follow a first one, if replies are limited to such.
    """

    def __init__(self, kinds: KindReader, *, on_weights: bool, book: SentenceBook | None = None) -> None:
        self._kinds = kinds
        self._book = book
        self._firsts_facts = _facts(read_firsts_facts) if on_weights else None
        self._kinds_facts = _facts(read_kinds_facts) if on_weights else None
        self._firsts: FirstReader | None = None
        self._opinion: OpinionReader | None = None
        found = {_NO_FIRSTS: self._firsts_facts, _NO_OPINION: self._kinds_facts}
        self._missing = [text for text, facts in found.items() if on_weights and facts is None]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What admins are told: the readers that the model does without."""
        return tuple(self._missing)

    def load(self, checkpoint: Checkpoint, adapter: Path | None) -> None:
        """Put the readers beside the loaded weights.

        Args:
            checkpoint: The chat model.
            adapter: Folder of the adapter that was merged into it.
        """
        from models.first_reader import FirstReader  # these import PyTorch, and this file must not
        from models.kind_opinion import OpinionReader
        from models.low_rank_reader import load_low_rank_reader

        if self._firsts_facts is not None:
            with self._left_out(_NO_FIRSTS):
                reader = load_low_rank_reader(FIRSTS_FILE, checkpoint, adapter)
                self._firsts = FirstReader(reader, TurnTokens(checkpoint.tokenizer), self._firsts_facts)
        if self._kinds_facts is not None:
            with self._left_out(_NO_OPINION):
                reader = load_low_rank_reader(KINDS_FILE, checkpoint, adapter)
                self._opinion = OpinionReader(reader, TurnTokens(checkpoint.tokenizer), self._kinds_facts)

    @contextlib.contextmanager
    def _left_out(self, warning: str) -> Generator[None]:
        """The model works without a reader that can't be used."""
        try:
            yield
        except (HeadError, OSError, ValueError) as error:
            _log.warning("%s (%s)", warning, error)
            self._missing.append(warning)

    def begin(
        self,
        engine: LocalEngine,
        messages: Sequence[ChatMessage],
        n: int,
        params: SamplingParams,
        make: MakePrompt,
        *,
        stop: threading.Event,
        timeout_s: float,
    ) -> Opening:
        """The prompt that tells the kind of its newest message, how ``n`` replies begin and may go on.

        Args:
            engine: Draws first sentences.
            messages: A prompt without control codes.
            n: Replies.
            params: How replies are sampled.
            make: Turns messages into a prompt.
            stop: Ends the work when set.
            timeout_s: Seconds each drawing may take.

        Raises:
            ModelTimeoutError: A drawing took longer.
        """
        said = [message.content for message in messages if message.role == "user"]
        opinion = self._opinion.read(said) if self._opinion is not None and readable(said) else None
        reading = self._kinds.read(said, opinion)
        prompt = make(with_code(messages, reading))
        if self._firsts is None or not says_back(reading):
            return Opening(prompt)
        firsts = engine.first_sentences(prompt, DRAWN, drawing(params), stop=stop, timeout_s=timeout_s)
        if not firsts or stop.is_set():
            return Opening(prompt)
        spoken = [message for message in messages if message.role != "system"]
        begun = chosen(firsts, self._firsts.worths(spoken, [one.text for one in firsts]), n)
        return Opening(prompt, begun, self._later(reading, spoken))

    def _later(self, reading: MessageReading | None, spoken: Sequence[ChatMessage]) -> list[Later]:
        if self._book is None or reading is None:
            return []
        return self._book.later(reading, [turn.content for turn in spoken if turn.role == "assistant"])


def _facts(read: Callable[[], _Facts]) -> _Facts | None:
    """What a shipped reader says of itself; ``None`` where it can't be used."""
    try:
        facts = read()
    except HeadError:
        return None
    return facts if facts.base == EMBEDDED_NAME else None
