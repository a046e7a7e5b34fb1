"""The control codes that the application would put into a prompt, read outside of it."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from models.control_code import code_text
from models.kind_opinion import OpinionReader
from models.kinds_file import KINDS_FILE, read_kinds_facts
from models.low_rank_reader import load_low_rank_reader
from models.message_kind import MessageReading, load_kinds, readable
from models.reader_text import TurnTokens
from models.training.base_model import load_base
from models.weights import Checkpoint


class ShippedKinds:
    """Both shipped readers of kinds of messages, on weights of their own.

    Args:
        base: The embedded model, see :func:`models.training.base_model.load_base`.

    Raises:
        HeadError: A file is missing or broken.
    """

    def __init__(self, base: str = "gguf") -> None:
        facts = read_kinds_facts()
        found: tuple[Any, Any] = load_base(base)
        checkpoint = Checkpoint(facts.base, found[0].eval(), found[1], facts.context_tokens)
        reader = load_low_rank_reader(KINDS_FILE, checkpoint, None)
        self._opinion = OpinionReader(reader, TurnTokens(checkpoint.tokenizer), facts)
        self._kinds = load_kinds()

    def read(self, said: Sequence[str]) -> MessageReading | None:
        """What is read in the last of a person's messages; ``None`` where it can't be read."""
        return self._kinds.read(said, self._opinion.read(said)) if readable(said) else None

    def code(self, said: Sequence[str]) -> str:
        """Codes of the last of a person's messages; an empty text where it can't be read."""
        reading = self.read(said)
        return "" if reading is None else code_text(reading)


@cache
def shipped_kinds(base: str = "gguf") -> ShippedKinds:
    """The readers, loaded once."""
    return ShippedKinds(base)
