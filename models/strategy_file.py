"""Which reader of strategies a file asks for: an encoder's head, or its mean with a language model."""

from pathlib import Path

from models.encoder import Encoder
from models.head_file import HeadError, read_facts
from models.reader_file import HEAD, KIND, ReaderFacts, read_reader_facts
from models.strategy import StrategyReader, load_strategy_reader
from models.strategy_mean import MeanReader, Reads
from models.weights import Base


def load_strategies(encoder: Encoder, path: Path, base: Base) -> StrategyReader | MeanReader:
    """Check a file and make its reader; a language model is loaded at the first use.

    Args:
        encoder: The shared encoder, for heads that were trained on it.
        path: A head file, or the file of a language model's changes beside one.
        base: The language model for which the changes must have been learned.

    Raises:
        HeadError: A file is missing, broken, of another kind, or of another encoder or model.
    """
    if read_facts(path).get("head") != KIND:
        return load_strategy_reader(encoder, path)
    facts = read_reader_facts(path)
    if facts.base != base.name:
        raise HeadError(f"{path.name} was learned for {facts.base!r}, not for {base.name!r}")
    head = load_strategy_reader(encoder, path.parent / HEAD)
    if head.names != facts.strategies:
        raise HeadError(f"{path.name} and the head beside it name other strategies")
    return MeanReader(head, lambda: _load(path, facts, base), facts.mean)


def _load(path: Path, facts: ReaderFacts, base: Base) -> Reads:
    from models.language_reader import (
        load_language_reader,
    )  # needs PyTorch: seconds, where nobody may want it

    return load_language_reader(path, facts, base.load())
