"""Tells a chat model in its prompt what kind of message it answers: control codes (Keskar et al. 2019).

The embedded model was fine-tuned with exactly these words at exactly this place, as the last message before
its reply: after a change here, run ``models/training/finetune_chat.py`` again.
"""

from collections.abc import Sequence

from models.chat_model import ChatMessage
from models.message_kind import MessageReading

CODE_START = "Kind of message:"


def with_code(messages: Sequence[ChatMessage], reading: MessageReading | None) -> list[ChatMessage]:
    """A prompt with the control codes of its newest message at its end.

    Args:
        messages: A whole prompt, the person's newest message last.
        reading: What was read in that message; without it the prompt stays as it is.
    """
    return [*messages, *([] if reading is None else [ChatMessage("system", code_text(reading))])]


def code_text(reading: MessageReading) -> str:
    """The codes in words."""
    feelings = " and ".join(reading.feelings) or "none named"
    return f"{CODE_START} {reading.kind}. Feelings: {feelings}."
