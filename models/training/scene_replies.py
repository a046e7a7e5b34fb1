"""Builds conversations from scenes: what a model too small to compose a whole reply learns from.

Any row of one sentence of each kind is a reply that makes sense. Only the first sentence has to be composed
of the person's own words; the rest is chosen by knowing the situation, or is true of any hard situation.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from models.chat_model import ChatMessage
from models.sentences import split_sentences
from models.training.example import Example
from models.training.scene_book import Scene, SceneBook, Told, read_scenes

SCENES, SUPPORTED = "scenes", "supported"
"""The two sources: conversations of scenes, and first sentences of the written talks with support."""

HARD = ("exvsq", "xevsq", "xvsq", "xvwsq", "xfvsq", "exvwq", "xevq", "oevsq")
GOOD = ("exvwq", "xevwq", "exvq", "xvwq", "xewq", "eowq")
PLAIN = ("ofwq", "ofwq", "owq", "ofq")
"""Orders of kinds of a first reply: to hard things, to good news, and where no feelings are named."""

SUPPORT_SHARE = {"s": 1.0, "v": 0.25, "q": 0.35}
"""How often a sentence for any hard situation stands in the place of the scene's own."""

SUPPORT_LATER = 0.5
"""How often one is put before the last sentence of a later reply."""

PER_MESSAGE, GO_ON = 2, 2
"""Conversations built for each message, and most exchanges that follow in one."""

TALK_TURNS = 3
"""Turns before a reply of a talk up to which it is clear what its first sentence takes up."""

_WORDS = range(8, 27)
_NOT_HARD = re.compile(
    r"!|\bglad\b|happy|lovely|congrat|\bjoy|proud|wonderful|good news|\bI\b|\bI'm\b|program|computer",
    re.IGNORECASE,
)
"""Talks whose reply begins so are good news or about the listener itself."""


def scene_examples(seed: int, book: SceneBook | None = None) -> list[Example]:
    """Conversations of all scenes, the same for the same seed; one group a message."""
    builder = ReplyBuilder(book or read_scenes(), random.Random(seed))  # noqa: S311 - not for secrets
    return list(builder.conversations())


def supported_examples(talks: Sequence[Example], seed: int, book: SceneBook | None = None) -> list[Example]:
    """First sentences of replies to hard things, each with sentences that are true of any hard situation."""
    builder = ReplyBuilder(book or read_scenes(), random.Random(seed))  # noqa: S311 - not for secrets
    found: list[Example] = []
    for talk in talks:
        sentences = split_sentences(talk.reply)
        first = sentences[0]
        asks = first.endswith("?") or len(first.split()) not in _WORDS
        if (
            talk.risk_level
            or len(talk.turns) > TALK_TURNS
            or asks
            or _NOT_HARD.search(" ".join(sentences[:2]))
        ):
            continue
        reply = f"{first} {builder.support('vsq')}"
        found.append(Example(SUPPORTED, talk.group, talk.turns, reply))
    return found


class ReplyBuilder:
    """Puts replies together.

    Args:
        book: Scenes and support.
        chance: Source of randomness.
    """

    def __init__(self, book: SceneBook, chance: random.Random) -> None:
        self._book = book
        self._chance = chance

    def conversations(self, per_message: int = PER_MESSAGE) -> Iterator[Example]:
        """``per_message`` conversations for each message of each scene."""
        for scene in self._book.scenes:
            for told in scene.told:
                for _ in range(per_message):
                    yield from self.conversation(scene, told)

    def conversation(self, scene: Scene, told: Told) -> Iterator[Example]:
        """A reply to a message that tells the scene, and some of what may follow."""
        chance = self._chance
        values = {name: chance.choice(words) for name, words in scene.slots.items()}
        group = f"{SCENES}:{scene.name}:{told.text}"
        turns = [ChatMessage("user", as_typed(_filled(told.text, values), chance))]
        reply = self.reply(scene, told, values)
        yield Example(SCENES, group, tuple(turns), reply)
        going = [one for one in scene.follow_ups if one.replies]
        for follow_up in chance.sample(going, min(len(going), chance.randint(0, GO_ON))):
            said = as_typed(_filled(chance.choice(follow_up.said), values), chance)
            turns += [ChatMessage("assistant", reply), ChatMessage("user", said)]
            reply = self._with_support(scene, _filled(chance.choice(follow_up.replies), values))
            yield Example(SCENES, group, tuple(turns), reply)

    def reply(self, scene: Scene, told: Told, values: Mapping[str, str]) -> str:
        """A first reply, in one of the orders that the scene has sentences for."""
        known = set(scene.sentences)
        known |= {"x"} if told.echoes else set[str]()
        known |= {"s"} if "v" in known else set[str]()
        orders = [order for order in (GOOD if scene.good else HARD) if set(order) <= known]
        order = self._chance.choice(orders or PLAIN)
        return " ".join(self._sentence(scene, told, kind, values) for kind in order if kind in known)

    def support(self, kinds: str) -> str:
        """One sentence for any hard situation of each kind."""
        return " ".join(self._chance.choice(self._book.support[kind]) for kind in kinds)

    def _sentence(self, scene: Scene, told: Told, kind: str, values: Mapping[str, str]) -> str:
        chance = self._chance
        if (
            not scene.good
            and kind in self._book.support
            and chance.random() < SUPPORT_SHARE[kind]
            and "v" in scene.sentences
        ):
            return self.support(kind)
        return _filled(chance.choice(told.echoes if kind == "x" else scene.sentences[kind]), values)

    def _with_support(self, scene: Scene, reply: str) -> str:
        if scene.good or "v" not in scene.sentences or self._chance.random() >= SUPPORT_LATER:
            return reply
        *before, last = split_sentences(reply)
        return " ".join([*before, self.support(self._chance.choice("vs")), last])


def as_typed(text: str, chance: random.Random) -> str:
    """A message as somebody else might type it: other case, no apostrophes, no full stop at the end."""
    if chance.random() < 0.25:
        text = text.lower()
    elif chance.random() < 0.2:
        text = text[:1].upper() + text[1:]
    if chance.random() < 0.15:
        text = text.replace("'", "").replace("\u2019", "")
    if chance.random() < 0.15 and text.endswith("."):
        text = text[:-1]
    return text


def _filled(text: str, values: Mapping[str, str]) -> str:
    begins = text.startswith("{")
    for name, word in values.items():
        text = text.replace(f"{{{name}}}", word)
    return text[:1].upper() + text[1:] if begins else text
