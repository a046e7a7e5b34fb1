"""The parser for a stream: as soon as it is safe for most models, at the end for one that writes an ECoT."""

from typing import Protocol

from models.ecot import Piece, ReplyParser
from models.ecot_form import read_ecot
from models.profiles import Profile


class StreamParser(Protocol):
    """Takes an output apart while it arrives."""

    def feed(self, chunk: str) -> Piece:
        """Add a chunk and return what it settled."""
        ...

    def finish(self, *, cut: bool = False) -> Piece:
        """End the output and return the rest."""
        ...


class WholeAnswer:
    """Holds all back until the end: only then it is certain that nothing in an answer was a thought."""

    def __init__(self) -> None:
        self._chunks: list[str] = []

    def feed(self, chunk: str) -> Piece:
        """Keep a chunk."""
        self._chunks.append(chunk)
        return Piece()

    def finish(self, *, cut: bool = False) -> Piece:  # noqa: ARG002  a cut answer is one as well
        """The answer, if it is certain, and the thoughts."""
        reading = read_ecot("".join(self._chunks))
        return Piece(reading.answer, reading.reasoning or "")


def stream_parser(profile: Profile, *, expect_thought: bool = False) -> StreamParser:
    """The parser that fits a checkpoint."""
    return WholeAnswer() if profile.ecot else ReplyParser(expect_thought=expect_thought)
