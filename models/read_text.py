"""A text with what the checks for failures count in it, each counted once."""

from collections.abc import Mapping
from dataclasses import dataclass

from models.sentences import is_chinese
from models.word_lists import list_counts

CHINESE_LETTERS = 3.5
"""English letters that say as much as one Chinese character."""
SENTENCE_LETTERS = 50.0
"""English letters of a sentence."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text.

    Attributes:
        text: The text.
        chinese: Whether it is Chinese.
        worth: Its length in sentences of ``SENTENCE_LETTERS``, at least 1: what counts are divided by.
        counts: Words and phrases of each list; see :mod:`models.word_lists`.
    """

    text: str
    chinese: bool
    worth: float
    counts: Mapping[str, int]

    def count(self, name: str) -> int:
        """How often words and phrases of a list occur."""
        return self.counts.get(name, 0)

    def rate(self, name: str, more: float = 0.0) -> float:
        """The same and ``more`` for each sentence's worth, 0–1: two or more are 1."""
        return min((self.count(name) + more) / self.worth, 2.0) / 2.0


def read_text(text: str) -> ReadText:
    """Count once what the checks look for."""
    chinese = is_chinese(text)
    letters = len(text) * (CHINESE_LETTERS if chinese else 1.0)
    return ReadText(text, chinese, max(letters / SENTENCE_LETTERS, 1.0), list_counts(text, chinese=chinese))
