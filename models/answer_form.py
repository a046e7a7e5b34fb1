"""Whether what a server sent is an answer at all: the OpenAI client passes on whatever came with status 200.

A proxy's page, a bare ``null`` or another service's JSON would else fail as a fault of ours, deep inside.
Only what is read here is asked for: servers differ in the rest.
"""

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class _Read(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class _Text(_Read):
    content: str | None = None


class _Choice(_Read):
    index: int
    finish_reason: str | None = None
    message: _Text


class _Piece(_Read):
    finish_reason: str | None = None
    delta: _Text


class _Usage(_Read):
    prompt_tokens: int
    completion_tokens: int


class _Answer(_Read):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class _Chunk(_Read):
    choices: list[_Piece]


class _Entry(_Read):
    id: str


class _Page(_Read):
    data: list[_Entry]


def is_answer(received: object) -> bool:
    """Whether it has choices with messages."""
    return _fits(_Answer, received)


def is_chunk(received: object) -> bool:
    """Whether it is a piece of a stream; one without choices only tells the usage."""
    return _fits(_Chunk, received)


def is_model_list(received: object) -> bool:
    """Whether it lists models."""
    return _fits(_Page, received)


def _fits(form: type[BaseModel], received: object) -> bool:
    try:
        form.model_validate(received)
    except ValidationError:
        return False
    return True
