"""Turns a sampled text into a reply that can be shown, and names what was wrong with it.

A candidate is never shown with labels, markup of another format, role markers or a sentence that
was cut. Each repair has a name, which the re-ranker turns into a penalty.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from models.chat_model import FinishReason
from models.reply_format import flatten_lists, strip_labels
from models.sentences import has_letters, split_sentences


class Penalty(StrEnum):
    """What a candidate had to be repaired for."""

    LEAKED_REASONING = "leaked_reasoning"
    ROLE_MARKER = "role_marker"
    SEVERAL_REPLIES = "several_replies"
    VISIBLE_LABEL = "visible_label"
    LIST = "list"
    PLACEHOLDER = "placeholder"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class CleanReply:
    """A repaired reply.

    Attributes:
        text: What can be shown; empty when nothing usable is left.
        penalties: Names of the repairs, in the order they were made, each once.
    """

    text: str
    penalties: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether there is something to show."""
        return bool(self.text)


_MOST_PASSES = 8

_THINK = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THINK_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_CHAT_TOKEN = re.compile(r"<\|[a-z_]{1,20}\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>", re.IGNORECASE)
_OWN_ROLE = re.compile(
    r"\A\W*(?:assistant|supporter|counsell?or|therapist|ai|bot|助手|咨询师|支持者|回复)\**\s*[:：]\**\s*",
    re.IGNORECASE,
)
_ROLE_TOKEN = re.compile(r"\A\s*(?:<\|im_start\|>\s*)?assistant\s*\n", re.IGNORECASE)
_NEXT_ROLE = re.compile(
    r"(?:<\|im_start\|>.*|(?:^|\n)[ \t]*\**(?:user|human|person|client|seeker|system"
    r"|assistant|supporter|therapist|counsell?or"
    r"|用户|来访者|求助者|系统|助手|咨询师|支持者)\**[ \t]*[:：].*)\Z",
    re.DOTALL | re.IGNORECASE,
)
_WRAPPED = re.compile(r"<(?:text|response|reply|answer)>\s*", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w-]{0,30}>")
_PLACEHOLDER = re.compile(
    r",?\s*[\[{<(]\s*(?:your |the )?(?:user'?s? |person'?s? )?(?:name|insert[^\]})>]*|姓名|名字)\s*[\]})>]",
    re.IGNORECASE,
)
_FINISHED = re.compile(r"[.!?…。！？~～][\"'”’»」』》）)\]*_]*[^\w\s]*\Z")
_QUOTED = re.compile(r"\A[\"“]([^\"“”]+)[\"”]\Z", re.DOTALL)


def clean_reply(text: str, finish_reason: FinishReason = "stop") -> CleanReply:
    """Repair a candidate's text.

    Args:
        text: The sampled reply.
        finish_reason: ``length`` or ``aborted`` means that the last sentence may be cut.

    Returns:
        The reply that can be shown and the names of what was repaired. The text is empty when
        only labels, markers, marks or a cut sentence were there.
    """
    found: dict[str, None] = {}
    text = text.replace("\r\n", "\n").replace("\x00", "")
    # Taking one thing out can bring another to light ("[Val[Validation]idation]").
    for _ in range(_MOST_PASSES):
        before = text
        text = _repair(text, found)
        if finish_reason != "stop":
            text = _noted(Penalty.UNFINISHED, _drop_cut_sentence, text, found)
        if text == before:
            break
    return CleanReply(text if has_letters(text) else "", tuple(found))


def _repair(text: str, found: dict[str, None]) -> str:
    for name, repair in (
        (Penalty.LEAKED_REASONING, _drop_reasoning),
        (Penalty.ROLE_MARKER, _drop_roles),
        (Penalty.SEVERAL_REPLIES, _first_reply),
        (Penalty.VISIBLE_LABEL, strip_labels),
        (Penalty.LIST, flatten_lists),
        (Penalty.PLACEHOLDER, _drop_placeholders),
    ):
        text = _noted(name, repair, text, found)
    return _tidy(text)


def _noted(name: str, repair: Callable[[str], str], text: str, found: dict[str, None]) -> str:
    repaired = repair(text)
    if repaired != text:
        found[name] = None
    return repaired


def _drop_reasoning(text: str) -> str:
    return _THINK_END.sub("", _THINK.sub("", text))


def _drop_roles(text: str) -> str:
    text = _OWN_ROLE.sub("", _ROLE_TOKEN.sub("", text))
    # What follows a further role marker is the model playing the other side.
    return _CHAT_TOKEN.sub("", _NEXT_ROLE.sub("", text))


def _first_reply(text: str) -> str:
    pieces = _WRAPPED.split(text)
    if len(pieces) > 1:
        text = next((piece for piece in pieces if has_letters(_TAG.sub("", piece))), "")
        text = text.split("</", 1)[0]
    return _TAG.sub("", text)


def _drop_placeholders(text: str) -> str:
    return _PLACEHOLDER.sub("", text)


def _tidy(text: str) -> str:
    text = re.sub(r"[ \t]+\n", "\n", text)
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    quoted = _QUOTED.match(text)
    return quoted[1].strip() if quoted else text


def _drop_cut_sentence(text: str) -> str:
    sentences = split_sentences(text)
    if not sentences or _FINISHED.search(sentences[-1]) or not has_letters(sentences[-1]):
        return text
    return text[: text.rindex(sentences[-1])].rstrip()
