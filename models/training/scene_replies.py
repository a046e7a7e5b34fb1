"""Builds conversations from scenes: what a model too small to compose a whole reply learns from.

Any row of one sentence of each kind is a reply that makes sense. Only the first sentence has to be composed
of the person's own words; the rest is chosen by knowing the situation, or is true of anything in that mood.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from models.chat_model import ChatMessage
from models.sentences import split_sentences
from models.training.echo_file import Echo, read_echoes
from models.training.example import Example
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN, Scene, SceneBook, Told, read_scenes

SCENES, ECHOES, SUPPORTED = "scenes", "echoes", "supported"
"""Sources: conversations of scenes, single messages, first sentences of the written talks with support."""

ORDERS: Mapping[str, Sequence[str]] = {
    HARD: ("xvsq", "xvsq", "xevsq", "xvwsq", "exvsq", "xevq", "xwsq"),
    GOOD: ("exvq", "xvsq", "exvwq", "xevsq", "xwsq"),
    PLAIN: ("ofwq", "ofwq", "owq", "ofq"),
}
"""Orders of kinds of a reply in a scene, by its mood; a scene without named feelings is in between."""

LATER: Mapping[str, Sequence[str]] = {
    HARD: ("xvsq", "xvsq", "xvwq", "xwsq", "xesq", "xevq"),
    GOOD: ("xvsq", "xvq", "xsq"),
    PLAIN: ("xvq", "xvq", "xq"),
    LIGHT: ("xvq", "xvq", "xq", "xsq", "xvs"),
}
"""The same where no scene is known, or it has gone on."""

SUPPORT_SHARE = {"s": 1.0, "e": 0.5, "v": 0.7, "w": 0.6, "q": 0.7}
"""How often a sentence for anything in the mood stands in the place of the scene's own."""

_STATED: Mapping[str, str] = {"light": LIGHT, "good": GOOD}
"""Moods that a file of echoes states."""

PER_MESSAGE, PER_PLAIN, PER_ECHO, GO_ON = 1, 3, 2, 1
"""Conversations for each message of a scene, of one in between, and for each echo; exchanges that follow."""

TALK_TURNS = 5
"""Turns before a reply of a talk up to which it is clear what its first sentence takes up."""

_WORDS = range(8, 27)
_NOT_HARD = re.compile(
    r"!|\bglad\b|happy|lovely|congrat|\bjoy|proud|wonderful|good news|\bI\b|\bI'm\b|program|computer",
    re.IGNORECASE,
)
"""Talks whose reply begins so are good news or about the listener itself."""

_HURTS = re.compile(
    r"\b(?:sad|hurt|lonel|alone|angr|afraid|scar|frighten|terrif|anxi|worr|tense|stress|exhaust|tired|worn|weary"
    r"|drain|overwhelm|helpless|powerless|hopeless|desperat|guilt|asham|shame|humiliat|embarrass|exposed"
    r"|reject|unwanted|invisible|unseen|unheard|ignored|betray|cheated|robbed|bitter|furious|frustrat|irritat"
    r"|resent|jealous|envious|confus|lost|torn|stuck|trapped|numb|empty|heavy|heartbr|crush|devastat|shock"
    r"|shaken|painful|pain\b|cruel|unfair|miserab|discourag|disappoint|defeat|small|foolish|stupid|worthless"
    r"|useless|abandon|homesick|uneasy|nervous|restless|unsure|insecure|panick|dread|raw|grie|mourn|ach|miss"
    r"|hard\b|difficult|awful|horrible|bleak|fragile|vulnerab|cold|strange|unsettl|unreal|flat|fed up|annoy"
    r"|unloved|judged|pressure|burden)",
    re.IGNORECASE,
)
_GLADDENS = re.compile(
    r"\b(?:proud|relie|happy|happi|glad|joy|delight|thrill|excit|grateful|thankful|pleas|content|peaceful|calm"
    r"|cosy|cozy|warm|hopeful|amus|loved|touched|moved|free|light|satisf|celebrat|wonderful|lovely|fun\b|good\b)",
    re.IGNORECASE,
)


def scene_examples(seed: int, book: SceneBook | None = None) -> list[Example]:
    """Conversations of all scenes, the same for the same seed; one group a message."""
    return list(ReplyBuilder(book or read_scenes(), random.Random(seed)).conversations())  # noqa: S311


def echo_examples(
    seed: int, book: SceneBook | None = None, echoes: Sequence[Echo] | None = None
) -> list[Example]:
    """Single messages, or second ones, whose replies begin with a sentence written for just them."""
    builder = ReplyBuilder(book or read_scenes(), random.Random(seed))  # noqa: S311 - not for secrets
    return [builder.answered(echo) for echo in (echoes or read_echoes()) for _ in range(PER_ECHO)]


def supported_examples(talks: Sequence[Example], seed: int, book: SceneBook | None = None) -> list[Example]:
    """First sentences of replies to hard things, each with sentences that are true of anything hard."""
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
        found.append(Example(SUPPORTED, talk.group, talk.turns, builder.with_support(first, HARD)))
    return found


def mood_of(sentence: str) -> str:
    """The mood that a first sentence names: something hard wins over something good."""
    if _HURTS.search(sentence):
        return HARD
    return GOOD if gladdens(sentence) else PLAIN


def gladdens(sentence: str) -> bool:
    """Whether a sentence names something good."""
    return _GLADDENS.search(sentence) is not None


class ReplyBuilder:
    """Puts replies together.

    Args:
        book: Scenes and support.
        chance: Source of randomness.
    """

    def __init__(self, book: SceneBook, chance: random.Random) -> None:
        self._book = book
        self._chance = chance

    def conversations(self) -> Iterator[Example]:
        """Some conversations for each message of each scene."""
        for scene in self._book.scenes:
            for told in scene.told:
                for _ in range(PER_PLAIN if scene.mood == PLAIN else PER_MESSAGE):
                    yield from self.conversation(scene, told)

    def conversation(self, scene: Scene, told: Told) -> Iterator[Example]:
        """A reply to a message that tells the scene, and some of what may follow."""
        chance = self._chance
        values = {name: chance.choice(words) for name, words in scene.slots.items()}
        group = f"{SCENES}:{scene.name}:{told.text}"
        turns = [ChatMessage("user", as_typed(_filled(told.text, values), chance))]
        reply = self.reply(scene, told, values)
        yield Example(SCENES, group, tuple(turns), reply, mood=scene.mood)
        going = [
            (said, one.replies)
            for one in scene.follow_ups
            for said in one.said
            if said.echoes or scene.mood == PLAIN
        ]
        for said, whole in chance.sample(going, min(len(going), chance.randint(0, GO_ON))):
            text = as_typed(_filled(said.text, values), chance)
            turns += [ChatMessage("assistant", reply), ChatMessage("user", text)]
            if said.echoes:
                first = _filled(chance.choice(said.echoes), values)
                mood = GOOD if scene.good else mood_of(first)
                reply = self.with_support(first, mood)
            else:
                reply, mood = _filled(chance.choice(whole), values), scene.mood
            yield Example(SCENES, group, tuple(turns), reply, mood=mood)

    def answered(self, echo: Echo) -> Example:
        """A message, perhaps a second one, and a reply that begins with its sentence."""
        turns = [ChatMessage("user", as_typed(echo.said, self._chance))]
        if echo.before:
            turns = [
                ChatMessage("user", echo.before),
                ChatMessage("assistant", self._some_support(HARD, ("vsq", "vwq", "esq"))),
                *turns,
            ]
        mood = _STATED.get(echo.mood) or mood_of(echo.sentence)
        reply = self.with_support(echo.sentence, mood)
        return Example(ECHOES, f"{ECHOES}:{echo.place}", tuple(turns), reply, mood=mood)

    def reply(self, scene: Scene, told: Told, values: Mapping[str, str]) -> str:
        """A first reply, in one of the orders that the scene has sentences for."""
        mood = scene.mood
        known = set(scene.sentences) | set(self._book.support[mood] if mood != PLAIN else ())
        known |= {"x"} if told.echoes else set[str]()
        orders = [order for order in ORDERS[mood] if set(order) <= known]
        if not orders:
            return self._sentences(scene, told, "oevq" if mood == HARD else "ovq", values)
        return self._sentences(scene, told, self._chance.choice(orders), values)

    def with_support(self, first: str, mood: str) -> str:
        """A first sentence, and what is true of anything in its mood."""
        return f"{first} {self._some_support(mood, [order[1:] for order in LATER[mood]])}"

    def support(self, mood: str, kinds: str) -> str:
        """One sentence of each kind that is true of anything in a mood."""
        return " ".join(self._chance.choice(self._book.support[mood][kind]) for kind in kinds)

    def _some_support(self, mood: str, orders: Sequence[str]) -> str:
        """Support in one of the orders that the book has sentences for."""
        known = [order for order in orders if set(order) <= self._book.support[mood].keys()]
        return self.support(mood, self._chance.choice(known))

    def _sentences(self, scene: Scene, told: Told, order: str, values: Mapping[str, str]) -> str:
        chance, mood = self._chance, scene.mood
        found: list[str] = []
        for kind in order:
            general = self._book.support[mood].get(kind) if mood != PLAIN else None
            own = told.echoes if kind == "x" else scene.sentences.get(kind)
            if general and (not own or chance.random() < SUPPORT_SHARE[kind]):
                own = general
            found.append(_filled(chance.choice(own or [""]), values))
        return " ".join(one for one in found if one)


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
