r"""Packs what a reader is tuned on into one file without texts.

    python -m models.training.reader_pack --task mint --data ../shared/data/mint --output var/reader/mint.npz
    python -m models.training.reader_pack --task strategies --data ../shared/data/esconv \
        --output var/reader/strategies.npz
    python -m models.training.reader_pack --task answers --data evals/data/embedded_replies_read_*.jsonl \
        --output var/reader/answers.npz
    python -m models.training.reader_pack --task kinds --output var/reader/kinds.npz

:mod:`models.training.reader_tune` then needs only this file and the language model.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer

from models.training.base_model import embedded_gguf
from models.training.kind_rows import kind_rows
from models.training.mint_data import read_mint
from models.training.read_replies import read_messages
from models.training.reader_answers import pack_answers
from models.training.reader_data import ANSWERS, KINDS_READ, MINT, TASKS, save
from models.training.reader_kinds import pack_kinds
from models.training.reader_mint import pack_mint
from models.training.reader_strategies import pack_strategies


def load_tokenizer(source: str) -> Any:
    """Only the tokenizer of what :func:`models.training.base_model.load_base` takes."""
    tokenizers: Any = AutoTokenizer
    if source == "gguf" or source.endswith(".gguf"):
        file = embedded_gguf() if source == "gguf" else Path(source)
        return tokenizers.from_pretrained(str(file.parent), gguf_file=file.name)
    return tokenizers.from_pretrained(source)


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack one task."""
    options = _options(arguments)
    tokenizer = load_tokenizer(options.base)
    most = {} if options.context_tokens is None else {"most": options.context_tokens}
    if options.task == KINDS_READ:
        data = pack_kinds(kind_rows(), tokenizer, **most)
    elif options.task == MINT:
        data = pack_mint(read_mint(options.data[0]), tokenizer, seed=options.seed, **most)
    elif options.task == ANSWERS:
        data = pack_answers([one for file in options.data for one in read_messages(file)], tokenizer, **most)
    else:
        data = pack_strategies(options.data[0], tokenizer, whole=options.whole, **most)
    save(data, options.output)
    lengths = data.lengths
    print(
        f"{data.texts} texts, {len(data.places)} places, {len(data.ids)} tokens, "
        f"longest {lengths.max()}, {options.output.stat().st_size / 1e6:.2f} MB"
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--task", choices=TASKS, required=True)
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        default=[],
        help="folder of MINT's replies, or of ESConv; files of read replies; kinds have their own",
    )
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--context-tokens", type=int, help="most tokens before what is read")
    parser.add_argument("--whole", action="store_true", help="strategies: one text for each conversation")
    parser.add_argument("--seed", type=int, default=0, help="of MINT's folds; evals.rerank has the same")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    if not options.data and options.task != KINDS_READ:
        parser.error(f"the task {options.task} needs --data")
    return options


if __name__ == "__main__":
    main()
