"""Loads what the embedded supporter learns from: dialogues written for Hearken and public data."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.chat_model import ChatMessage
from models.sentences import split_sentences
from models.training.answered_file import read_answered
from models.training.closer_replies import closer_examples, light_examples
from models.training.dialogue_file import TALK_FOLDER, read_dialogues
from models.training.echoed_replies import echoed_examples
from models.training.example import Example, limit_openings, limit_per_context
from models.training.kind_file import kind_examples
from models.training.labelled_data import guidance_examples, labelled_examples, phrase_examples
from models.training.reply_text import learnable_reply, plain_text
from models.training.rows import read_rows
from models.training.scene_replies import echo_examples, scene_examples, supported_examples

SOURCES = (
    *(
        "answered",
        "echoed",
        "closer",
        "closer_light",
        "kinds",
        "dialogues",
        "talks",
        "phrases",
        "guidance",
        "scenes",
        "echoes",
        "supported",
    ),
    *("labelled", "mint", "conversations", "counselchat"),
)

WELL_RATED = 3.8
"""Least aggregated empathy (1 to 5) of a MINT reply that is learned from."""

ANSWER_WORDS, ANSWER_VOTES = 200, 1
"""Longest counsellor's answer that is shortened into a reply, and fewest up-votes (a third has any)."""

CONTEXT_WORDS = 160
"""Longest message of a person that is used as context."""

PER_CONTEXT, OPENING_SHARE = 5, 0.03
"""Most replies to one context, and largest share of replies with one opening, of a public source."""

COMMON_SENTENCE = 12
"""A sentence that occurs more often than this in one source says nothing specific and is dropped."""

_SUPPORTS = re.compile(
    r"\bfeel(?:s|ing)?\b|\bsorry\b|\bglad\b|\bhard\b|\btough\b|difficult|sounds|must (?:be|have)|frustrat",
    re.IGNORECASE,
)
_NO_TALK = re.compile(
    r"\bact as\b|you are (?:a|an|my)\b|pretend|role.?play|\bwrite\b|poem|\bstory\b|script|translate|\bkeys?\b"
    r"|biome|\bchapter\b|essay|\bcode\b|generate|prompt|\bnsfw\b|\bsex|naked|\bfuck|^\w+:|“|\bgpt\b",
    re.IGNORECASE,
)


def load_examples(
    data_dir: Path | None,
    sources: Sequence[str],
    seed: int,
    thin: bool = True,
    firsts: Mapping[str, str] | None = None,
) -> list[Example]:
    """Examples of the named sources, cleaned and thinned, in random order.

    Args:
        data_dir: Folder of the public data; what was written for Hearken needs none.
        sources: Some of :data:`SOURCES`.
        seed: For what is left out of too frequent contexts and openings.
        thin: Whether public replies with too frequent contexts, openings and sentences are left out; not
            where only the contexts are wanted.
        firsts: First sentences of ``closer_light`` in place of the written ones, by message.

    Raises:
        ValueError: Unknown source, a missing folder, or a bad row (file and row number).
    """

    def public_part(examples: list[Example]) -> list[Example]:
        return _thinned(examples, seed) if thin else examples

    own: Mapping[str, Callable[[], list[Example]]] = {
        "answered": read_answered,
        "kinds": kind_examples,
        "dialogues": read_dialogues,
        "echoed": lambda: echoed_examples(seed),
        "closer": lambda: closer_examples(seed),
        "closer_light": lambda: light_examples(seed, firsts=firsts),
        "talks": lambda: read_dialogues(TALK_FOLDER),
        "phrases": lambda: phrase_examples(seed),
        "guidance": lambda: guidance_examples(seed),
        "scenes": lambda: scene_examples(seed),
        "echoes": lambda: echo_examples(seed),
        "supported": lambda: supported_examples(read_dialogues(TALK_FOLDER), seed),
    }
    public: Mapping[str, Callable[[Path], list[Example]]] = {
        "labelled": lambda folder: labelled_examples(folder, seed),
        "mint": lambda folder: public_part(_mint(folder)),
        "conversations": lambda folder: public_part(_conversations(folder)),
        "counselchat": lambda folder: public_part(_answers(folder)),
    }
    examples: list[Example] = []
    for source in sources:
        if source in own:
            examples += own[source]()
        elif source in public and data_dir is not None:
            examples += public[source](data_dir)
        else:
            msg = f"source {source}: not one of {', '.join(SOURCES)}, or no data folder given"
            raise ValueError(msg)
    return examples


def _thinned(examples: Sequence[Example], seed: int) -> list[Example]:
    specific = _without_common_sentences(examples)
    return limit_openings(limit_per_context(specific, PER_CONTEXT, seed), OPENING_SHARE, seed)


def _mint(data_dir: Path) -> list[Example]:
    """Well-rated replies; sentences tagged as self-disclosure are left out."""
    contexts = {
        (row["conversation_id"], row["turn_index"]): tuple(
            ChatMessage(turn["role"], plain_text(turn["content"])) for turn in row["history"]
        )
        for _, row in read_rows(data_dir / "mint" / "contexts.jsonl.gz")
    }
    examples: list[Example] = []
    for number, row in read_rows(data_dir / "mint" / "replies.jsonl.gz"):
        turns = contexts.get((row["conversation_id"], row["turn_index"]))
        if turns is None:
            msg = f"replies.jsonl.gz, row {number}: no context {row['conversation_id']} {row['turn_index']}"
            raise ValueError(msg)
        ratings = row["ratings"]
        if ratings["aggregated_empathy"] < WELL_RATED or ratings["dismissing_emotions"] > 1:
            continue
        drop = ["self_disclosure" in tactics for tactics in row["sentence_tactics"]]
        reply = learnable_reply(row["reply"], drop)
        if reply is not None:
            examples.append(Example("mint", f"mint:{row['conversation_id']}", turns[-7:], reply))
    return examples


def _conversations(data_dir: Path) -> list[Example]:
    """Supporter turns of conversations in which a person talks about themselves."""
    file = data_dir / "mint" / "conversations_322.json.gz"
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            conversations: list[dict[str, Any]] = json.load(stream)
    except OSError as error:
        msg = f"{file}: {type(error).__name__}"
        raise ValueError(msg) from None
    examples: list[Example] = []
    for conversation in conversations:
        examples += _one_conversation(conversation)
    return examples


def _one_conversation(conversation: Mapping[str, Any]) -> list[Example]:
    """Examples up to the first message that is no talk about oneself or is too long."""
    examples: list[Example] = []
    turns: list[ChatMessage] = []
    for turn in conversation["conversation"]:
        text = turn["content"]
        if turn["role"] == "seeker":
            if _NO_TALK.search(text) or len(text.split()) > CONTEXT_WORDS or not text.strip():
                break
            turns.append(ChatMessage("user", plain_text(text)))
            continue
        reply = learnable_reply(text)
        if reply is not None:
            examples.append(
                Example("conversations", conversation["conversation_id"], tuple(turns[-7:]), reply)
            )
        turns.append(ChatMessage("assistant", reply or " ".join(plain_text(text).split()[:40])))
    return examples


def _answers(data_dir: Path) -> list[Example]:
    """Short answers of counsellors that readers voted for, as replies to the question."""
    examples: list[Example] = []
    for _, row in read_rows(data_dir / "counselchat" / "answers.jsonl.gz"):
        question, answer = plain_text(row["question"] or row["title"]), row["answer"] or ""
        short = len(answer.split()) <= ANSWER_WORDS and 4 <= len(question.split()) <= CONTEXT_WORDS
        reply = learnable_reply(answer) if short and row["upvotes"] >= ANSWER_VOTES else None
        if reply is not None:
            turns = (ChatMessage("user", question),)
            examples.append(Example("counselchat", f"counselchat:{row['title']}", turns, reply))
    return examples


def _without_common_sentences(examples: Sequence[Example]) -> list[Example]:
    counts = Counter(sentence.lower() for example in examples for sentence in split_sentences(example.reply))
    kept: list[Example] = []
    for example in examples:
        sentences = [s for s in split_sentences(example.reply) if counts[s.lower()] <= COMMON_SENTENCE]
        if len(sentences) >= 2:
            kept.append(Example(example.source, example.group, example.turns, " ".join(sentences)))
    return kept
