"""A conversation and what answers it as token ids, with the places that a reader is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.chat_model import ChatMessage

START, END = "<|im_start|>", "<|im_end|>"


@dataclass(frozen=True, slots=True)
class ReadText:
    """Token ids of one text.

    Attributes:
        ids: All of them; the last one is the mark that ends the last turn.
        places: Positions in ``ids`` where something is read, in ascending order.
    """

    ids: tuple[int, ...]
    places: tuple[int, ...]


class TurnTokens:
    """Writes turns as the model's chat template does, without its system message.

    Args:
        tokenizer: A fast tokenizer (it must tell where in the text a token stands).

    Raises:
        ValueError: It does not know the marks of the template.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        marks = [self._ids(mark) for mark in (START, END)]
        if any(len(ids) != 1 for ids in marks):
            msg = f"the tokenizer has no single tokens {START} and {END}"
            raise ValueError(msg)
        self._start, self.end = marks[0][0], marks[1][0]
        self._line = self._ids("\n")
        self._heads = {
            role: (self._start, *self._ids(role), *self._line) for role in ("user", "assistant", "system")
        }

    def turn(self, role: str, content: str) -> tuple[int, ...]:
        """A whole turn, its end mark and the line break behind it included."""
        return (*self._heads[role], *self._ids(content), self.end, *self._line)

    def context(self, turns: Sequence[ChatMessage], most: int) -> tuple[int, ...]:
        """The last ``most`` tokens of the turns; of a turn that does not fit, its end behind its role."""
        parts: list[tuple[int, ...]] = []
        left = most
        for turn in reversed(turns):
            ids = self.turn(turn.role, turn.content)
            if len(ids) > left:
                head = self._heads[turn.role]
                room = left - len(head)
                # A few tokens of a turn, of which some are its end, say nothing.
                if room > 1 + len(self._line) + 2:
                    parts.append((*head, *ids[-room:]))
                break
            parts.append(ids)
            left -= len(ids)
        return tuple(token for part in reversed(parts) for token in part)

    def answered(
        self, context: Sequence[int], role: str, text: str, sentences: Sequence[str] = ()
    ) -> ReadText:
        """A turn behind its context, read at the end of each sentence.

        Args:
            context: Token ids of what stands before it.
            role: Who speaks.
            text: The turn.
            sentences: Parts of it in their order, as :func:`models.sentences.split_sentences` gives them.
        """
        encoded = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        begin = len(context) + len(self._heads[role])
        starts = [int(start) for start, _ in encoded["offset_mapping"]]
        places = [begin + last_token(starts, end) for end in sentence_ends(text, sentences)]
        return ReadText((*context, *self._heads[role], *encoded["input_ids"], self.end), tuple(places))

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def sentence_ends(text: str, sentences: Sequence[str]) -> list[int]:
    """Where each sentence ends in a text, as the number of characters up to its end.

    Raises:
        ValueError: A sentence is not in the text behind the one before it.
    """
    ends: list[int] = []
    place = 0
    for number, sentence in enumerate(sentences):
        found = text.find(sentence, place)
        if found < 0:
            msg = f"sentence {number} is not in its text"
            raise ValueError(msg)
        place = found + len(sentence)
        ends.append(place)
    return ends


def last_token(starts: Sequence[int], end: int) -> int:
    """Number of the last token that begins before a character; an emoji has several with one beginning.

    Args:
        starts: First character of each token, ascending.
        end: The character behind the last one that counts.
    """
    return max((number for number, start in enumerate(starts) if start < end), default=0)
