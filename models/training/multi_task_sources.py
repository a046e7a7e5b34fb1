"""Public data as rows of the multi-task recipe: emotions, strategies, safety messages, ESConv dialogues."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from models.sentences import says_something, split_sentences
from models.training.example import Example, is_held_out
from models.training.multi_task_rows import (
    EMOTIONS,
    DialogueRow,
    EmotionRow,
    Role,
    SafetyRow,
    Split,
    StrategyRow,
    Turn,
)
from models.training.raw_rows import (
    RawContext,
    RawCrisis,
    RawDialogue,
    RawModeration,
    RawReply,
    read_json_lines,
    read_labelled_lines,
    read_plain_json_lines,
    read_prompts,
)
from models.training.reply_text import plain_text
from models.training.strategies import load_strategies

VALIDATION_SHARE = 0.15
"""Share of conversations kept apart; the choice hangs on the name and is that of ``finetune_chat``."""

TEXT_VALIDATION_SHARE = 0.05
"""Share of GoEmotions' training texts that choose thresholds; its dev file is only measured on."""

REPLY_WORDS = 8
"""Fewest words of an ESConv reply that is learned."""

TURNS = 7
"""Most turns before a reply."""

AT_RISK = 2
"""Risk level (moderate) of prompts about self-harm: they carry the crisis guidance, as served."""

_RISK_LEVELS = {"none": 0, "low": 1, "moderate": 2, "high-imminent": 3}


def dialogue_rows(examples: Sequence[Example]) -> list[DialogueRow]:
    """Examples of the chat recipes as rows, split by conversation."""
    return [
        DialogueRow(
            source=example.source,
            group=example.group,
            split=_split(example.group),
            turns=tuple(Turn(role=_role(turn.role), content=turn.content) for turn in example.turns),
            reply=example.reply,
            risk_level=example.risk_level,
        )
        for example in examples
    ]


def emotion_rows(folder: Path) -> list[EmotionRow]:
    """GoEmotions: train and validation from its training file, test from its dev file.

    Args:
        folder: Where ``train.tsv.gz``, ``dev.tsv.gz`` and ``labels.txt`` are.

    Raises:
        ValueError: A file is missing or a row is wrong.
    """
    names = emotion_names(folder)
    kept: dict[str, EmotionRow] = {}
    for file, test in (("dev.tsv.gz", True), ("train.tsv.gz", False)):
        for text, labels in read_labelled_lines(folder / file, len(names)):
            group = f"goemotions:{_digest(text.casefold())}"
            split: Split = "valid" if is_held_out(group, TEXT_VALIDATION_SHARE) else "train"
            row = EmotionRow(
                source="goemotions",
                group=group,
                split="test" if test else split,
                text=text,
                labels=tuple(label for label in labels if label < EMOTIONS),
            )
            kept.setdefault(group, row)  # a text that is measured on is never learned from
    return list(kept.values())


def emotion_names(folder: Path) -> list[str]:
    """Names of the labels, *neutral* last.

    Raises:
        ValueError: The file is missing or has other names.
    """
    try:
        names = (folder / "labels.txt").read_text("utf-8").split()
    except OSError as error:
        raise ValueError(f"labels.txt: {type(error).__name__}") from None
    if len(names) != EMOTIONS + 1 or names[-1] != "neutral":
        raise ValueError(f"labels.txt: expected {EMOTIONS} emotions and 'neutral'")
    return names


def strategy_rows(folder: Path) -> list[StrategyRow]:
    """Sentences of MINT's replies; the authors' tactic tags are read as strategies.

    Replies whose sentences do not match the tags one to one are left out.

    Raises:
        ValueError: A file is missing, a row is wrong, or a reply has no context.
    """
    table = load_strategies()
    contexts = {
        (row.conversation_id, row.turn_index): row.history[-1].content
        for row in read_json_lines(RawContext, folder / "contexts.jsonl.gz")
    }
    rows: list[StrategyRow] = []
    for number, reply in enumerate(read_json_lines(RawReply, folder / "replies.jsonl.gz"), start=1):
        key = (reply.conversation_id, reply.turn_index)
        if key not in contexts:
            raise ValueError(f"replies.jsonl.gz, row {number}: no context {key[0]} {key[1]}")
        sentences = split_sentences(reply.reply)
        if len(sentences) != len(reply.sentence_tactics):
            continue
        group = f"mint:{reply.conversation_id}"
        rows += [
            StrategyRow(
                source="mint",
                group=group,
                split=_split(group),
                context=contexts[key],
                text=sentence,
                label=table.number(table.of_tactics(frozenset(tactics))),
            )
            for sentence, tactics in zip(sentences, reply.sentence_tactics, strict=True)
            if says_something(sentence)
        ]
    return rows


def safety_rows(folder: Path) -> list[SafetyRow]:
    """Harmful and harmless-looking prompts, and messages of people at risk, in English.

    Raises:
        ValueError: A file is missing or a row is wrong.
    """
    found: list[tuple[str, str, int]] = []
    for row in read_prompts(folder / "simple_safety_tests.csv", "prompts_final", "harm_area"):
        found.append(("simple_safety_tests", row.prompt, AT_RISK if "Suicide" in row.area else 0))
    for row in read_prompts(folder / "xstest_prompts.csv", "prompt", "label"):
        found.append(("xstest", row.prompt, 0))
    for row in read_json_lines(RawModeration, folder / "openai_moderation.jsonl.gz"):
        if row.SH == 1:
            found.append(("openai_moderation", row.prompt, AT_RISK))
    for row in read_plain_json_lines(RawCrisis, folder / "crisis_cases.jsonl"):
        if row.lang == "en":
            found.append(("crisis_cases", row.text, _RISK_LEVELS[row.label]))
    rows: list[SafetyRow] = []
    for source, text, level in found:
        group = f"{source}:{_digest(text)}"
        rows.append(SafetyRow(source=source, group=group, split=_split(group), text=text, risk_level=level))
    return rows


def esconv_rows(folder: Path) -> tuple[list[DialogueRow], list[StrategyRow]]:
    """Dialogues and labelled supporter turns of ESConv (CC BY-NC 4.0), split as published.

    Raises:
        ValueError: A file is missing, a row is wrong, or a supporter's turn has no known strategy.
    """
    dialogues: list[DialogueRow] = []
    strategies: list[StrategyRow] = []
    splits: tuple[Split, ...] = ("train", "valid")
    for split in splits:
        file = folder / f"{split}.jsonl.gz"
        for number, dialogue in enumerate(read_json_lines(RawDialogue, file), start=1):
            group = f"esconv:{split}:{number}"
            dialogues += _esconv_dialogue(dialogue, group, split)
            strategies += _esconv_strategies(dialogue, group, split, f"{file.name}, row {number}")
    return dialogues, strategies


def _esconv_strategies(dialogue: RawDialogue, group: str, split: Split, where: str) -> Iterator[StrategyRow]:
    context = ""
    for turn in dialogue.dialog:
        text = turn.text.strip()
        if turn.speaker == "usr":
            context = text or context
            continue
        try:
            label = load_strategies().number(turn.strategy or "")
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if text:
            yield StrategyRow(
                source="esconv", group=group, split=split, context=context, text=text, label=label
            )


def _esconv_dialogue(dialogue: RawDialogue, group: str, split: Split) -> Iterator[DialogueRow]:
    """Replies with the turns before them; messages that follow each other become one turn."""
    turns: list[Turn] = []
    for turn in dialogue.dialog:
        role: Role = "user" if turn.speaker == "usr" else "assistant"
        text = plain_text(turn.text)
        if not text or (not turns and role == "assistant"):
            continue
        if turns and turns[-1].role == role:
            turns[-1] = Turn(role=role, content=f"{turns[-1].content} {text}")
        else:
            turns.append(Turn(role=role, content=text))
    for place, turn in enumerate(turns):
        if turn.role == "assistant" and len(turn.content.split()) >= REPLY_WORDS:
            before = tuple(turns[max(0, place - TURNS) : place])
            yield DialogueRow(source="esconv", group=group, split=split, turns=before, reply=turn.content)


def _split(group: str) -> Split:
    return "valid" if is_held_out(group, VALIDATION_SHARE) else "train"


def _role(name: str) -> Role:
    return "assistant" if name == "assistant" else "user"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
