"""A person's newest message as token ids of the embedded language model, which reads its kind."""

from collections.abc import Sequence

from models.chat_model import ChatMessage
from models.reader_text import TurnTokens

MOST_TOKENS = 256
"""Of both messages; of what does not fit, the end is kept."""


def message_ids(turns: TurnTokens, said: Sequence[str], most: int) -> tuple[int, ...]:
    """The message behind the one before it, as turns of a conversation.

    Args:
        turns: Writes turns.
        said: The person's messages, oldest first, at least one.
        most: Tokens of both, such as :data:`MOST_TOKENS`.
    """
    return turns.context([ChatMessage("user", text) for text in said[-2:]], most)
