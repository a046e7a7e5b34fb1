"""The file of a language model that reads kinds of messages: what it says of itself, without PyTorch."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from models.head_file import HEADS_FOLDER
from models.message_kind import KINDS
from models.reader_file import FILE, QuestionFacts, read_question_facts

KINDS_FILE = HEADS_FOLDER / "kinds-e5" / FILE


class KindsFacts(QuestionFacts, frozen=True):
    """What is needed to use the weights; the outputs are kinds, then feelings.

    Attributes:
        marks: The feelings.
        temperature: Of the kinds' outputs.
    """

    head: Literal["kinds-reader"] = "kinds-reader"
    names: tuple[str, ...] = KINDS
    marks: tuple[str, ...]
    temperature: float = Field(gt=0)

    @property
    def outputs(self) -> int:
        """Kinds and feelings."""
        return len(self.names) + len(self.marks)


def read_kinds_facts(path: Path = KINDS_FILE) -> KindsFacts:
    """Read what the file says, and check that its weights have the shapes that this asks for.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    return read_question_facts(path, KindsFacts, "kinds of messages", "kinds")
