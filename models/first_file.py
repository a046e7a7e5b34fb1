"""The file of a language model that judges first sentences: what it says of itself, without PyTorch."""

from pathlib import Path
from typing import Literal

from models.answers import VERDICTS
from models.head_file import HEADS_FOLDER
from models.reader_file import FILE, QuestionFacts, read_question_facts

FIRSTS_FILE = HEADS_FOLDER / "firsts-reader" / FILE


class FirstsFacts(QuestionFacts, frozen=True):
    """What is needed to use the weights; the outputs are verdicts, the worst first."""

    head: Literal["firsts-reader"] = "firsts-reader"
    names: tuple[str, ...] = VERDICTS


def read_firsts_facts(path: Path = FIRSTS_FILE) -> FirstsFacts:
    """Read what the file says, and check that its weights have the shapes that this asks for.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    return read_question_facts(path, FirstsFacts, "first sentences", "verdicts")
