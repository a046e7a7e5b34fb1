"""Composes Chinese conversations with an empathic chain of thought from the phrase books.

The prompt of an example is what the application would send for its last message: MindChat's system
prompt, with the guidance of a risk level or a guess at an emotion where there is one, and the earlier
turns, whose answers come without their thoughts.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from models.chat_model import ChatMessage
from models.profiles import load_profiles
from models.prompts import build_prompt
from models.training.ecot_book import Book, Feeling, Lines

_T = TypeVar("_T")

PROFILE = "mindchat-r0"
MOST_TURNS = 6
_TURN_WEIGHTS = (4, 3, 3, 2, 2, 1)
_MOVES = ("ask", "validate", "stay", "step", "strength")
_EMOTIONS = (
    *("sadness", "fear", "anger", "disappointment", "grief", "nervousness", "annoyance", "remorse"),
    *("confusion", "embarrassment", "gratitude", "relief", "caring", "realization"),
)
_RISK_SHARE, _EMOTION_SHARE, _NOTES_SHARE = 0.1, 0.3, 0.3
_GREETING_SHARE, _THANKS_SHARE = 0.2, 0.12
_MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class EcotExample:
    """One reply to learn.

    Attributes:
        turns: The conversation, the person's newest message last.
        situation: First part of the thought.
        motivation: Second part.
        strategy: Third part.
        answer: What is said.
        risk_level: Which guidance the prompt carries.
        emotion: Which emotion the prompt names.
        notes: More text at the end of the system prompt, to be passed over.
    """

    turns: tuple[ChatMessage, ...]
    situation: str
    motivation: str
    strategy: str
    answer: str
    risk_level: int = 0
    emotion: str | None = None
    notes: str = ""

    @property
    def output(self) -> str:
        """What the model is to write."""
        return (
            f"<thinking>\n<situation>{self.situation}</situation>\n<motivation>{self.motivation}</motivation>\n"
            f"<strategy>{self.strategy}</strategy>\n</thinking>\n<answer>{self.answer}</answer>"
        )

    @property
    def prompt(self) -> list[dict[str, str]]:
        """The messages of a request."""
        return request(self.turns, self.risk_level, self.emotion, self.notes)


def request(
    turns: tuple[ChatMessage, ...], risk_level: int = 0, emotion: str | None = None, notes: str = ""
) -> list[dict[str, str]]:
    """Messages as the application sends them, oldest first."""
    profile = load_profiles()[PROFILE]
    messages = build_prompt(profile, turns, [], risk_level, "zh", None, emotion)
    system = ChatMessage("system", f"{messages[0].content}\n\n{notes}" if notes else messages[0].content)
    return [{"role": one.role, "content": one.content} for one in (system, *messages[1:])]


class Composer:
    """Draws conversations; the same seed draws the same ones.

    Args:
        book: The phrase books.
        seed: Of all choices.
        held_out: Say the messages that are kept apart from training instead of the others.
    """

    def __init__(self, book: Book, seed: int, *, held_out: bool = False) -> None:
        self._book = book
        self._chance = Random(seed)  # noqa: S311 - not for secrets
        self._held_out = held_out

    def example(self) -> EcotExample:
        """The next one: a conversation of one to six turns, and the reply to its last message."""
        topic = self._pick(tuple(self._book.topics.values()))
        turns: tuple[ChatMessage, ...] = ()
        answers: set[str] = set()
        (length,) = self._chance.choices(range(1, MOST_TURNS + 1), weights=_TURN_WEIGHTS)
        for number in range(length):
            last = number == length - 1
            made = self._reply(topic, turns, number, answers, held_out=last and self._held_out)
            if last:
                return self._framed(made)
            turns = (*made.turns, ChatMessage("assistant", made.answer))
        raise AssertionError("unreachable: a conversation has a turn")

    def _framed(self, made: EcotExample) -> EcotExample:
        emotion = self._pick(_EMOTIONS) if self._chance.random() < _EMOTION_SHARE else None
        notes = ""
        if self._chance.random() < _NOTES_SHARE:
            texts = self._chance.sample(self._book.texts, self._chance.randint(1, _MOST_NOTES))
            notes = "\n".join(["### " + texts[0], *(f"- {text}" for text in texts[1:])])
        return replace(made, emotion=None if made.risk_level else emotion, notes=notes)

    def _reply(
        self,
        topic: Lines,
        turns: tuple[ChatMessage, ...],
        number: int,
        said: set[str],
        *,
        held_out: bool,
    ) -> EcotExample:
        chance = self._chance.random()
        if chance < _RISK_SHARE:
            return self._at_risk(turns, held_out=held_out)
        name, share = ("问候", _GREETING_SHARE) if number == 0 else ("道谢", _THANKS_SHARE)
        if chance < _RISK_SHARE + share:
            return self._greeting(self._book.greetings[name], turns, held_out=held_out)
        feeling = self._pick(self._book.feelings) if self._chance.random() < 0.6 else None
        message = self._message(topic, number, feeling, held_out=held_out)
        return self._topical(topic, (*turns, ChatMessage("user", message)), number, feeling, said)

    def _message(self, topic: Lines, number: int, feeling: Feeling | None, *, held_out: bool) -> str:
        general = self._book.shared["general"]
        if held_out:
            general_now = number > 0 and self._chance.random() < 0.3
            text = self._pick(general["test"] if general_now else topic["test"])
        elif number > 0 and self._chance.random() < 0.25:
            text = self._pick(general["say"])
        else:
            text = self._pick(topic["open"] if number == 0 or self._chance.random() < 0.15 else topic["more"])
        if feeling is not None:
            text += self._pick(("，", "。", "，真的，")) + feeling.said
        return text + self._pick(("", "", "。", "……"))

    def _topical(
        self,
        topic: Lines,
        turns: tuple[ChatMessage, ...],
        number: int,
        feeling: Feeling | None,
        said: set[str],
    ) -> EcotExample:
        shared = self._book.shared
        move = self._pick(_MOVES if number else ("ask", "validate", "stay"))
        seen = self._pick(shared["unsaid"]["seen"]) if feeling is None else feeling.seen
        strategy = self._pick(shared[move]["plan"])
        if number:
            strategy = f"{self._pick(shared['turn']['next'])}；{strategy}"
        return EcotExample(
            turns,
            situation=f"{self._pick(topic['scene'])}，{seen}。",
            motivation=f"{self._pick(topic['motive'])}；{self._pick(shared['need']['need'])}。",
            strategy=strategy + "。",
            answer=self._answer(topic, move, feeling, said),
        )

    def _answer(self, topic: Lines, move: str, feeling: Feeling | None, said: set[str]) -> str:
        lines = {"ask": topic["ask"], "step": topic["step"]}.get(move) or self._book.shared[move]["line"]
        parts = [self._fresh(topic["reflect"], said) + "。"]
        if feeling is not None:
            parts.append(f"{feeling.named}，我听到了。")
        parts.append(self._fresh(lines, said) + ("？" if move == "ask" else "。"))
        if move in ("validate", "stay") and self._chance.random() < 0.5:
            parts.append(self._fresh(topic["ask"], said) + "？")
        return "".join(parts)

    def _greeting(self, lines: Lines, turns: tuple[ChatMessage, ...], *, held_out: bool) -> EcotExample:
        message = self._pick(lines["test"] if held_out else lines["open"])
        return EcotExample(
            (*turns, ChatMessage("user", message)),
            situation=self._pick(lines["scene"]) + "。",
            motivation=self._pick(lines["motive"]) + "。",
            strategy=self._pick(self._book.shared["ask"]["plan"]) + "。",
            answer=f"{self._pick(lines['reflect'])}。{self._pick(lines['ask'])}？",
        )

    def _at_risk(self, turns: tuple[ChatMessage, ...], *, held_out: bool) -> EcotExample:
        level = self._pick(tuple(self._book.risk))
        lines = self._book.risk[level]
        return EcotExample(
            (*turns, ChatMessage("user", self._pick(lines["test"] if held_out else lines["open"]))),
            situation=self._pick(lines["scene"]) + "。",
            motivation=self._pick(lines["motive"]) + "。",
            strategy=self._pick(lines["plan"]) + "。",
            answer=f"{self._pick(lines['reflect'])}。{self._pick(lines['ask'])}？",
            risk_level=level,
        )

    def _fresh(self, lines: tuple[str, ...], said: set[str]) -> str:
        """A line that this conversation does not have yet, if there is one."""
        found = self._pick(tuple(line for line in lines if line not in said) or lines)
        said.add(found)
        return found

    def _pick(self, among: tuple[_T, ...]) -> _T:
        return self._chance.choice(among)


def unseen_conversations(book: Book) -> list[tuple[ChatMessage, ...]]:
    """Messages of topics that nothing was trained on: each first one alone, each later one behind a first."""
    heard = ChatMessage("assistant", "我在这里，你可以慢慢说。")
    found: list[tuple[ChatMessage, ...]] = []
    for lines in book.unseen.values():
        found += [(ChatMessage("user", text),) for text in lines["open"]]
        for first in lines["open"]:
            found += [
                (ChatMessage("user", first), heard, ChatMessage("user", text)) for text in lines["more"]
            ]
    return found
