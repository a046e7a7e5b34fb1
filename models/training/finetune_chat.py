r"""Fine-tunes the embedded chat model as a supporter: the recipe of ``models/adapters/smollm2-supporter``.

    python -m models.training.finetune_chat --out models/adapters/smollm2-supporter \
        --rank 32 --lr 1.2e-3 --batch-size 96

On one data-centre GPU it takes some four minutes, on two CPU cores many hours. Besides the adapter it
writes ``training.json``: settings, numbers of examples, losses. With ``--contexts`` it also samples
replies to a file of messages, for reading.
"""

import argparse
import json
import platform
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from models.training.base_model import EMBEDDED_ID, load_base
from models.training.best_firsts import read_firsts
from models.training.chat_data import SOURCES, load_examples
from models.training.chat_tokens import encode_all, end_token
from models.training.example import VALIDATION_SHARE, Example, split_by_group
from models.training.lora import LoraRecipe, Trained, restore_best, save_adapter, train_lora
from models.training.sample_chat import held_out_rows, read_contexts, scripted_rows

SAMPLED_PER_SOURCE = 40
"""Held-out contexts of each source that replies are sampled for."""

DEFAULTS = LoraRecipe()

MAX_TOKENS = 768
"""Longest example; older turns are left out of longer ones."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line."""
    options = _parser().parse_args(arguments)
    recipe = LoraRecipe(
        rank=options.rank,
        learning_rate=options.lr,
        epochs=options.epochs,
        batch_size=options.batch_size,
        seed=options.seed,
        max_steps=options.max_steps,
    )
    started = time.monotonic()
    repeats = _repeats(options.sources)
    firsts = read_firsts(options.firsts) if options.firsts else None
    examples = load_examples(options.data, tuple(repeats), options.seed, firsts=firsts)
    train, valid = split_by_group(examples, VALIDATION_SHARE)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, tokenizer = load_base(options.base)
    model.to(device)
    repeated = [example for example in train for _ in range(repeats[example.source])]
    trained = train_lora(
        model,
        encode_all(tokenizer, repeated, MAX_TOKENS),
        encode_all(tokenizer, valid, MAX_TOKENS),
        recipe,
        end_token(tokenizer),
        options.start,
    )
    name = EMBEDDED_ID if "gguf" in options.base else options.base
    coded = any(example.code for example in train)
    save_adapter(trained.model, trained.weights, name, options.out, coded)
    # An adapter that was gone on from keeps its own rank.
    kept = replace(recipe, rank=trained.model.peft_config["default"].r)
    report = _report(kept, repeats, train, valid, trained, device) | {
        "seconds": round(time.monotonic() - started, 1)
    }
    (options.out / "training.json").write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(json.dumps(report))
    if options.contexts:
        _write_samples(trained, tokenizer, valid, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.training.finetune_chat", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=None, help="folder of the public data (HEARKEN_DATA_DIR)"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the adapter")
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--start", type=Path, default=None, help="folder of an adapter to go on from")
    parser.add_argument(
        "--sources",
        default="scenes=1,echoes=1,supported=1,guidance=1",
        help=f"sources and how often each is repeated in an epoch; known: {', '.join(SOURCES)}",
    )
    parser.add_argument(
        "--firsts",
        type=Path,
        default=None,
        help="first sentences for closer_light (models.training.best_firsts)",
    )
    parser.add_argument("--epochs", type=int, default=DEFAULTS.epochs)
    parser.add_argument("--lr", type=float, default=DEFAULTS.learning_rate)
    parser.add_argument("--rank", type=int, default=DEFAULTS.rank)
    parser.add_argument("--batch-size", type=int, default=DEFAULTS.batch_size)
    parser.add_argument("--seed", type=int, default=DEFAULTS.seed)
    parser.add_argument("--max-steps", type=int, default=None, help="stop early, for smoke tests")
    parser.add_argument("--contexts", type=Path, default=None, help="file of messages to sample replies to")
    parser.add_argument("--samples", type=int, default=4, help="replies sampled for each context")
    return parser


def _repeats(text: str) -> dict[str, int]:
    """``a=3,b`` as ``{"a": 3, "b": 1}``."""
    parts = [part.partition("=") for part in text.split(",") if part]
    return {name.strip(): int(count or 1) for name, _, count in parts}


def _report(
    recipe: LoraRecipe,
    repeats: Mapping[str, int],
    train: Sequence[Example],
    valid: Sequence[Example],
    trained: Trained,
    device: str,
) -> dict[str, Any]:
    return {
        "recipe": asdict(recipe),
        "repeats": dict(repeats),
        "train_examples": dict(Counter(example.source for example in train)),
        "valid_examples": dict(Counter(example.source for example in valid)),
        "best_epoch": trained.best.epoch,
        "epochs": [
            {"epoch": r.epoch, "train_loss": r.train if r.epoch else None, "valid_loss": dict(r.valid)}
            for r in trained.results
        ],
        "device": torch.cuda.get_device_name() if device == "cuda" else platform.machine(),
    }


def _write_samples(
    trained: Trained, tokenizer: Any, valid: Sequence[Example], options: argparse.Namespace
) -> None:
    """Replies to held-out contexts, and whole conversations with the scripted messages."""
    model = restore_best(trained)
    read = [example for source in SOURCES for example in _some(valid, source)]
    scripts = read_contexts(options.contexts)
    rows = held_out_rows(model, tokenizer, read, options.samples, options.seed)
    rows += scripted_rows(model, tokenizer, scripts, options.samples, options.seed)
    (options.out / "samples.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False), "utf-8")


def _some(valid: Sequence[Example], source: str) -> list[Example]:
    return [example for example in valid if example.source == source][:SAMPLED_PER_SOURCE]


if __name__ == "__main__":
    main()
