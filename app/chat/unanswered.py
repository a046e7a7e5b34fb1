"""Messages that a person wrote in a row: which of them got no reply of their own?"""

from collections.abc import Sequence

from app.db.records import Message, MessageRole, MessageStatus


def unanswered_before(past: Sequence[Message], message: Message) -> list[str]:
    """The person's messages right before ``message`` that no reply followed, oldest first.

    A reply that was cut off counts as none: what it said last may be what mattered.

    Args:
        past: Messages of the conversation, oldest first.
        message: The message that is answered now.
    """
    texts: list[str] = []
    for one in reversed([one for one in past if one.seq < message.seq]):
        if one.role is MessageRole.USER:
            texts.append(one.text)
        elif one.text and one.status is not MessageStatus.STOPPED:
            break
    return texts[::-1]
