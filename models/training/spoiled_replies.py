"""Replies that Q must not be fooled by, and which of two replies is the better one.

The judge rated complete, English, serious replies only. So a score learned from its ratings knows
nothing of emojis, padding, praise for anybody or another language, and gives them what their words
resemble. Here such replies are made from released ones and from the dialogues written for Hearken, each
with what can be said of it without a judge: that it is worse than the reply it was made from, or that it
is worth nearly nothing.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import yaml

from models.sentences import split_sentences
from models.training.dialogue_file import read_dialogues
from models.training.mint_data import ContextKey, MintData

TEXTS = Path(__file__).parent / "spoiled.yaml"
OURS = "hearken"
"""Conversation name of contexts that are not MINT's."""

Texts = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to something that was said.

    Attributes:
        context: Key of MINT's context, or ``(OURS, number)``.
        said: The person's last message.
        sentences: The reply's sentences.
    """

    context: ContextKey
    said: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """``worse`` should score at least ``margin`` points of Q below ``better``."""

    better: Reply
    worse: Reply
    margin: float


@dataclass(frozen=True, slots=True)
class Worthless:
    """A reply that should score ``rating``, whatever it resembles."""

    reply: Reply
    rating: float


@dataclass(frozen=True, slots=True)
class Spoiled:
    """All of them."""

    pairs: tuple[Pair, ...]
    worthless: tuple[Worthless, ...]


def spoil(data: MintData, seed: int, count: int = 400) -> Spoiled:
    """Make spoiled replies.

    Args:
        data: Released replies.
        seed: Of all choices.
        count: Released replies that are spoiled in each way.
    """
    chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
    texts = cast(Texts, yaml.safe_load(TEXTS.read_text("utf-8")))
    said = {key: history[-1].content for key, history in data.histories.items()}
    released = [
        Reply(reply.context, said[reply.context], tuple(reply.sentences))
        for reply in data.replies
        if reply.sentences
    ]
    ours = [
        Reply((OURS, number), example.turns[-1].content, tuple(split_sentences(example.reply)))
        for number, example in enumerate(read_dialogues())
        if example.risk_level == 0
    ]
    pairs = [
        *_worse_than(chance.sample(released, min(count, len(released))), texts, chance),
        *_worse_than(ours, texts, chance),
        *_fitting(ours, chance),
        *_better_than_stock(ours, texts, chance),
    ]
    everywhere = [*chance.sample(released, min(count, len(released))), *ours]
    return Spoiled(tuple(pairs), tuple(_worthless(everywhere, texts, chance)))


def _worse_than(replies: Sequence[Reply], texts: Texts, chance: random.Random) -> Iterator[Pair]:
    """With emojis, said several times over, padded."""
    for reply in replies:
        yield Pair(reply, _with(reply, _with_emoji(reply.sentences, texts["emoji"], chance)), 0.1)
        yield Pair(reply, _with(reply, reply.sentences * chance.randint(2, 4)), 0.3)
        padding = _some(texts["filler"], chance, 2, 12)
        yield Pair(reply, _with(reply, (*reply.sentences, *padding)), 0.3)


def _fitting(replies: Sequence[Reply], chance: random.Random) -> Iterator[Pair]:
    """Better where it was written for than anywhere else."""
    for reply in replies:
        for other in chance.sample(replies, min(3, len(replies))):
            if other.context != reply.context:
                yield Pair(reply, _with(other, reply.sentences), 0.4)
                yield Pair(reply, _with(reply, other.sentences), 0.4)


def _better_than_stock(replies: Sequence[Reply], texts: Texts, chance: random.Random) -> Iterator[Pair]:
    """Better than praise or sympathy that would fit anybody."""
    for reply in replies:
        if len(reply.sentences) > 1:
            yield Pair(reply, _with(reply, _some(texts["stock"], chance, 2, 5)), 0.3)
            yield Pair(reply, _with(reply, _some(texts["praise"], chance, 2, 8)), 0.6)


def _worthless(replies: Sequence[Reply], texts: Texts, chance: random.Random) -> Iterator[Worthless]:
    ratings = {"praise": 2.2, "offtopic": 1.4, "filler": 1.4, "foreign": 1.5}
    for reply in replies:
        kind = chance.choice(sorted(ratings))
        yield Worthless(_with(reply, _some(texts[kind], chance, 1, 6)), ratings[kind])
        copied = split_sentences(chance.choice(texts["copying"]) + reply.said)
        yield Worthless(_with(reply, tuple(copied) * chance.randint(1, 2)), 1.6)
        if chance.random() < 0.2:
            yield Worthless(_with(reply, ("".join(_some(texts["emoji"], chance, 1, 6)),)), 1.3)


def _with(reply: Reply, sentences: Sequence[str]) -> Reply:
    return replace(reply, sentences=tuple(sentences))


def _with_emoji(sentences: Sequence[str], emoji: Sequence[str], chance: random.Random) -> tuple[str, ...]:
    marked = [f"{s} {chance.choice(emoji)}" if chance.random() < 0.6 else s for s in sentences]
    return (*marked[:-1], f"{marked[-1]} {''.join(_some(emoji, chance, 1, 4))}")


def _some(texts: Sequence[str], chance: random.Random, fewest: int, most: int) -> tuple[str, ...]:
    return tuple(chance.sample(list(texts), min(chance.randint(fewest, most), len(texts))))
