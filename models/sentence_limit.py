"""Lets a model say nothing but sentences of a list, once the beginning of its reply is settled.

Constrained decoding (e.g. Willard and Louf 2023) over whole sentences: each next token continues a sentence
of the list that has not been said in this reply, begins another one, or ends the reply. Sentences may have
steps; then a reply says one of each step, in order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LimitSentence:
    """A sentence in tokens, the blank before it included; ``last`` ends the reply, ``step`` 0 is none."""

    ids: tuple[int, ...]
    last: bool
    step: int = 0


@dataclass(slots=True)
class _Row:
    """How far one reply is: what it may still say, tokens of the sentence that it says, the last step."""

    left: list[LimitSentence]
    said: int = 0
    prefix: tuple[int, ...] = ()
    step: int = 0
    over: bool = field(default=False)

    def allowed(self, ends: Iterable[int]) -> set[int]:
        """The tokens that may come next."""
        if self.over:
            return set(ends)
        size = len(self.prefix)
        going = [one for one in self._open(self.step) if one.ids[:size] == self.prefix]
        found = {one.ids[size] for one in going if len(one.ids) > size}
        whole = next((one for one in going if len(one.ids) == size), None) if size else None
        if whole is not None:
            following = [] if whole.last else [one for one in self._open(whole.step) if one is not whole]
            found |= {one.ids[0] for one in following}
            found |= set() if following and whole.step else {*ends}
        elif not size and self.said and not self.step:
            found |= {*ends}
        return found or set(ends)

    def take(self, token: int, ends: Iterable[int]) -> None:
        """Note the token that was drawn."""
        longer = (*self.prefix, token)
        if any(one.ids[: len(longer)] == longer for one in self._open(self.step)):
            self.prefix = longer
        else:
            self._close()
            self.prefix = () if token in set(ends) else (token,)
        now = self._open(self.step)
        whole = next((one for one in now if one.ids == self.prefix), None)
        self.over = self.over or token in set(ends)
        if whole is not None and not any(
            one is not whole and one.ids[: len(self.prefix)] == self.prefix for one in now
        ):
            self._close()
            self.over = whole.last

    def _open(self, step: int) -> list[LimitSentence]:
        """What may be said behind a sentence of this step: all that is left, or what has the next step."""
        steps = {one.step for one in self.left}
        if steps <= {0}:
            return self.left
        following = min((one for one in steps if one > step), default=None)
        return [one for one in self.left if one.step == following]

    def _close(self) -> None:
        """The sentence that is being said is whole: it is not said again."""
        whole = next((one for one in self._open(self.step) if one.ids == self.prefix), None)
        self.step = whole.step if whole is not None else self.step
        kept = [one for one in self.left if one.ids != self.prefix]
        self.said += len(self.left) - len(kept)
        self.left, self.prefix = kept, ()


class SentenceLimit:
    """Limits the replies of one batch; ``generate`` calls it with what each row has drawn so far.

    Args:
        sentences: Those that may be said.
        ends: Tokens that end a reply.
        start: Length of a row where the limited part begins.
    """

    def __init__(self, sentences: Sequence[LimitSentence], ends: Iterable[int], start: int) -> None:
        self._sentences = list(sentences)
        self._ends = frozenset(ends)
        self._start = start
        self._rows: list[_Row] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Scores in which tokens that may not come next have none.

        Args:
            input_ids: ``(replies, tokens)``.
            scores: ``(replies, vocabulary)``.
        """
        rows: list[list[int]] = input_ids[:, self._start :].tolist()
        if not self._rows:
            self._rows = [_Row(list(self._sentences)) for _ in rows]
        limited = scores.new_full(scores.shape, float("-inf"))
        for place, (row, drawn) in enumerate(zip(self._rows, rows, strict=True)):
            if drawn and not row.over:
                row.take(drawn[-1], self._ends)
            allowed = sorted(row.allowed(self._ends))
            limited[place, allowed] = scores[place, allowed]
        return limited
