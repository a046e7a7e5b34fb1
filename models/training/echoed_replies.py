"""Composes replies from what was written for each message and sentences that fit its kind.

The first sentence says the message back and is the only one that a model has to make of the person's words.
What follows is true of every message of that kind (``models/training/echoed/sentences.yaml``): what it may
feel like, a word of understanding, a word of presence, a question. A small model can't reason about a
situation; it can copy what was said, and its prompt tells it the kind (:mod:`models.control_code`).
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from models.chat_model import ChatMessage
from models.control_code import code_text
from models.message_kind import ADDRESSED, ANY_HEAVY, ASKED, HEAVY, TOLD, UNSURE, MessageReading
from models.training.echoed_file import ECHOED_FOLDER, EchoedTalk, Parts, read_echoed
from models.training.example import Example
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN

SOURCE = "echoed"
Pools = Mapping[str, Mapping[str, Sequence[str]]]
"""Sentences of each kind, by part."""
_OWN_QUESTION = {"small": 0.7, "good": 0.4, "annoyed": 0.3, **dict.fromkeys(ASKED, 0.4)}
"""Share of replies to these kinds that end with the question written for the message, where there is one.

In small talk a general question falls flat; where something hurts, a wrong one does harm.
"""
_OTHER_QUESTION = 0.2
"""Share for all other kinds."""
_OWN_KIND = 0.7
"""Share of sentences that are the kind's own and not its group's, where it has some."""
_NAMED = 0.8
"""Share of replies that name a feeling, where one is sure."""
_TWO_FEELINGS = 0.6
_UNCODED, _ANY_HEAVY, _ANY_TOLD = 0.04, 0.12, 0.12
"""Shares of examples whose prompt doesn't tell the kind, of heavy ones told as such without their kind, and
of all that tell something whose kind is unsure: a message may not be readable, or only half."""
_Shapes = Sequence[tuple[tuple[str, ...], int]]
_HEAVY_SHAPES: _Shapes = (
    (("feeling", "understanding", "understanding", "presence", "presence", "question"), 4),
    (("feeling", "understanding", "understanding", "understanding", "presence", "question"), 3),
    (("feeling", "understanding", "understanding", "presence", "question"), 3),
)
_GLAD_SHAPES: _Shapes = (
    (("feeling", "understanding", "presence", "question"), 5),
    (("feeling", "understanding", "question"), 2),
)
_SMALL_SHAPES: _Shapes = ((("feeling", "presence", "question"), 3), (("feeling", "question"), 1))
_ADDRESSED_SHAPES: _Shapes = ((("first", "understanding", "question"), 1),)
_PARTING_SHAPES: _Shapes = ((("first", "understanding", "presence"), 1),)
_ASKED_SHAPES: _Shapes = (
    (("plain", "understanding", "understanding", "question"), 1),
    (("plain", "understanding", "question"), 2),
)
_FACT_SHAPES: _Shapes = ((("plain", "question"), 1),)
_SHAPES: Mapping[str, _Shapes] = {
    **dict.fromkeys(HEAVY, _HEAVY_SHAPES),
    **dict.fromkeys(ADDRESSED, _ADDRESSED_SHAPES),
    **dict.fromkeys(ASKED, _ASKED_SHAPES),
    **dict.fromkeys(("torn", "good", "annoyed"), _GLAD_SHAPES),
    "small": _SMALL_SHAPES,
    "thanks": _PARTING_SHAPES,
    "fact": _FACT_SHAPES,
    ANY_HEAVY: _HEAVY_SHAPES,
    UNSURE: _SMALL_SHAPES,
}
"""Parts after the sentence that says back, and how often each shape is taken."""
_OWN_ENDS = frozenset((*TOLD, *ASKED))
"""Kinds that may end with the question written for the message."""


def echoed_examples(
    seed: int, versions: int = 2, folder: Path = ECHOED_FOLDER, talks: Sequence[EchoedTalk] | None = None
) -> list[Example]:
    """Conversations with composed replies, the same for the same seed.

    Args:
        seed: Of what is drawn.
        versions: Replies composed for each conversation.
        folder: Of the files.
        talks: Conversations, if others than the folder's.
    """
    pools = read_pools(folder)
    found: list[Example] = []
    for talk in read_echoed(folder) if talks is None else talks:
        for version in range(versions):
            rng = random.Random(f"{seed} {version} {talk.place}")  # noqa: S311  # repeatable, not secret
            found += _conversation(talk, pools, rng)
    return found


def read_pools(folder: Path = ECHOED_FOLDER) -> Pools:
    """Sentences of each kind by part; those of its group stand under ``like`` and the part's name."""
    book = yaml.safe_load((folder / "sentences.yaml").read_text("utf-8"))
    groups: dict[str, dict[str, list[str]]] = book["groups"]
    pools: dict[str, dict[str, list[str]]] = {}
    for kind, own in book["kinds"].items():
        shared = groups[own["like"]] if "like" in own else {}
        parts = {name: sentences for name, sentences in own.items() if name != "like"}
        pools[kind] = parts | {f"like {name}": sentences for name, sentences in shared.items()}
    return pools


def _conversation(talk: EchoedTalk, pools: Pools, rng: random.Random) -> Iterator[Example]:
    turns: list[ChatMessage] = []
    used: set[str] = set()
    for parts in talk.parts:
        turns.append(ChatMessage("user", parts.said))
        reply, reading = coded_reply(parts, pools, rng, used)
        code = "" if rng.random() < _UNCODED else code_text(reading)
        yield Example(
            SOURCE,
            f"{SOURCE}:{talk.place}",
            tuple(turns),
            reply,
            mood=_SCENE_MOODS.get(parts.kind, ""),
            code=code,
            learn_code=reading.kind == parts.kind and bool(code),
        )
        turns.append(ChatMessage("assistant", reply))


def coded_reply(parts: Parts, pools: Pools, rng: random.Random, used: set[str]) -> tuple[str, MessageReading]:
    """A reply, and the reading of the message that its prompt tells: sometimes less than is known.

    The arguments are those of :func:`compose`.
    """
    told = replace(parts, kind=_told_kind(parts.kind, rng))
    if told.kind == UNSURE:
        told = replace(told, feel=())
    return compose(told, pools, rng, used), MessageReading(told.kind, told.feel)


def _told_kind(kind: str, rng: random.Random) -> str:
    """The kind that the prompt tells: sometimes less than is known."""
    chance = rng.random()
    if kind in TOLD and chance < _ANY_TOLD:
        return UNSURE
    return ANY_HEAVY if kind in HEAVY and chance < _ANY_TOLD + _ANY_HEAVY else kind


def compose(parts: Parts, pools: Pools, rng: random.Random, used: set[str]) -> str:
    """A reply to one message.

    Args:
        parts: What was written for it.
        pools: Sentences by kind and part.
        rng: Draws.
        used: Sentences that the conversation has had; those of this reply are added.
    """
    shapes = _SHAPES[parts.kind]
    (shape,) = rng.choices([parts for parts, _ in shapes], [often for _, often in shapes])
    sentences = [] if parts.kind in ADDRESSED else [parts.echo]
    for part in shape:
        sentences += _sentence(part, parts, pools[parts.kind], rng, used)
    return " ".join(sentences)


def _sentence(
    part: str, parts: Parts, pool: Mapping[str, Sequence[str]], rng: random.Random, used: set[str]
) -> list[str]:
    if part == "question" and parts.question and parts.kind in _OWN_ENDS and rng.random() < _own(parts.kind):
        return [parts.question]
    if part == "feeling":
        return feeling_sentence(parts, pool, rng, used)
    return _drawn(part, parts, pool, rng, used)


def feeling_sentence(
    parts: Parts, pool: Mapping[str, Sequence[str]], rng: random.Random, used: set[str]
) -> list[str]:
    """A sentence that names what the person surely feels, or one that names no feeling.

    It is none where all were used.

    Args:
        parts: What was written for the message.
        pool: Sentences of its kind by part.
        rng: Draws.
        used: As of :func:`compose`.
    """
    named = bool(parts.feel) and rng.random() < _NAMED
    return _drawn("feeling" if named else "plain", parts, pool, rng, used)


def _drawn(
    part: str, parts: Parts, pool: Mapping[str, Sequence[str]], rng: random.Random, used: set[str]
) -> list[str]:
    own, shared = ([one for one in pool.get(name, ()) if one not in used] for name in (part, f"like {part}"))
    fresh = own if own and (not shared or rng.random() < _OWN_KIND) else shared
    if not fresh:
        return []
    chosen = rng.choice(fresh)
    used.add(chosen)
    return [chosen.format(feel=_feelings(parts.feel, rng))]


def _own(kind: str) -> float:
    return _OWN_QUESTION.get(kind, _OTHER_QUESTION)


def _feelings(feel: Sequence[str], rng: random.Random) -> str:
    return " and ".join(feel) if rng.random() < _TWO_FEELINGS else next(iter(feel), "")


_SCENE_MOODS = {
    **dict.fromkeys(HEAVY, HARD),
    "torn": PLAIN,
    "good": GOOD,
    "small": LIGHT,
    "annoyed": LIGHT,
}
