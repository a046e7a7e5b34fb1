"""Everything one training reads, as tokens: loaded from the prepared folder and checked."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from models.chat_model import ChatMessage
from models.training.chat_tokens import Tokens, encode_all
from models.training.example import Example
from models.training.multi_task_config import MultiTaskConfig
from models.training.multi_task_rows import (
    EMOTIONS,
    DialogueRow,
    EmotionRow,
    Row,
    SafetyRow,
    Split,
    StrategyRow,
    load_rows,
)
from models.training.sample_chat import sample_replies
from models.training.task_tokens import Reading, encode_emotions, encode_strategies

SAFETY_REPLY_TOKENS = 64
"""Tokens of the base's own replies on which it is compared with the tuned model."""

SAFETY_FILE = "safety_replies.json"

AnyKind = TypeVar("AnyKind", bound=Row)


@dataclass(frozen=True, slots=True)
class TaskSplit:
    """One side of the split, as tokens."""

    dialogue: Sequence[Tokens]
    emotion: Sequence[Reading]
    strategy: Sequence[Reading]
    safety: Sequence[Tokens]


@dataclass(frozen=True, slots=True)
class TaskData:
    """What is learned from, what chooses the step, and what is only measured on.

    Attributes:
        train: Learned from.
        valid: Conversations and texts kept apart.
        test: Emotion texts that choose nothing.
        contexts: Held-out dialogues as text, for sampled replies.
        emotions: Names of the emotions in the order of the head's outputs.
        licences: Of each source that is learned from.
        counts: Rows of each kind, for the report.
    """

    train: TaskSplit
    valid: TaskSplit
    test: Sequence[Reading]
    contexts: Sequence[Example]
    emotions: Sequence[str]
    licences: Mapping[str, str]
    counts: dict[str, int]


def load_task_data(config: MultiTaskConfig, base: Any, tokenizer: Any) -> TaskData:
    """Read and tokenize the prepared folder; the base answers the safety messages once.

    Raises:
        ValueError: A file is missing or empty, a row is wrong (with its number), or a side of the
            split is empty.
    """
    folder, most, profile = config.prepared, config.train.reading_tokens, config.profile
    dialogues = load_rows(DialogueRow, folder / "dialogue.jsonl.gz")
    strategies = load_rows(StrategyRow, folder / "strategy.jsonl.gz")
    if config.esconv:
        dialogues += load_rows(DialogueRow, folder / "dialogue_esconv.jsonl.gz")
        strategies = load_rows(StrategyRow, folder / "strategy_esconv.jsonl.gz")
    emotions = load_rows(EmotionRow, folder / "emotion.jsonl.gz")
    safety = load_rows(SafetyRow, folder / "safety.jsonl.gz")
    sources = {row.source for rows in (dialogues, strategies, emotions, safety) for row in rows}
    manifest = _manifest(folder, sources)
    limits: dict[Split, int | None] = {"train": config.limit, "valid": config.validation.rows}
    asked = [row for split, limit in limits.items() for row in _of(safety, split, limit)]
    replies = _safety_replies(config, base, tokenizer, asked)

    def side(split: Split) -> TaskSplit:
        limit = limits[split]
        said = [
            Example("safety", row.group, (ChatMessage("user", row.text),), replies[row.group], row.risk_level)
            for row in _of(safety, split, limit)
        ]
        examples = [row.example() for row in _of(dialogues, split, limit)]
        return TaskSplit(
            encode_all(tokenizer, examples, config.train.max_tokens, profile),
            encode_emotions(tokenizer, _of(emotions, split, limit), most, profile),
            encode_strategies(tokenizer, _of(strategies, split, limit), most, profile),
            encode_all(tokenizer, said, config.train.max_tokens, profile),
        )

    train, valid = side("train"), side("valid")
    _no_empty_side(train, valid)
    measured = _of(emotions, "test", config.limit and config.validation.rows)
    return TaskData(
        train,
        valid,
        encode_emotions(tokenizer, measured, most, profile),
        [row.example() for row in dialogues if row.split == "valid"],
        [str(name) for name in manifest["emotions"]],
        {source: str(manifest["licences"][source]) for source in sorted(sources)},
        _counts(train, "train") | _counts(valid, "valid") | {"emotion_test": len(measured)},
    )


def _of(rows: Sequence[AnyKind], split: Split, limit: int | None) -> list[AnyKind]:
    """Rows of one split; when there are more than ``limit``, evenly spread ones."""
    found = [row for row in rows if row.split == split]
    if limit is None or len(found) <= limit:
        return found
    return [found[place * len(found) // limit] for place in range(limit)]


def _counts(side: TaskSplit, name: str) -> dict[str, int]:
    sizes = {
        "dialogue": len(side.dialogue),
        "emotion": len(side.emotion),
        "strategy": len(side.strategy),
        "safety": len(side.safety),
    }
    return {f"{kind}_{name}": size for kind, size in sizes.items()}


def _no_empty_side(train: TaskSplit, valid: TaskSplit) -> None:
    counts = _counts(train, "training") | _counts(valid, "validation")
    empty = [name.replace("_", " ") for name, size in counts.items() if not size]
    if empty:
        raise ValueError(f"no rows that fit for {', '.join(empty)}")


def _manifest(folder: Path, sources: Iterable[str]) -> dict[str, Any]:
    try:
        manifest = cast(dict[str, Any], json.loads((folder / "manifest.json").read_text("utf-8")))
        missing = set(sources) - set(manifest["licences"])
        if missing or len(manifest["emotions"]) != EMOTIONS:
            raise ValueError(f"no licence of {', '.join(sorted(missing))}" if missing else "emotions")
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"manifest.json: {type(error).__name__}: {error}") from None
    return manifest


def _safety_replies(
    config: MultiTaskConfig, base: Any, tokenizer: Any, rows: Sequence[SafetyRow]
) -> dict[str, str]:
    """The base's reply to each message, from an earlier run if base and messages are the same."""
    file = config.output / SAFETY_FILE
    asked = [config.base, config.profile, config.dtype, config.train.seed, SAFETY_REPLY_TOKENS]
    digest = hashlib.sha256(json.dumps([asked, [row.text for row in rows]]).encode()).hexdigest()
    if file.is_file():
        known = cast(dict[str, Any], json.loads(file.read_text("utf-8")))
        if known.get("digest") == digest:
            return cast(dict[str, str], known["replies"])
    contexts = [((ChatMessage("user", row.text),), row.risk_level) for row in rows]
    found = sample_replies(
        base,
        tokenizer,
        contexts,
        1,
        config.train.seed,
        batch_size=256,
        profile=config.profile,
        most_tokens=SAFETY_REPLY_TOKENS,
    )
    replies = {row.group: one[0].removesuffix("[…]").strip() for row, one in zip(rows, found, strict=True)}
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"digest": digest, "replies": replies}, ensure_ascii=False), "utf-8")
    part.replace(file)
    return replies
