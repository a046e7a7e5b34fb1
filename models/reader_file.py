"""Files of language models that are read: what they say of themselves, checked without PyTorch.

That of strategies lies in a folder with the encoder's head that it is averaged with
(:mod:`models.training.reader_install`), so does that of kinds of messages.
"""

from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError, field_validator
from safetensors import safe_open

from models.head_file import HeadError, read_facts
from models.strategy_mean import StrategyMean

_Facts = TypeVar("_Facts", bound=BaseModel)
_Question = TypeVar("_Question", bound="QuestionFacts")
KIND = "strategies-reader"
FILE, HEAD = "reader.safetensors", "head.safetensors"
"""Names in the folder: the language model's changes, and the head beside it."""
FIRST, SECOND = ".lora_A.default.weight", ".lora_B.default.weight"
"""Ends of the names of a linear layer's two low-rank factors."""
OUTPUT, BIAS = "place_head.weight", "place_head.bias"


class ReaderFacts(BaseModel, frozen=True):
    """What is needed to use the weights.

    Attributes:
        head: Kind of file.
        base: Name of the language model that they change.
        rank: Of the changes; alpha is twice the rank.
        context_tokens: Most tokens that are read before a reply.
        strategies: Names in the order of the outputs.
        mean: How the outputs are averaged with the encoder's.
        data: What was learned from.
        licence: Of that.
    """

    head: Literal["strategies-reader"] = "strategies-reader"
    base: str
    rank: int = Field(ge=1)
    context_tokens: int = Field(ge=0)
    strategies: tuple[str, ...] = Field(min_length=2)
    mean: StrategyMean
    data: str
    licence: str

    @field_validator("mean")
    @classmethod
    def _can_be_taken(cls, value: StrategyMean) -> StrategyMean:
        warm = min(value.encoder, value.reader, value.mean) > 0
        if not (warm and 0 <= value.weight <= 1):
            raise ValueError("temperatures are above 0, and a part is from 0 to 1")
        return value


class QuestionFacts(BaseModel, frozen=True):
    """What is needed to use weights that were learned for one question to a text.

    Attributes:
        base: Name of the language model that they change.
        rank: Of the changes; alpha is twice the rank.
        context_tokens: Most tokens that are read (of first sentences: before one).
        names: Of the outputs.
        data: What was learned from.
        licence: Of that.
        kept_apart: Figures on messages that were kept apart, by the same recipe.
    """

    base: str
    rank: int = Field(ge=1)
    context_tokens: int = Field(ge=0)
    names: tuple[str, ...]
    data: str
    licence: str
    kept_apart: dict[str, Any]

    @property
    def outputs(self) -> int:
        """Numbers that are read from a text."""
        return len(self.names)


def read_question_facts(path: Path, form: type[_Question], of: str, called: str) -> _Question:
    """Read what a file says, and check that it has the form's names and weights of the shapes it asks for.

    Args:
        path: The file.
        form: The form, whose default ``names`` are wanted.
        of: What it should read, for the message.
        called: What its names are, for the message.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    facts = checked_facts(path, form, of)
    names: tuple[str, ...] = form.model_fields["names"].default
    if facts.names != names:
        raise HeadError(f"{path.name} has other {called} than {', '.join(names)}")
    check_shapes(tensor_shapes(path), facts.rank, facts.outputs)
    return facts


def read_reader_facts(path: Path) -> ReaderFacts:
    """Read what the file says, and check that its weights have the shapes that this asks for.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    facts = checked_facts(path, ReaderFacts, "strategies")
    check_shapes(tensor_shapes(path), facts.rank, len(facts.strategies))
    return facts


def checked_facts(path: Path, form: type[_Facts], of: str) -> _Facts:
    """What a reader's file says of itself, in the form that it must have.

    Args:
        path: The file.
        form: The form.
        of: What it should read, for the message.

    Raises:
        HeadError: The file can't be read, or something is wrong or missing.
    """
    raw = read_facts(path)
    try:
        return form.model_validate(raw)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise HeadError(f"{path.name} is no reader of {of}: wrong or missing: {wrong}") from None


def check_shapes(shapes: dict[str, tuple[int, ...]], rank: int, strategies: int) -> None:
    """Check that there are low-rank changes in pairs, and one output for each strategy.

    Args:
        shapes: Of each tensor, by name.
        rank: Of the changes.
        strategies: How many there are.

    Raises:
        HeadError: Something is missing, too much or of another shape.
    """
    layers = {name.removesuffix(FIRST) for name in shapes if name.endswith(FIRST)}
    wanted = {OUTPUT, BIAS} | {layer + end for layer in layers for end in (FIRST, SECOND)}
    if not layers or shapes.keys() != wanted:
        raise HeadError("a reader of strategies has low-rank changes and one head, and nothing else")
    fits = shapes[OUTPUT][:1] == shapes[BIAS] == (strategies,) and all(
        shapes[layer + FIRST][:1] == shapes[layer + SECOND][1:] == (rank,) for layer in layers
    )
    if not fits:
        raise HeadError(f"the reader's weights are not of rank {rank} with {strategies} strategies")


def tensor_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a file, by name."""
    with cast(Any, safe_open)(path, framework="numpy") as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
