"""Separates what a model thought from what it says: ``<think>`` blocks and ECoT tags.

Qwen3 thinks inside ``<think>…</think>``. MindChat writes an empathic chain of thought (ECoT):
``<thinking><situation>…</situation><motivation>…</motivation><strategy>…</strategy></thinking>``
and then ``<answer>…</answer>``. Models also forget tags, so the rules are cautious:

- inside ``<think>`` only ``</think>`` counts; whatever is never closed stays a thought;
- ``<answer>`` ends an unclosed ``<thinking>`` (not an unclosed section of it), and nothing after
  ``</answer>`` belongs to the reply;
- text before the closing tag of a thought or of a section that was never opened is a thought.

How tags may be spelt is told in :mod:`models.ecot_tags`. What a checkpoint that was trained to
write an ECoT wrote is read by :mod:`models.ecot_form`, which is stricter.
"""

from dataclasses import dataclass, field
from typing import Literal

from models.ecot_tags import Broken, Tag, next_start, opens_bracket, tag_at

_State = Literal["reply", "think", "thinking", "section", "over"]


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """One model output, taken apart.

    Attributes:
        text: What may be shown, without tags; may be empty.
        reasoning: All thoughts, without tags, or ``None`` if there were none.
        sections: Text of each ECoT section that occurred (situation, motivation, strategy).
    """

    text: str
    reasoning: str | None
    sections: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Piece:
    """What one chunk added to the reply and to the thoughts."""

    text: str = ""
    reasoning: str = ""


def parse_reply(output: str, *, expect_thought: bool = False, cut: bool = False) -> ParsedReply:
    """Take a whole output apart.

    Args:
        output: Everything the model wrote.
        expect_thought: The prompt may have opened the thought already (see :class:`ReplyParser`).
        cut: The output was ended by a limit or a stop.
    """
    parser = ReplyParser(expect_thought=expect_thought)
    parser.feed(output)
    parser.finish(cut=cut)
    return parser.result()


class ReplyParser:
    """Takes an output apart while it arrives; any chunking ends in the same result.

    A tag is never passed on, not even half of one. With ``expect_thought`` the text before the
    first closing tag is held back, since it is a thought when the template wrote ``<think>``
    itself; it becomes the reply only if the output ended by itself without any tag. Without it
    such text has been passed on by the time the stray tag shows what it was: :meth:`result` is
    right, the pieces are not.
    """

    def __init__(self, *, expect_thought: bool = False) -> None:
        self._state: _State = "reply"
        self._holding = expect_thought
        self._buffer = ""
        self._held = ""  # text that may turn out to be a thought
        self._gap = ""  # white space that belongs to the reply only if more follows
        self._section = ""
        self._in_thinking = False
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._sections: dict[str, list[str]] = {}
        self._new_text: list[str] = []
        self._new_thoughts: list[str] = []

    def feed(self, chunk: str) -> Piece:
        """Add a chunk and return what it settled."""
        self._buffer += chunk
        position = 0
        while position < len(self._buffer):
            start = next_start(self._buffer, position)
            self._add(self._buffer[position:start] if start >= 0 else self._buffer[position:])
            position = start if start >= 0 else len(self._buffer)
            if start < 0:
                break
            found = tag_at(self._buffer, start)
            if found == "partial":
                break
            if isinstance(found, Tag):
                self._tag(found.name, closing=found.closing)
            elif found is None:
                self._add(self._buffer[start])
            position = found.end if isinstance(found, Tag | Broken) else start + 1
        self._buffer = self._buffer[position:]
        return self._take()

    def finish(self, *, cut: bool = False) -> Piece:
        """End the output (``cut``: by a limit or a stop); half a tag at its end is dropped."""
        if not cut and not opens_bracket(self._buffer):
            self._add(self._buffer)  # an ampersand, which might have begun a bracket
        self._buffer = ""
        if self._holding and cut:
            self._think(self._held)
            self._held, self._holding = "", False
        self._release()
        return self._take()

    def result(self) -> ParsedReply:
        """All that was settled so far."""
        reasoning = "".join(self._thoughts).strip()
        sections = {name: "".join(parts).strip() for name, parts in self._sections.items()}
        return ParsedReply("".join(self._text), reasoning or None, sections)

    def _take(self) -> Piece:
        piece = Piece("".join(self._new_text), "".join(self._new_thoughts))
        self._new_text, self._new_thoughts = [], []
        return piece

    def _add(self, text: str) -> None:
        if not text or self._state == "over":
            return
        if self._state == "reply":
            if self._holding:
                self._held += text
            else:
                self._show(text)
            return
        self._think(text)
        if self._state == "section":
            self._sections.setdefault(self._section, []).append(text)

    def _show(self, text: str) -> None:
        """Add to the reply, without white space at its start and at its end."""
        body = text.rstrip()
        if not body:
            self._gap += text if self._text else ""
            return
        shown = self._gap + body if self._text else body.lstrip()
        self._gap = text[len(body) :]
        self._text.append(shown)
        self._new_text.append(shown)

    def _think(self, text: str) -> None:
        self._thoughts.append(text)
        self._new_thoughts.append(text)

    def _tag(self, name: str, *, closing: bool) -> None:
        if self._state == "over" or (self._state == "think" and not (closing and name == "think")):
            return
        if name in ("think", "thinking"):
            self._thought_tag(name, closing=closing)
        elif name == "answer":
            self._answer_tag(closing=closing)
        elif closing:
            self._close_section(name)
        elif self._state != "section":
            self._release()
            self._in_thinking = self._state == "thinking"
            self._state, self._section = "section", name

    def _thought_tag(self, name: str, *, closing: bool) -> None:
        if not closing:
            if self._state == "reply":
                self._release()
                self._state = "think" if name == "think" else "thinking"
            return
        if self._state == "reply":
            self._stray_close()
        elif self._state == "section" and not self._in_thinking:
            return
        else:
            self._think("\n")
        self._state = "reply"

    def _stray_close(self) -> None:
        """What came so far was a thought whose opening tag is missing."""
        self._think((self._held if self._holding else "".join(self._text)) + "\n")
        self._held, self._holding = "", False
        self._text.clear()
        self._gap = ""

    def _answer_tag(self, *, closing: bool) -> None:
        if closing:
            if self._state == "reply":
                self._release()
                self._state = "over"
        elif self._state != "section":
            self._release()
            self._state = "reply"

    def _close_section(self, name: str) -> None:
        if self._state == "reply":
            self._stray_close()
        elif self._state == "section" and name == self._section:
            self._think("\n")
            self._state = "thinking" if self._in_thinking else "reply"

    def _release(self) -> None:
        """The text held back was no thought of a template."""
        if self._holding:
            self._holding = False
            self._show(self._held)
            self._held = ""
