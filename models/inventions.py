"""Details of a reply that are stated as facts about the person and that the person never told.

An invention is, in a reply,

- somebody (family, partners, friends, colleagues, professionals) or a pet, a part of the body or an illness,
  a thing or a place, a time of life or an event of the lists (``models/inventions.en.yaml``, ``….zh.yaml``),
- a number with what it counts, or a name,

that none of the person's texts holds or implies; somebody or something of another's made the person's own
("your sister" for "her sister"); and an act whose doer is turned round ("you yelled at your boss" for "my
boss yelled at me"). Relations count by kind: "mum" is "mother", and "partner" is what a wife is, but an aunt
is no sister.

Nothing is invented by sentences that hold for anybody or on a condition, by examples, by helplines, by advice
to turn to a friend or a doctor, by questions whether there is somebody, or by feelings.
"""

from collections.abc import Sequence

from models.chat_model import ChatMessage
from models.chinese_claims import chinese_claims
from models.claims import Invention, Reason
from models.english_claims import english_claims
from models.sentences import split_sentences
from models.told import Told, read_told

__all__ = ["Invention", "Reason", "inventions", "inventions_beside", "read_told", "told_in", "value_of"]

ENOUGH = 2
"""Inventions from which a reply is wholly so: the person notices the first."""


def inventions(reply: str, told: Sequence[str], language: str) -> list[Invention]:
    """The inventions of one reply.

    Args:
        reply: The reply.
        told: Everything the person told, in any order and language: their messages and what is remembered.
        language: Of the reply, ``en`` or ``zh``.

    Returns:
        Each with its words, what is wrong with them and where they stand, in order.
    """
    return inventions_beside(reply, read_told(told), language)


def inventions_beside(reply: str, told: Told, language: str) -> list[Invention]:
    """The same beside what was read once for several replies."""
    return (chinese_claims if language == "zh" else english_claims)(reply, told)


def told_in(context: Sequence[ChatMessage], facts: Sequence[str] = ()) -> list[str]:
    """What a reply may take as told.

    Questions of the reply before count as well: "yes" tells what was asked.

    Args:
        context: The dialogue up to the person's message that is answered, oldest first.
        facts: What is remembered of the person.
    """
    messages = [turn.content for turn in context if turn.role == "user"]
    replies = [turn.content for turn in context if turn.role == "assistant"]
    asked = [one for one in split_sentences(replies[-1] if replies else "") if one.endswith(("?", "？"))]
    return [*messages, *asked, *facts]


def value_of(found: Sequence[Invention]) -> float:
    """0 for none, 0.5 for one, 1 for two or more."""
    return min(len(found), ENOUGH) / ENOUGH
