r"""Gathers replies to real conversations for MindChat's Table 2: of people, released systems, models here.

    python -m evals.mindchat_real --data ../shared/data --output var/mindchat/replies.jsonl
    python -m evals.mindchat sheet var/mindchat/replies.jsonl --output var/mindchat/sheet.jsonl

English: contexts of MINT with the replies that its authors released for some systems, the human one among
them, and the reply of the embedded model. Chinese: places in SmileChat's dialogues with the counsellor's
reply and that of the small checkpoint that writes an empathic chain of thought. Contexts are drawn by seed,
one of a conversation. ``--no-models`` leaves the models out.
"""

import argparse
import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.smilechat import SMILECHAT, dialogues_of
from models.chat_model import ChatMessage
from models.checkpoints import ECOT_TINY
from models.local import LocalChatModel
from models.profiles import load_profiles
from models.prompts import build_prompt
from models.training.ecot_talks import PROFILE
from models.training.rows import read_rows

SYSTEMS = {
    "gold": "human",
    "baseline1_vanilla_Qwen3-1.7B": "Qwen3-1.7B",
    "baseline1_vanilla_Qwen3-4B": "Qwen3-4B",
    "baseline7_psychocounsel_Qwen3-4B": "PsychoCounsel reward, 4B",
    "ours1_q_dkl_Qwen3-1.7B": "MINT 1.7B",
    "ours1_q_dkl_Qwen3-4B": "MINT 4B",
}
"""Released systems and what the table calls them."""
EMBEDDED, COUNSELLOR, SMALL = "embedded model", "counsellor (SmileChat)", "small ECoT checkpoint"
_LATEST = 6
"""Turns before the reply that a Chinese context keeps."""
_SOONEST = 5
"""Turn of a Chinese dialogue from which a reply is taken: greetings say nothing."""
Row = dict[str, Any]


def english(folder: Path, number: int, rng: random.Random) -> Iterator[Row]:
    """Rows of the released replies to some contexts, one of a conversation."""
    contexts = {
        (row["conversation_id"], row["turn_index"]): row["history"]
        for _, row in read_rows(folder / "mint" / "contexts.jsonl.gz")
    }
    places: dict[str, list[tuple[str, int]]] = {}
    for place in sorted(contexts):
        places.setdefault(place[0], []).append(place)
    chosen = {rng.choice(places[name]) for name in rng.sample(sorted(places), min(number, len(places)))}
    for _, row in read_rows(folder / "mint" / "replies.jsonl.gz"):
        place = (row["conversation_id"], row["turn_index"])
        if place in chosen and row["system"] in SYSTEMS:
            yield _row(SYSTEMS[row["system"]], place[0], contexts[place], row["reply"], "en")


def chinese(folder: Path, number: int, rng: random.Random) -> Iterator[Row]:
    """Rows of counsellors' replies, one of a dialogue."""
    long = [talk for talk in dialogues_of(folder / SMILECHAT) if len(talk) > _SOONEST + 1]
    for name, talk in enumerate(rng.sample(long, min(number, len(long)))):
        ends = [i for i, turn in enumerate(talk) if turn["role"] == "assistant" and i >= _SOONEST]
        end = rng.choice(ends)
        start = max(0, end - _LATEST)
        context = talk[start + (talk[start]["role"] == "assistant") : end]
        yield _row(COUNSELLOR, f"smilechat {name}", context, talk[end]["content"], "zh")


def _row(name: str, conversation: str, context: Sequence[Row], reply: str, language: str) -> Row:
    return {
        "configuration": name,
        "conversation": conversation,
        "context": [{"role": turn["role"], "content": turn["content"]} for turn in context],
        "reply": reply,
        "language": language,
    }


async def answered(rows: Sequence[Row], model: LocalChatModel, name: str, language: str) -> list[Row]:
    """The model's reply, one sample, to the context of each conversation among the rows of a language."""
    contexts = {row["conversation"]: row for row in rows if row["language"] == language}
    found: list[Row] = []
    try:
        for row in contexts.values():
            turns = [ChatMessage(turn["role"], turn["content"]) for turn in row["context"]]
            prompt = build_prompt(model.profile, turns, [], 0, language)
            (candidate,) = await model.sample(prompt, 1)
            found.append(_row(name, row["conversation"], row["context"], candidate.text or "…", language))
    finally:
        await model.close()
    return found


def models() -> Mapping[str, tuple[str, LocalChatModel]]:
    """The models here by language, with what the table calls them."""
    return {
        "en": (EMBEDDED, LocalChatModel(timeout_s=600.0)),
        "zh": (SMALL, LocalChatModel(ECOT_TINY, profile=load_profiles()[PROFILE], timeout_s=600.0)),
    }


async def gathered(given: argparse.Namespace) -> list[Row]:
    """All rows, the models' last."""
    rng = random.Random(given.seed)  # noqa: S311  # repeatable, not secret
    rows = [*english(given.data, given.english, rng), *chinese(given.data, given.chinese, rng)]
    if not given.no_models:
        played = [await answered(rows, model, name, lang) for lang, (name, model) in models().items()]
        rows += [row for found in played for row in found]
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Gather and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--english", type=int, default=30, help="contexts of MINT")
    parser.add_argument("--chinese", type=int, default=25, help="dialogues of SmileChat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-models", action="store_true")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    rows = asyncio.run(gathered(given))
    given.output.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    given.output.write_text(text, "utf-8")
    print(f"{len(rows)} replies to {len({row['conversation'] for row in rows})} conversations")


if __name__ == "__main__":
    main()
