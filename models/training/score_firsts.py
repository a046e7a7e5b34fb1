r"""Lets a tuned reader judge the first sentences of drawn replies, in place of people.

    python -m models.training.score_firsts var/drawn.jsonl --reader reader_all.safetensors \
        --output var/scored.jsonl

The input is what :mod:`models.training.draw_replies` wrote. In the output each reply also has ``first``, its
first sentence, ``worth``, the chance that it fits less the chance that it misses, and ``verdict``, so that
:mod:`models.training.read_pairs` can take the file. Replies whose first sentence was cut, or that begin with
one that was there before, are left out.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from safetensors import safe_open
from safetensors import torch as safetensors_torch

from models.answers import VERDICTS
from models.chat_model import ChatMessage, Role
from models.class_head import softmax
from models.reader_text import ReadText, TurnTokens
from models.sentences import split_sentences
from models.training.base_model import NO_ADAPTER, load_adapted
from models.training.reader_answers import CONTEXT_TOKENS
from models.training.reader_data import ANSWERS, Floats, packed
from models.training.reader_fit import predict
from models.training.reader_model import Reader
from models.training.rows import made_rows
from models.training.sample_chat import CUT

FITS, MISSES = 0.35, -0.35
"""From this worth on a sentence counts as fitting; up to this one as missing."""


def with_firsts(row: dict[str, Any]) -> dict[str, Any]:
    """The row with each reply's first sentence; only whole and different ones stay."""
    kept: dict[str, dict[str, Any]] = {}
    for reply in row["replies"]:
        sentences = split_sentences(reply["text"])
        if sentences and CUT not in sentences[0]:
            kept.setdefault(sentences[0], reply | {"first": sentences[0]})
    return row | {"replies": list(kept.values())}


def verdict_of(worth: float) -> str:
    """What a reader would have said, from how sure the tuned one is."""
    return VERDICTS[2] if worth >= FITS else VERDICTS[0] if worth <= MISSES else VERDICTS[1]


def load_reader(file: Path, base: str, adapter: str, device: torch.device) -> tuple[Reader, Any]:
    """A reader of answers that ``reader_tune`` wrote with this base and adapter, and the tokenizer.

    It may also be the one that was put in its place (:mod:`models.training.firsts_install`).

    Raises:
        ValueError: The file is none.
    """
    with cast(Any, safe_open)(file, framework="pt") as opened:
        known: dict[str, str] = opened.metadata() or {}
    facts: dict[str, Any] = known | json.loads(known.get("facts", "{}"))
    if "rank" not in facts:
        raise ValueError(f"{file.name} says no rank")
    rank = int(facts["rank"])
    model, tokenizer = load_adapted(base, adapter)
    reader = Reader(model, rank, 0, len(VERDICTS), device)
    files: Any = safetensors_torch
    weights = {name: one.float() for name, one in files.load_file(file).items()}
    missing = set(reader.learned()) ^ set(weights)
    if missing:
        raise ValueError(f"{file.name} is no reader of answers to this model")
    reader.load_state_dict(weights, strict=False)
    return reader.eval(), tokenizer


def scored(rows: Sequence[dict[str, Any]], reader: Reader, tokenizer: Any) -> list[dict[str, Any]]:
    """Rows with ``worth`` and ``verdict`` of each reply, the worthiest first."""
    turns = TurnTokens(tokenizer)
    texts: list[ReadText] = []
    for row in rows:
        said = [ChatMessage(cast(Role, role), text) for role, text in row["turns"]]
        before = turns.context(said, CONTEXT_TOKENS)
        for reply in row["replies"]:
            ids = turns.answered(before, "assistant", reply["first"]).ids
            texts.append(ReadText(ids, (len(ids) - 1,)))
    data = packed(ANSWERS, texts, {})
    found: Floats = softmax(predict(reader, data, np.arange(data.texts))[1])
    worths = iter((found[:, 2] - found[:, 0]).tolist())
    result: list[dict[str, Any]] = []
    for row in rows:
        replies = [reply | {"worth": round(next(worths), 4)} for reply in row["replies"]]
        judged = [reply | {"verdict": verdict_of(reply["worth"])} for reply in replies]
        result.append(row | {"replies": sorted(judged, key=lambda one: -one["worth"])})
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, judge and write."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.score_firsts", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--adapter", default=NO_ADAPTER, help="the one that the reader was tuned with")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        rows = [row for row in made_rows(options.file, lambda _, row: with_firsts(row)) if row["replies"]]
        reader, tokenizer = load_reader(options.reader, options.base, options.adapter, device)
    except (OSError, ValueError) as error:
        sys.exit(f"score_firsts: {error}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as file:
        for row in scored(rows, reader, tokenizer):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
