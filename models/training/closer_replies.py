"""Composes replies whose later sentences somebody chose for the message.

:mod:`models.training.echoed_replies` draws them from all that is true of a kind of message, which sounds
like a template. For many messages a reader chose from a longer list (``models/training/echoed/closer.yaml``)
those that suit what was told: the ``fits`` of a row, the best first. Only these sentences are learned: the
one that says the message back is given, for the model has learned it elsewhere.

Where something hurts, a sentence that is true of it all is better than one that is nearly right, so
:func:`light_examples` answers only the rest so closely.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from models.chat_model import ChatMessage
from models.control_code import code_text
from models.message_kind import ADDRESSED, HEAVY, UNSURE
from models.training.echoed_file import ECHOED_FOLDER, EchoedTalk, Parts, read_echoed
from models.training.echoed_replies import Pools, coded_reply, feeling_sentence, read_pools
from models.training.example import Example

SOURCE, LIGHT_SOURCE = "closer", "closer_light"
Closer = Mapping[str, Mapping[str, str]]
"""Sentences that may be chosen, by kind of message and name; a name begins with the letter of its part."""
PARTS = {"u": "understanding", "p": "presence", "q": "question"}
_OWN_QUESTION = 0.15
"""Share of replies that end with the question written for the message, where there is one."""
_HEAVY_SHAPES = (("feeling", "u", "u", "p", "q"), ("feeling", "u", "u", "q"), ("feeling", "u", "p", "q"))
_SHAPES: Mapping[str, Sequence[tuple[str, ...]]] = {
    **dict.fromkeys(HEAVY, _HEAVY_SHAPES),
    **dict.fromkeys(("torn", "good", "annoyed"), (("feeling", "u", "u", "q"), ("feeling", "u", "q"))),
    "small": (("u", "q"), ("u", "q"), ("feeling", "q")),
    **dict.fromkeys(("how", "normal"), (("feeling", "u", "u", "q"), ("feeling", "u", "q"))),
}
"""Parts after the sentence that says the message back."""
CLOSER_KINDS = tuple(_SHAPES)
LIGHT_KINDS = ("good", "small", "how")
_OTHERS = 0.35
"""Share of all other conversations that are learned again beside those of light kinds."""


def read_closer(folder: Path = ECHOED_FOLDER) -> Closer:
    """The sentences that may be chosen.

    Raises:
        ValueError: A name does not begin with the letter of a part.
    """
    book: dict[str, dict[str, str]] = yaml.safe_load((folder / "closer.yaml").read_text("utf-8"))
    odd = [f"{kind} {name}" for kind, named in book.items() for name in named if name[:1] not in PARTS]
    if odd:
        msg = f"closer.yaml: {odd[0]}: a name begins with one of {', '.join(PARTS)}"
        raise ValueError(msg)
    return book


def closer_examples(
    seed: int,
    versions: int = 4,
    folder: Path = ECHOED_FOLDER,
    talks: Sequence[EchoedTalk] | None = None,
    kinds: Collection[str] = CLOSER_KINDS,
    others: float = 0.0,
) -> list[Example]:
    """Conversations in which sentences were chosen for every message, and what is said to the listener.

    Args:
        seed: Of what is drawn.
        versions: Replies composed for each conversation; where nothing was chosen, one.
        folder: Of the files.
        talks: Conversations, if others than the folder's.
        kinds: Of messages that are answered with chosen sentences.
        others: Share of the conversations without such a message that come along, their replies composed as
            :mod:`models.training.echoed_replies` does and learned whole.

    Raises:
        ValueError: A chosen sentence is not in the list.
    """
    pools, closer = read_pools(folder), read_closer(folder)
    found: list[Example] = []
    for talk, told in _learned(read_echoed(folder) if talks is None else talks, kinds, others, seed):
        for version in range(versions if told else 1):
            rng = random.Random(f"{seed} {version} {talk.place} closer")  # noqa: S311  # repeatable
            found += _conversation(talk, pools, closer, kinds, rng)
    return found


def light_talks(seed: int, folder: Path = ECHOED_FOLDER) -> list[EchoedTalk]:
    """The conversations of :func:`light_examples`."""
    return [talk for talk, _ in _learned(read_echoed(folder), LIGHT_KINDS, _OTHERS, seed)]


def light_examples(
    seed: int, folder: Path = ECHOED_FOLDER, firsts: Mapping[str, str] | None = None
) -> list[Example]:
    """Those of :data:`LIGHT_KINDS`, and a share of all other conversations, so that none is forgotten.

    Args:
        seed: Of what is drawn.
        folder: Of the files.
        firsts: First sentences to learn in place of the written ones, by message; without one, that of a
            message with chosen sentences is given and not learned.
    """
    better = firsts or {}
    talks = [
        replace(talk, parts=tuple(replace(one, echo=better.get(one.said, one.echo)) for one in talk.parts))
        for talk in light_talks(seed, folder)
    ]
    examples = closer_examples(seed, folder=folder, talks=talks, kinds=LIGHT_KINDS, others=1.0)
    return [
        replace(one, source=LIGHT_SOURCE, given="" if one.turns[-1].content in better else one.given)
        for one in examples
    ]


def _learned(
    talks: Sequence[EchoedTalk], kinds: Collection[str], others: float, seed: int
) -> Iterator[tuple[EchoedTalk, bool]]:
    """Conversations to learn, and whether some message is answered with chosen sentences."""
    for talk in talks:
        told = [parts for parts in talk.parts if parts.kind in kinds]
        addressed = all(parts.kind in ADDRESSED for parts in talk.parts)
        if told and all(parts.fits for parts in told):
            yield talk, True
        elif not told and (addressed or random.Random(f"{seed} {talk.place}").random() < others):  # noqa: S311
            yield talk, False


def _conversation(
    talk: EchoedTalk, pools: Pools, closer: Closer, kinds: Collection[str], rng: random.Random
) -> Iterator[Example]:
    turns: list[ChatMessage] = []
    used: set[str] = set()
    for parts in talk.parts:
        turns.append(ChatMessage("user", parts.said))
        reply, reading = coded_reply(parts, pools, rng, used)
        given = ""
        if parts.fits and parts.kind in kinds and reading.kind != UNSURE:
            given, reply = parts.echo, closer_reply(talk.place, parts, pools, closer, rng, used)
        yield Example(
            SOURCE, f"echoed:{talk.place}", tuple(turns), reply, code=code_text(reading), given=given
        )
        turns.append(ChatMessage("assistant", reply))


def closer_reply(
    place: str, parts: Parts, pools: Pools, closer: Closer, rng: random.Random, used: set[str]
) -> str:
    """A reply of what says the message back and sentences that were chosen for it.

    Args:
        place: File and row of the message.
        parts: What was written and chosen for it.
        pools: Sentences by kind and part, for the one that names a feeling.
        closer: The sentences that may be chosen.
        rng: Draws.
        used: Sentences that the conversation has had; those of this reply are added.

    Raises:
        ValueError: A chosen sentence is not in the list.
    """
    unknown = [name for name in parts.fits if name not in closer[parts.kind]]
    if unknown:
        msg = f"{place}: closer.yaml has no {unknown[0]} for {parts.kind}"
        raise ValueError(msg)
    sentences = [parts.echo]
    for part in rng.choice(_SHAPES[parts.kind]):
        if part == "feeling":
            sentences += feeling_sentence(parts, pools[parts.kind], rng, used)
        elif part == "q" and parts.question and rng.random() < _OWN_QUESTION:
            sentences.append(parts.question)
        else:
            fitting = [closer[parts.kind][name] for name in parts.fits if name[0] == part]
            sentences += _chosen([one for one in fitting if one not in used], rng, used)
    return " ".join(sentences)


def _chosen(fitting: Sequence[str], rng: random.Random, used: set[str]) -> list[str]:
    """One of these sentences, the first three times as often as the third; none where there are none."""
    if not fitting:
        return []
    (chosen,) = rng.choices(fitting, [1 / (place + 1) for place in range(len(fitting))])
    used.add(chosen)
    return [chosen]
