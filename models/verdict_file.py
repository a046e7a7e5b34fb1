"""Files of language models that judge sentences of a reply: what they say of themselves, without PyTorch."""

from pathlib import Path
from typing import Literal

from models.answers import VERDICTS
from models.head_file import HEADS_FOLDER, HeadError
from models.reader_file import FILE, QuestionFacts, check_shapes, checked_facts, tensor_shapes

VerdictKind = Literal["firsts-reader", "sentences-reader"]
FIRSTS: VerdictKind = "firsts-reader"
"""Judges whether a first sentence says a message back rightly."""
SENTENCES: VerdictKind = "sentences-reader"
"""Judges whether any other sentence suits a message."""


class VerdictFacts(QuestionFacts, frozen=True):
    """What is needed to use the weights; the outputs are verdicts, the worst first."""

    head: VerdictKind
    names: tuple[str, ...] = VERDICTS


def verdict_file(kind: VerdictKind) -> Path:
    """Where the shipped file of a reader lies."""
    return HEADS_FOLDER / kind / FILE


def read_verdict_facts(kind: VerdictKind, path: Path | None = None) -> VerdictFacts:
    """Read what a file says, and check that its weights have the shapes that this asks for.

    Args:
        kind: Of the reader.
        path: Its file, if not the shipped one.

    Raises:
        HeadError: The file can't be read, is of another kind, or lacks weights.
    """
    path = path or verdict_file(kind)
    facts = checked_facts(path, VerdictFacts, "sentences")
    if facts.head != kind:
        raise HeadError(f"{path.name} is a {facts.head}, not a {kind}")
    if facts.names != VERDICTS:
        raise HeadError(f"{path.name} has other verdicts than {', '.join(VERDICTS)}")
    check_shapes(tensor_shapes(path), facts.rank, len(facts.names))
    return facts
