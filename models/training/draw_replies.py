r"""Draws replies of an adapter to what persons say, for reading.

    python -m models.training.draw_replies messages.jsonl --adapter models/adapters/smollm2-supporter \
        --draws 0.3=2 0.7=4 --output var/drawn.jsonl

A row of the input holds ``turns``, a person's messages in order (or ``text``, the only one), and may name a
``source`` and hold ``codes``, the control codes of each message's prompt (:mod:`models.training.read_codes`
adds those that the application would have). Conversations are rolled out: the first reply drawn goes on. A
row of the output is one message: ``source``, ``turns`` (pairs of role and text, the person's message last)
and ``replies``, each with ``text`` and ``temperature``; the same words are kept once.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from models.chat_model import ChatMessage
from models.training.base_model import NO_ADAPTER, load_adapted
from models.training.rows import made_rows
from models.training.sample_chat import sample_replies

DRAWS = {0.3: 2, 0.7: 4}
"""Replies at each temperature."""


@dataclass(frozen=True, slots=True)
class Script:
    """A person's messages, where they come from, and the control codes of each one's prompt."""

    source: str
    said: tuple[str, ...]
    codes: tuple[str, ...]


def read_scripts(file: Path) -> list[Script]:
    """The script of each row.

    Raises:
        ValueError: A row is bad; the message names it.
    """

    def make(_: int, row: dict[str, Any]) -> Script:
        said = list(row["turns"]) if "turns" in row else [row["text"]]
        if not said or not all(isinstance(text, str) and text.strip() for text in said):
            raise ValueError("a message is empty or no text")
        codes = tuple(str(code) for code in row.get("codes", [""] * len(said)))
        if len(codes) != len(said):
            raise ValueError("there are not as many codes as messages")
        return Script(str(row.get("source", file.stem)), tuple(said), codes)

    return made_rows(file, make)


def draw(
    model: Any,
    tokenizer: Any,
    scripts: Sequence[Script],
    draws: Mapping[float, int],
    seed: int,
    batch: int,
    most_tokens: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Roll every script out and yield its messages with the replies to each.

    Args:
        model: A causal language model.
        tokenizer: Its tokenizer.
        scripts: Persons' messages.
        draws: Replies at each temperature; the first reply of the first one goes on.
        seed: Of the sampling.
        batch: Messages that are answered at once.
        most_tokens: Of a reply, if fewer than a whole one is wanted; one that was cut ends with `` […]``.
    """
    histories: list[list[ChatMessage]] = [[] for _ in scripts]
    for turn in range(max((len(script.said) for script in scripts), default=0)):
        running = [place for place, script in enumerate(scripts) if turn < len(script.said)]
        for place in running:
            histories[place].append(ChatMessage("user", scripts[place].said[turn]))
        codes = [scripts[place].codes[turn] for place in running]
        contexts = [(tuple(histories[place]), 0) for place in running]
        replies: list[list[dict[str, Any]]] = [[] for _ in running]
        for temperature, n in draws.items():
            found = sample_replies(
                *(model, tokenizer, contexts, n, seed + turn, batch),
                most_tokens=most_tokens,
                temperature=temperature,
                codes=codes,
            )
            for own, texts in zip(replies, found, strict=True):
                own += [{"text": text, "temperature": temperature} for text in texts]
        for place, own in zip(running, replies, strict=True):
            turns = [[message.role, message.content] for message in histories[place]]
            row = {"source": scripts[place].source, "turns": turns, "replies": _distinct(own)}
            yield row | ({"code": scripts[place].codes[turn]} if scripts[place].codes[turn] else {})
            histories[place].append(ChatMessage("assistant", own[0]["text"]))


def _distinct(replies: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({reply["text"]: reply for reply in reversed(replies)}.values())[::-1]


def _draws(pairs: Sequence[str]) -> dict[float, int]:
    try:
        return {float(temperature): int(n) for temperature, n in (pair.split("=") for pair in pairs)}
    except ValueError:
        sys.exit(f"draw_replies: --draws takes TEMPERATURE=NUMBER, not {' '.join(pairs)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.draw_replies", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--adapter", default=NO_ADAPTER, help="folder of an adapter, or none")
    parser.add_argument("--draws", nargs="+", default=[f"{t}={n}" for t, n in DRAWS.items()])
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--most-tokens", type=int, help="of a reply; fewer show how it begins")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    draws = _draws(options.draws)
    try:
        scripts = read_scripts(options.file)
    except (OSError, ValueError) as error:
        sys.exit(f"draw_replies: {error}")
    library: Any = torch
    model, tokenizer = load_adapted(options.base, options.adapter)
    model.to("cuda" if library.cuda.is_available() else "cpu")
    rows = draw(model, tokenizer, scripts, draws, options.seed, options.batch, options.most_tokens)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
