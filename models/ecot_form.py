"""Reads what a checkpoint wrote that answers in an empathic chain of thought (ECoT), and repairs little.

Only what stands in ``<answer>`` is an answer, and only when there is no doubt about it. A tag or a
second answer within it, a second answer that differs, or a name of a tag left over in its text is such
a doubt. Three faults can be repaired for certain, each by the missing tag alone:

- ``answer_closed``: the output ends within the answer;
- ``thought_closed``: ``<answer>`` comes before a section or the thought was closed, and nothing closes it
  later;
- ``answer_opened``: nothing but the answer's text follows the closed thought.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from models.ecot_tags import SECTIONS, Tag, pieces_of
from models.format_reward import format_reward

_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~)[\w-]*[ \t]*$\n?|(?:```|~~~)[ \t]*\Z")
_LEFT_OVER = re.compile(
    r"(?:[/／]\s*|\b)(?:thinking|think|situation|motivation|strategy|answer)\s*(?:>|＞|&gt)"
    r"|(?:<|＜|&lt;?)\s*[/／]?\s*(?:thinking|think|situation|motivation|strategy|answer)",
    re.ASCII | re.IGNORECASE,
)
_SECTION = re.compile(r"<(situation|motivation|strategy)>\n(.*?)\n</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Form:
    """How the output of one candidate kept its form.

    Attributes:
        reward: The format reward of the output as it was written, 0 to 1.
        repaired_reward: The same after the repairs; equal to ``reward`` without any.
        repairs: Names of the repairs, in the order of the text.
        doubt: Why it can't be told what the answer is, or ``None``.
        attempt: 1 for the first sample of a turn, 2 for the second.
        dropped: Why the candidate can't be used, or ``None``; set by :func:`models.ecot_choice.judge_form`.
    """

    reward: float
    repaired_reward: float
    repairs: tuple[str, ...] = ()
    doubt: str | None = None
    attempt: int = 1
    dropped: str | None = None


@dataclass(frozen=True, slots=True)
class EcotReading:
    """An output taken apart.

    Attributes:
        answer: What may be shown; empty when there is any doubt.
        sections: Text of each section that is there.
        thoughts: All other text that is no answer.
        form: How the output kept its form.
    """

    answer: str
    sections: Mapping[str, str]
    thoughts: str
    form: Form

    @property
    def reasoning(self) -> str | None:
        """Sections and other thoughts as one text that :func:`stored_sections` can read again."""
        parts = [f"<{name}>\n{text}\n</{name}>" for name, text in self.sections.items()]
        return "\n".join([*parts, *filter(None, [self.thoughts])]) or None


def stored_sections(reasoning: str) -> tuple[dict[str, str], str]:
    """Sections of a stored reasoning by name, and what is left of it."""
    sections: dict[str, str] = dict(_SECTION.findall(reasoning))
    return sections, _SECTION.sub("", reasoning).strip()


def read_ecot(output: str) -> EcotReading:
    """Take a finished output apart; errors never, doubts often."""
    reader = _Reader(_without_think(pieces_of(output)))
    reader.read()
    return reader.reading(output)


def _without_think(pieces: list[str | Tag]) -> tuple[list[str | Tag], list[str]]:
    """The output without ``<think>`` blocks, and the thoughts of these."""
    rest: list[str | Tag] = []
    thoughts: list[str] = []
    inside = False
    for piece in pieces:
        if isinstance(piece, Tag) and piece.name == "think":
            if piece.closing and not inside:
                # The opening tag came with the prompt: all of it was a thought.
                thoughts += [text for text in rest if isinstance(text, str)]
                rest.clear()
            inside = not piece.closing
        elif inside:
            thoughts += [piece] if isinstance(piece, str) else []
        else:
            rest.append(piece)
    return rest, thoughts


@dataclass
class _Reader:
    """Walks over the pieces once; ``state`` is where the text stands."""

    source: tuple[list[str | Tag], list[str]]
    state: str = "outside"
    in_thinking: bool = False
    thought_was_closed: bool = False
    sections: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    thoughts: list[str] = field(default_factory=list[str])
    answers: list[str] = field(default_factory=list[str])
    repairs: list[str] = field(default_factory=list[str])
    doubt: str | None = None

    def read(self) -> None:
        pieces, self.thoughts = self.source
        for index, piece in enumerate(pieces):
            if isinstance(piece, str):
                self._text(piece)
            elif self.state == "answer":
                self._tag_in_answer(piece, pieces[index + 1 :])
            elif self.state in SECTIONS:
                self._tag_in_section(piece, pieces[index + 1 :])
            else:
                self._tag(piece, pieces[index + 1 :])
        self._end(pieces)

    def reading(self, output: str) -> EcotReading:
        """What was found; the answer is left out if anything is doubtful."""
        found = {_stripped(text) for text in self.answers}
        answer = found.pop() if len(found) == 1 else ""
        if self.doubt is None and found:
            self.doubt = "answers differ"
        if self.doubt is None and not answer:
            self.doubt = "no answer"
        if self.doubt is None and _LEFT_OVER.search(answer):
            self.doubt = "half a tag"
        if self.doubt is not None:
            self.thoughts += self.answers
        sections = {name: "".join(self.sections[name]).strip() for name in SECTIONS if name in self.sections}
        thoughts = "\n".join(filter(None, (text.strip() for text in self.thoughts)))
        reward = format_reward(output)
        repairs = tuple(dict.fromkeys(self.repairs)) if self.doubt is None else ()
        repaired = format_reward(_written(sections, answer)) if repairs else reward
        form = Form(reward, repaired, repairs, self.doubt)
        return EcotReading("" if self.doubt else answer, sections, thoughts, form)

    def _text(self, text: str) -> None:
        if self.state == "answer":
            self.answers[-1] += text
        elif self.state in SECTIONS:
            self.sections.setdefault(self.state, []).append(text)
        else:
            self.thoughts.append(text)

    def _tag(self, tag: Tag, rest: list[str | Tag]) -> None:
        if tag.name == "answer":
            if not tag.closing:
                self._begin_answer(rest)
        elif tag.name == "thinking":
            self.thought_was_closed |= tag.closing and self.in_thinking
            self.in_thinking = not tag.closing
        elif not tag.closing:
            self.state = tag.name

    def _tag_in_section(self, tag: Tag, rest: list[str | Tag]) -> None:
        if tag.closing and tag.name == self.state:
            self.state = "outside"
        elif _closes(self.state, rest):
            return  # It only speaks of a tag; its own end is still to come.
        elif not (tag.closing and tag.name == "answer"):
            self.repairs.append("thought_closed")
            self.state = "outside"
            self._tag(tag, rest)

    def _tag_in_answer(self, tag: Tag, rest: list[str | Tag]) -> None:
        self.state = "outside"
        if not (tag.name == "answer" and tag.closing):
            self.doubt = self.doubt or "a tag in the answer"
            self.thoughts.append(self.answers.pop())
            self._tag(tag, rest)

    def _begin_answer(self, rest: list[str | Tag]) -> None:
        if self.in_thinking and _closes("thinking", rest):
            self.doubt = self.doubt or "an answer in the thought"
            return
        if self.in_thinking:
            self.repairs.append("thought_closed")
        self.in_thinking = False
        self.state = "answer"
        self.answers.append("")

    def _end(self, pieces: list[str | Tag]) -> None:
        if self.state == "answer":
            self.repairs.append("answer_closed")
        elif not self.answers and self.thought_was_closed:
            self._answer_without_tag(pieces)

    def _answer_without_tag(self, pieces: list[str | Tag]) -> None:
        """A closed thought with nothing but text behind it, up to the end or to ``</answer>``."""
        ends = [i for i, one in enumerate(pieces) if isinstance(one, Tag) and one.name == "thinking"]
        rest = [one for one in pieces[ends[-1] + 1 :] if not (isinstance(one, str) and not one.strip())]
        tags = [one for one in rest if isinstance(one, Tag)]
        last = rest[-1] if rest else None
        closed_only = [(one.name, one.closing) for one in tags] == [("answer", True)] and tags[0] is last
        if tags and not closed_only:
            return
        text = "".join(one for one in rest if isinstance(one, str))
        if text.strip():
            self.answers.append(text)
            self.thoughts = [one for one in self.thoughts if one not in rest]
            self.repairs.append("answer_opened")
            if not tags:
                self.repairs.append("answer_closed")


def _closes(name: str, rest: list[str | Tag]) -> bool:
    return any(isinstance(one, Tag) and one.closing and one.name == name for one in rest)


def _written(sections: Mapping[str, str], answer: str) -> str:
    """The output as it would be with the repairs; only what is there is written."""
    inner = "".join(f"<{name}>{text}</{name}>" for name, text in sections.items())
    thought = f"<thinking>{inner}</thinking>" if sections else ""
    return f"{thought}<answer>{answer}</answer>"


def _stripped(answer: str) -> str:
    """Without fences of a code block around it."""
    return _FENCE.sub("", answer).strip()
