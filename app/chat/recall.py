"""Which facts a prompt tells again: those whose words the turns that fit no longer hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.chat_model import ChatMessage
from models.facts import FactKind, ToldFact, bare_words

TokenCounter = Callable[[Sequence[ChatMessage]], int]

_SHARE = 6
"""At most this part of a prompt is facts, whatever the settings say: the turns matter more."""
_ROUNDS = 4
_ORDER = {kind: place for place, kind in enumerate(FactKind)}


@dataclass(frozen=True, slots=True)
class Memory:
    """What may be told again.

    Attributes:
        facts: All facts of the conversation, oldest first.
        tokens: Most tokens that facts may have in a prompt.
    """

    facts: tuple[ToldFact, ...] = ()
    tokens: int = 0


NOTHING = Memory()


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits.

    Attributes:
        prompt: The whole prompt.
        turns: The turns in it, as the conversation has them.
    """

    prompt: list[ChatMessage]
    turns: Sequence[ChatMessage]


def recalled(
    fit: Callable[[Sequence[ToldFact]], Fitted], memory: Memory, count_tokens: TokenCounter, budget: int
) -> list[ChatMessage]:
    """The prompt with the facts that would be missing from it.

    Facts take room from the oldest turns, which can hide more facts; this is looked at again until nothing
    changes.

    Args:
        fit: Makes a prompt that tells these facts and fits the context.
        memory: What may be told.
        count_tokens: Tokens of messages in the model's own template.
        budget: Tokens of the whole prompt.
    """
    room = min(memory.tokens, budget // _SHARE)
    told: list[ToldFact] = []
    fitted = fit(told)
    for _ in range(_ROUNDS):
        wanted = _within(_missing(memory.facts, fitted.turns), count_tokens, room)
        if wanted == told:
            break
        told = wanted
        fitted = fit(told)
    return fitted.prompt


def _missing(facts: Sequence[ToldFact], turns: Sequence[ChatMessage]) -> list[ToldFact]:
    said = bare_words("\n".join(turn.content for turn in turns if turn.role == "user"))
    return [fact for fact in facts if bare_words(fact.text) not in said]


def _within(facts: Sequence[ToldFact], count_tokens: TokenCounter, room: int) -> list[ToldFact]:
    """The facts that count most, the newer ones of a kind first, as long as there is room; oldest first."""
    places = sorted(range(len(facts)), key=lambda place: (_ORDER[facts[place].kind], -place))
    kept: list[int] = []
    for place in places:
        cost = count_tokens([ChatMessage("user", facts[place].text)])
        if cost <= room:
            kept.append(place)
            room -= cost
    return [facts[place] for place in sorted(kept)]
