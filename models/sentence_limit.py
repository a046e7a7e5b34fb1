"""Lets a model say nothing but sentences of a list, once the beginning of its reply is settled.

Constrained decoding (e.g. Willard and Louf 2023) over whole sentences: each next token continues a sentence
of the list that has not been said in this reply, begins another one, or ends the reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LimitSentence:
    """A sentence in tokens, the blank before it included; ``last`` when the reply ends with it."""

    ids: tuple[int, ...]
    last: bool


@dataclass(slots=True)
class _Row:
    """How far one reply is: sentences that it may still say, tokens of the one that is being said."""

    left: list[LimitSentence]
    said: int = 0
    prefix: tuple[int, ...] = ()
    over: bool = field(default=False)

    def allowed(self, ends: Iterable[int]) -> set[int]:
        """The tokens that may come next."""
        if self.over:
            return set(ends)
        size = len(self.prefix)
        going = [one for one in self.left if one.ids[:size] == self.prefix]
        found = {one.ids[size] for one in going if len(one.ids) > size}
        whole = next((one for one in going if len(one.ids) == size), None) if size else None
        if whole is not None or not size:
            found |= {*ends} if whole is not None or self.said else set()
            if whole is not None and not whole.last:
                found |= {one.ids[0] for one in self.left if one is not whole}
        return found or set(ends)

    def take(self, token: int, ends: Iterable[int]) -> None:
        """Note the token that was drawn."""
        longer = (*self.prefix, token)
        if any(one.ids[: len(longer)] == longer for one in self.left):
            self.prefix = longer
        else:
            self._close()
            self.prefix = () if token in set(ends) else (token,)
        whole = next((one for one in self.left if one.ids == self.prefix), None)
        self.over = self.over or token in set(ends)
        if whole is not None and not any(
            one is not whole and one.ids[: len(self.prefix)] == self.prefix for one in self.left
        ):
            self._close()
            self.over = whole.last

    def _close(self) -> None:
        """The sentence that is being said is whole: it is not said again."""
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
