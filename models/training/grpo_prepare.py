"""Writes the prompts that reinforcement learning samples replies to, into one small folder.

    python -m models.training.grpo_prepare --data ../shared/data --output var/grpo

The contexts of MINT and of the 322 recorded conversations, and some of the conversations written for
Hearken, split by conversation as in ``finetune_chat``, with the tactics of the previous supporter turn.
``prompts.jsonl.gz`` is all that the training needs besides base, adapter and encoder, so it can run on a
machine without the data. ``scripts.json`` holds what persons said in conversations kept apart, for
evaluations that play them.
"""

import argparse
import hashlib
import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.chat_model import ChatMessage
from models.encoder import CachedEncoder, EncoderError, load_encoder
from models.scorer import ReplyScorer, scorer_with
from models.tactics import Tactic
from models.training.chat_data import load_examples
from models.training.example import Example, is_held_out
from models.training.finetune_chat import VALIDATION_SHARE
from models.training.grpo_rows import PROMPTS, PromptRow, Turn, write_prompts
from models.training.multi_task_prepare import LICENCES
from models.training.run_facts import revision

CONTEXTS = ("mint", "conversations")
"""Public sources of contexts; all of theirs."""
WRITTEN, PER_WRITTEN = ("scenes", "echoes"), 1800
"""Sources written for Hearken, and conversations drawn from each: turns before are like the adapter's own."""
SCRIPTS = "scripts.json"
FEWEST, MOST = 2, 5
"""Messages of a person in a script."""


def prompt_rows(examples: Sequence[Example], scorer: ReplyScorer) -> list[PromptRow]:
    """One row for each distinct context, in the order of their keys."""
    distinct = {example.turns: example for example in examples}
    rows: list[PromptRow] = []
    for example in distinct.values():
        turns = [Turn(role=_role(turn), content=turn.content) for turn in _alternating(example.turns)]
        text = json.dumps([[turn.role, turn.content] for turn in turns], ensure_ascii=False)
        counts = _previous(example.turns, scorer)
        rows.append(
            PromptRow(
                key=hashlib.sha256(f"{example.group}\n{text}".encode()).hexdigest()[:12],
                source=example.source,
                group=example.group,
                split="valid" if is_held_out(example.group, VALIDATION_SHARE) else "train",
                turns=tuple(turns),
                previous=counts,
                reply=example.reply,
                mood=example.mood,
                code=example.code,
            )
        )
    return sorted(rows, key=lambda row: row.key)


def written_contexts(seed: int) -> list[Example]:
    """Conversations written for Hearken, two thirds of them with a turn before."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    found: list[Example] = []
    for source in WRITTEN:
        examples = load_examples(None, (source,), seed)
        later = [example for example in examples if len(example.turns) > 1]
        first = [example for example in examples if len(example.turns) == 1]
        for some, number in ((later, PER_WRITTEN * 2 // 3), (first, PER_WRITTEN // 3)):
            found += chance.sample(some, min(number, len(some)))
    return found


def scripts(examples: Sequence[Example]) -> list[list[str]]:
    """What the person said, message by message, in each conversation that is kept apart and long enough."""
    found: dict[str, dict[str, None]] = {}
    for example in sorted(examples, key=lambda one: len(one.turns)):
        if is_held_out(example.group, VALIDATION_SHARE):
            found.setdefault(example.group, {})[example.turns[-1].content] = None
    messages = [list(said)[:MOST] for _, said in sorted(found.items())]
    return [said for said in messages if len(said) >= FEWEST]


def prepare(data: Path, output: Path, scorer: ReplyScorer, seed: int) -> dict[str, Any]:
    """Read, tag and write.

    Returns:
        The manifest.

    Raises:
        ValueError: A file is missing or a row is wrong (file and row number).
    """
    examples = load_examples(data, CONTEXTS, seed, thin=False)
    played = scripts(examples)
    rows = prompt_rows([*examples, *written_contexts(seed)], scorer)
    output.mkdir(parents=True, exist_ok=True)
    file = output / PROMPTS
    write_prompts(rows, file)
    (output / SCRIPTS).write_text(json.dumps(played, ensure_ascii=False, indent=1) + "\n", "utf-8")
    counts = Counter((row.source, row.split) for row in rows)
    manifest: dict[str, Any] = {
        "rows": {f"{source}, {split}": count for (source, split), count in sorted(counts.items())},
        "scripts": len(played),
        "first_turns": sum(not any(row.previous) for row in rows),
        "licences": {source: LICENCES[source] for source in (*CONTEXTS, *WRITTEN)},
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "seed": seed,
        "revision": revision(),
    }
    (output / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    return manifest


def _alternating(turns: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The latest turns from a person's message on in which both speak in turn."""
    kept: list[ChatMessage] = []
    for turn in reversed(turns):
        if kept and kept[-1].role == turn.role:
            break
        kept.append(turn)
    if kept[-1].role != "user":
        kept.pop()
    return kept[::-1]


def _role(turn: ChatMessage) -> Any:
    return turn.role


def _previous(turns: Sequence[ChatMessage], scorer: ReplyScorer) -> tuple[int, ...]:
    """Tactic counts of the last supporter turn before the message that is answered."""
    places = [place for place, turn in enumerate(turns) if turn.role == "assistant"]
    if not places:
        return (0,) * len(Tactic)
    counts = scorer.features(turns[: places[-1]], [turns[places[-1]].content])[0].counts
    return tuple(counts.get(tactic, 0) for tactic in Tactic)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the folder and print its manifest."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.grpo_prepare", description=(__doc__ or "").splitlines()[0]
    )
    default = os.environ.get("HEARKEN_DATA_DIR", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the public data")
    parser.add_argument("--output", type=Path, default=Path("var/grpo"))
    parser.add_argument("--encoder", default="e5-mint", help="tags the previous turns")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    try:
        encoder = CachedEncoder(load_encoder(options.encoder, threads=options.threads))
        manifest = prepare(options.data, options.output, scorer_with(encoder), options.seed)
    except (ValueError, EncoderError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(json.dumps(manifest, indent=1))


if __name__ == "__main__":
    main()
