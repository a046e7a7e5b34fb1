"""How a prompt tells again what a person said in turns that it no longer holds."""

from collections.abc import Sequence
from pathlib import Path

from models.chat_model import ChatMessage
from models.facts import ToldFact
from models.profiles import Profile
from models.prompts.markers import neutralise_markers
from models.prompts.templates import load_template


def memory_section(profile: Profile, facts: Sequence[ToldFact], source: Path | None) -> str:
    """The facts as quotations, for the system prompt; empty for a model tuned to its exact prompt."""
    if not facts or profile.prompt == "plain":
        return ""
    template = load_template(f"memory_{written_in(profile)}", source)
    lines = [
        template.fill("hard_line" if fact.hard else "line", {"text": _one_line(fact.text)}) for fact in facts
    ]
    return template.fill("section", {"facts": "\n".join(lines)})


def told_again(profile: Profile, facts: Sequence[ToldFact]) -> str:
    """For a model tuned to its exact prompt: the person's own sentences, to stand before the first turn.

    Such a model has only seen its one system text and conversations, so facts reach it as a part of the
    conversation. What was said in a hard moment is left out: the model can't be told to be soft about it.
    """
    if profile.prompt != "plain":
        return ""
    return " ".join(_sentence(_one_line(fact.text)) for fact in facts if not fact.hard)


def tell_first(prompt: Sequence[ChatMessage], words: str) -> list[ChatMessage]:
    """The prompt with these words at the beginning of its first turn, which is the person's."""
    if not words:
        return list(prompt)
    first = next(place for place, message in enumerate(prompt) if message.role != "system")
    begun = ChatMessage("user", f"{words}\n\n{prompt[first].content}")
    return [*prompt[:first], begun, *prompt[first + 1 :]]


def written_in(profile: Profile) -> str:
    """Language of the system prompt, whatever the replies are in."""
    return "zh" if profile.prompt == "mindchat" else "en"


def _sentence(text: str) -> str:
    text = f"{text[:1].upper()}{text[1:]}"
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."


def _one_line(text: str) -> str:
    return " ".join(neutralise_markers(text).split())
