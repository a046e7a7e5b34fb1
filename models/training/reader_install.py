r"""Makes the folder of a tuned reader of strategies and its encoder, ready for the application.

    python -m models.training.reader_install var/reader/strategies/reader_all.safetensors \
        --strategies var/heads/strategies-e5-strategies/head.safetensors --tuned var/strategies/tuned \
        --read var/reader/strategies/strategies_read.npz --data ../shared/data/esconv \
        --output var/heads/strategies-reader

``HEARKEN_HEADS__STRATEGIES`` then names ``reader.safetensors`` in that folder; the encoder's head lies beside
it. Temperatures and the part of the mean are chosen on the conversations of the training file that both had
been kept from. At the end the installed reader reads some turns of the validation file (no label is looked
at): if it says other things than after tuning, the file is not left there.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors import torch as safetensors_torch

from models.class_head import log_softmax
from models.encoder import STRATEGIES
from models.head_file import HeadError, read_head
from models.language_reader import LanguageReader, load_language_reader
from models.reader_file import FILE, HEAD, ReaderFacts, read_reader_facts
from models.strategy import ADAPTER
from models.strategy_mean import StrategyMean
from models.training.multi_task_sources import esconv_rows
from models.training.reader_agreement import agreement
from models.training.reader_strategies import CONTEXT_TOKENS
from models.training.strategies import load_strategies
from models.training.strategy_mean import apart_outputs, choose, read_outputs
from models.weights import Base, embedded_base, load_checkpoint

TURNS, LEAST = 24, 0.75
"""Turns that the installed reader reads, and the share of them that it must read as it did after tuning."""


def chosen_mean(data: Path, head: Path, tuned: Path, read: Path) -> StrategyMean:
    """How the two are averaged, from rows that neither had seen.

    Args:
        data: Where ESConv's two files are.
        head: The encoder's head file.
        tuned: Folder that ``pair_tune`` wrote for it.
        read: ``strategies_read.npz``.

    Raises:
        HeadError: The head is none of the tuned encoder's.
        ValueError: The language model was kept from other rows.
    """
    rows = esconv_rows(data)[1]
    apart, encoded = apart_outputs(rows, tuned, read_head(head, STRATEGIES).facts["words"])
    outputs, _ = read_outputs(rows, apart, read)
    return choose(log_softmax(encoded), outputs, np.array([rows[int(i)].label for i in apart]))


def write_reader(path: Path, learned: Path, base: str, context_tokens: int, mean: StrategyMean) -> None:
    """Write the weights as they are with what is needed to use them.

    Args:
        path: The new file.
        learned: File that ``reader_tune`` wrote.
        base: Name of the language model.
        context_tokens: Most tokens before a reply, as they were packed.
        mean: How its outputs are averaged with the encoder's.

    Raises:
        HeadError: The learned weights are no reader of strategies.
    """
    try:
        with cast(Any, safe_open)(learned, framework="pt") as file:
            metadata: dict[str, str] = file.metadata() or {}
            tensors: dict[str, torch.Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise HeadError(f"cannot read {learned.name}: {error}") from error
    if "rank" not in metadata:
        raise HeadError(f"{learned.name} does not say of what rank it is: reader_tune did not write it")
    facts = ReaderFacts(
        base=base,
        rank=int(metadata["rank"]),
        context_tokens=context_tokens,
        strategies=load_strategies().names,
        mean=mean,
        data="ESConv, training file",
        licence="CC BY-NC 4.0",
    )
    files: Any = safetensors_torch
    files.save_file(tensors, path, metadata={"facts": facts.model_dump_json()})
    path.chmod(0o644)  # safetensors writes files only their owner can read
    read_reader_facts(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose, write and read again; returns the exit status."""
    options = _options(arguments)
    base = _base(options.base)
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        mean = chosen_mean(options.data, options.strategies, options.tuned, options.read)
        # Beside its place, which it takes only when it has shown that it reads as after tuning.
        with tempfile.TemporaryDirectory(dir=options.output) as folder:
            file = Path(folder) / FILE
            write_reader(file, options.reader, base.name, options.context_tokens, mean)
            same = agreement(_loaded(file, base), options.data, options.read, TURNS)
            if same < LEAST:
                raise HeadError(
                    f"the reader says of {same:.0%} of {TURNS} turns what strategies_read.npz has: the wrong "
                    "file, language model or --context-tokens?"
                )
            _copy(options.strategies, options.output / HEAD)
            _copy(options.strategies.parent / ADAPTER, options.output / ADAPTER)
            file.replace(options.output / FILE)
    except (HeadError, OSError, ValueError) as error:
        print(f"not installed: {error}", file=sys.stderr)
        return 1
    print(
        f"the language model's part {mean.weight}, temperatures {mean.encoder:.3f} (encoder) "
        f"{mean.reader:.3f} (reader) {mean.mean:.3f} (mean); the same strategy as after tuning in {same:.0%} "
        f"of {TURNS} turns; {options.output / FILE}"
    )
    return 0


def _loaded(file: Path, base: Base) -> LanguageReader:
    return load_language_reader(file, read_reader_facts(file), base.load())


def _base(source: str) -> Base:
    if source == "gguf":
        return embedded_base()
    return Base(Path(source).resolve().name, partial(load_checkpoint, Path(source)))


def _copy(source: Path, target: Path) -> None:
    if source.resolve() != target.resolve():
        shutil.copyfile(source, target)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.reader_install", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("reader", type=Path, help="reader_all.safetensors that reader_tune wrote")
    parser.add_argument("--strategies", type=Path, required=True, help="head that strategy_install wrote")
    parser.add_argument("--tuned", type=Path, required=True, help="folder that pair_tune wrote for that head")
    parser.add_argument("--read", type=Path, required=True, help="strategies_read.npz beside the reader")
    parser.add_argument("--data", type=Path, required=True, help="folder with ESConv's two files")
    parser.add_argument(
        "--context-tokens", type=int, default=CONTEXT_TOKENS, help="most tokens before a turn, as packed"
    )
    parser.add_argument(
        "--base", default="gguf", help="'gguf' (embedded weights, what the application has) or a folder"
    )
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
