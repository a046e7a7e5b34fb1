"""The file of a language model that judges first sentences: what it says of itself, without PyTorch."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from models.answers import VERDICTS
from models.head_file import HEADS_FOLDER, HeadError
from models.reader_file import FILE, check_shapes, checked_facts, tensor_shapes

FIRSTS_FILE = HEADS_FOLDER / "firsts-reader" / FILE


class FirstsFacts(BaseModel, frozen=True):
    """What is needed to use the weights.

    Attributes:
        head: Kind of file.
        base: Name of the language model that they change.
        rank: Of the changes; alpha is twice the rank.
        context_tokens: Most tokens that are read before a sentence.
        names: Verdicts in the order of the outputs, the worst first.
        data: What was learned from.
        licence: Of that.
        kept_apart: Figures on messages that were kept apart, by the same recipe.
    """

    head: Literal["firsts-reader"] = "firsts-reader"
    base: str
    rank: int = Field(ge=1)
    context_tokens: int = Field(ge=0)
    names: tuple[str, ...] = VERDICTS
    data: str
    licence: str
    kept_apart: dict[str, Any]


def read_firsts_facts(path: Path = FIRSTS_FILE) -> FirstsFacts:
    """Read what the file says, and check that its weights have the shapes that this asks for.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    facts = checked_facts(path, FirstsFacts, "first sentences")
    if facts.names != VERDICTS:
        raise HeadError(f"{path.name} has other verdicts than {', '.join(VERDICTS)}")
    check_shapes(tensor_shapes(path), facts.rank, len(facts.names))
    return facts
