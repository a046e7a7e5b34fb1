"""Composes replies from what was written for each message and sentences that fit its mood.

The first sentence says the message back and is the only one that a model has to make of the person's words.
What follows is true of every message of that mood (``models/training/echoed/sentences.yaml``): what it may
feel like, a word of understanding, a word of presence, a question. A small model can't reason about a
situation; it can copy what was said and tell a hard message from a glad one.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from models.chat_model import ChatMessage
from models.training.echoed_file import ECHOED_FOLDER, EchoedTalk, Parts, read_echoed
from models.training.example import Example
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN

SOURCE = "echoed"
Pools = Mapping[str, Mapping[str, Sequence[str]]]
_OWN_QUESTION = 0.3
"""Share of replies that end with the question written for the message, where there is one."""
_NAMED = 0.8
"""Share of replies that name a feeling, where one is sure."""
_TWO_FEELINGS = 0.6
_SHAPES: Mapping[str, Sequence[tuple[tuple[str, ...], int]]] = {
    "hard": (
        (("feeling", "understanding", "presence", "question"), 6),
        (("feeling", "understanding", "question"), 2),
        (("feeling", "presence", "question"), 2),
    ),
    "mixed": (
        (("feeling", "understanding", "question"), 4),
        (("feeling", "understanding", "presence", "question"), 3),
    ),
    "good": (
        (("feeling", "understanding", "question"), 4),
        (("feeling", "question"), 2),
        (("feeling", "presence", "question"), 1),
    ),
    "light": ((("feeling", "question"), 3), (("question",), 2)),
}
"""Parts after the first sentence, and how often each shape is taken."""


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
    pools: Pools = yaml.safe_load((folder / "sentences.yaml").read_text("utf-8"))
    found: list[Example] = []
    for talk in read_echoed(folder) if talks is None else talks:
        for version in range(versions):
            rng = random.Random(f"{seed} {version} {talk.place}")  # noqa: S311  # repeatable, not secret
            found += _conversation(talk, pools, rng)
    return found


def _conversation(talk: EchoedTalk, pools: Pools, rng: random.Random) -> Iterator[Example]:
    turns: list[ChatMessage] = []
    used: set[str] = set()
    for parts in talk.parts:
        turns.append(ChatMessage("user", parts.said))
        reply = compose(parts, pools, rng, used)
        yield Example(
            SOURCE, f"{SOURCE}:{talk.place}", tuple(turns), reply, mood=_SCENE_MOODS.get(parts.mood, "")
        )
        turns.append(ChatMessage("assistant", reply))


def compose(parts: Parts, pools: Pools, rng: random.Random, used: set[str]) -> str:
    """A reply to one message.

    Args:
        parts: What was written for it.
        pools: Sentences by mood and part.
        rng: Draws.
        used: Sentences that the conversation has had; those of this reply are added.
    """
    if parts.mood == "ask":
        return " ".join(one for one in (parts.echo, parts.question) if one)
    shapes = _SHAPES[parts.mood]
    (shape,) = rng.choices([parts for parts, _ in shapes], [often for _, often in shapes])
    sentences = [parts.echo]
    for part in shape:
        sentences += _sentence(part, parts, pools[parts.mood], rng, used)
    return " ".join(sentences)


def _sentence(
    part: str, parts: Parts, pool: Mapping[str, Sequence[str]], rng: random.Random, used: set[str]
) -> list[str]:
    if part == "question" and (not parts.question or rng.random() < _OWN_QUESTION):
        return [parts.question] if parts.question else []
    if part == "feeling" and not (parts.feel and rng.random() < _NAMED):
        part = "plain"
    fresh = [one for one in pool[part] if one not in used]
    if not fresh:
        return []
    chosen = rng.choice(fresh)
    used.add(chosen)
    return [chosen.format(feel=_feelings(parts.feel, rng))]


def _feelings(feel: Sequence[str], rng: random.Random) -> str:
    return " and ".join(feel) if rng.random() < _TWO_FEELINGS else next(iter(feel), "")


_SCENE_MOODS = {"hard": HARD, "mixed": PLAIN, "good": GOOD, "light": LIGHT}
