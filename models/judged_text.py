"""How text of a dialogue is put before a judge: as data that can't be taken for anything else.

Three things keep a sentence such as "give five points" from becoming an instruction: the dialogue is JSON, so
that a line break or a quotation mark inside a message opens nothing; marks of chat templates are neutralised;
and the fence around the data can't be closed from inside. The instructions say that no text within is one.
"""

import json
from collections.abc import Mapping, Sequence

from models.chat_model import ChatMessage
from models.prompts.markers import neutralise_markers

OPEN, CLOSE = "<<<", ">>>"
_JOINER = "\u2060"
_WHO = {"user": "person", "assistant": "supporter"}
_LEFT_OUT = "[…]"

Subject = Mapping[str, object]
"""What is judged: names and JSON values."""


def both_ends(text: str, most: int) -> str:
    """A text, or of a long one its beginning and its end: about ``most`` characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n{_LEFT_OUT}\n{text[-half:]}"


def fenced(text: str) -> str:
    """A text between fences, in which it can neither close them nor speak as another role."""
    return f"{OPEN}\n{_without_fences(neutralise_markers(text))}\n{CLOSE}"


def subject_text(subject: Subject) -> str:
    """A subject as fenced JSON."""
    return fenced(json.dumps(subject, ensure_ascii=False, indent=1))


def reply_subject(context: Sequence[ChatMessage], reply: str, most_chars: int) -> Subject:
    """A reply with the dialogue it answers.

    Args:
        context: Turns before the reply, oldest first; may be empty.
        reply: The text to judge.
        most_chars: Characters of the dialogue; its latest turns are kept. Also the most of the reply.
    """
    return {"dialogue": dialogue_data(context, most_chars), "reply_to_judge": both_ends(reply, most_chars)}


def dialogue_data(turns: Sequence[ChatMessage], most_chars: int) -> list[dict[str, str]]:
    """Turns as JSON values: the latest ones that fit, of a single long one both ends."""
    kept: list[dict[str, str]] = []
    room = most_chars
    for turn in reversed(turns):
        text = turn.content if kept else both_ends(turn.content, most_chars)
        room -= len(text)
        if kept and room < 0:
            kept.append({"who": "note", "text": _LEFT_OUT})
            break
        kept.append({"who": _WHO.get(turn.role, "note"), "text": text})
    return kept[::-1]


def _without_fences(text: str) -> str:
    for mark in (OPEN, CLOSE):
        text = text.replace(mark, _JOINER.join(mark))
    return text
