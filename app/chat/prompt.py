"""Builds the prompt of a turn and cuts it to the context window, oldest turns first."""

from collections.abc import Sequence
from pathlib import Path

from app.chat.recall import NOTHING, Fitted, Memory, TokenCounter, recalled
from models.chat_model import ChatMessage
from models.facts import ToldFact
from models.profiles import Profile
from models.prompts import build_prompt, tell_first, told_again
from models.styles import Style
from models.tactics import TacticCounts
from safety.levels import RiskLevel

_GAP = "\n[…]\n"


def turn_prompt(
    profile: Profile,
    turns: Sequence[ChatMessage],
    used_tactics: Sequence[TacticCounts],
    level: RiskLevel,
    locale: str,
    count_tokens: TokenCounter,
    template_dir: Path | None = None,
    emotion: str | None = None,
    style: Style = Style.BALANCED,
    memory: Memory = NOTHING,
) -> list[ChatMessage]:
    """The prompt in the checkpoint's own form, cut to its context.

    Args:
        profile: The checkpoint that answers.
        turns: The conversation, oldest first, the newest message last.
        used_tactics: Tactic counts of the earlier replies, oldest first.
        level: The higher of the message's and the conversation's risk.
        locale: Language of the page.
        count_tokens: Tokens of messages in the model's own template.
        template_dir: See :func:`models.prompts.build_prompt`.
        emotion: What the newest message clearly voices, or ``None``.
        style: How the person wants to be answered.
        memory: What the person told; only what the turns that fit do not hold is added.
    """
    if not profile.answers_at_risk:
        # It only answers when nothing is said now; crisis guidance would be repeated word for word.
        level = min(level, RiskLevel.LOW)
    budget = profile.context_length - profile.max_reply_tokens

    def fit(facts: Sequence[ToldFact]) -> Fitted:
        whole = build_prompt(
            profile, turns, used_tactics, int(level), locale, template_dir, emotion, style, facts
        )
        words = told_again(profile, facts)
        taken = count_tokens([ChatMessage("user", words)]) if words else 0
        fitted = fit_to_context(whole, count_tokens, budget - taken)
        return Fitted(tell_first(fitted, words), fitted)

    return recalled(fit, memory, count_tokens, budget)


def fit_to_context(
    messages: Sequence[ChatMessage], count_tokens: TokenCounter, budget: int
) -> list[ChatMessage]:
    """Keep the system messages and as many of the latest turns as fit.

    The newest message always stays; if it is too long on its own, its middle is left out,
    since people often say what matters most at the start or at the very end.

    Args:
        messages: A whole prompt, system messages first.
        count_tokens: Tokens of a list of messages in the model's own template.
        budget: Tokens the prompt may have.

    Returns:
        A prompt whose turns begin with a person's message.
    """
    system = [message for message in messages if message.role == "system"]
    turns = [message for message in messages if message.role != "system"]
    left = budget - count_tokens(system)
    kept: list[ChatMessage] = []
    for message in reversed(turns):
        cost = count_tokens([message])
        if cost > left:
            if not kept:
                kept.append(_shorten(message, count_tokens, max(left, 1)))
            break
        kept.append(message)
        left -= cost
    kept.reverse()
    while len(kept) > 1 and kept[0].role == "assistant":
        kept.pop(0)
    return [*system, *kept]


def _shorten(message: ChatMessage, count_tokens: TokenCounter, budget: int) -> ChatMessage:
    """Leave out the middle of a message until it fits (bisection over the characters kept)."""
    text = message.content
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens([_ends(message, middle)]) <= budget:
            low = middle
        else:
            high = middle - 1
    return _ends(message, max(low, 2))


def _ends(message: ChatMessage, chars: int) -> ChatMessage:
    """The message with its first and last ``chars / 2`` characters."""
    text = message.content
    if chars >= len(text):
        return message
    head = chars // 2
    return ChatMessage(message.role, text[:head] + _GAP + text[len(text) - (chars - head) :])
