"""Tokens of multilingual-e5-small, with the sentence that each of them belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

from models.e5_file import E5File

PREFIX = "query: "
"""The model was trained with it; the card asks for it in tasks other than retrieval."""
BEFORE, AFTER = -1, -2
"""Owner of the tokens before the first sentence, and of the one that ends the text."""
_NO_SPACE_AFTER = frozenset("。！？…”」』）")


@dataclass(frozen=True, slots=True)
class TokenText:
    """A text for the network.

    Attributes:
        ids: Token ids.
        owners: For each token the number of its sentence, ``BEFORE`` or ``AFTER``.
    """

    ids: list[int]
    owners: list[int]


class E5Tokenizer:
    """Turns the sentences of a text into tokens.

    Args:
        file: The model file, whose pieces are copied.
    """

    def __init__(self, file: E5File) -> None:
        self._tokenizer = Tokenizer(
            models.Unigram(list(file.pieces), unk_id=file.unknown, byte_fallback=False)
        )
        self._tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(
            replacement="▁", prepend_scheme="always", split=False
        )
        self._characters = dict(file.character_map)
        self._start, self._end, self._longest = file.start, file.end, file.max_tokens

    def read(self, sentences: Sequence[str]) -> TokenText:
        """Tokens of the joined sentences; what is beyond the model's length is left out."""
        pieces = [PREFIX]
        for sentence in sentences:
            normal = self._normal(sentence)
            # Chinese sentences follow each other without a space, others with one.
            pieces.append(normal if normal[-1:] in _NO_SPACE_AFTER else normal + " ")
        ids, owners = [self._start], [BEFORE]
        encoding: Any = self._tokenizer.encode("".join(pieces).rstrip(" "), add_special_tokens=False)
        ends = np.cumsum([len(piece) for piece in pieces]).tolist()
        owner = 0
        for token, (_, stop) in zip(encoding.ids, encoding.offsets, strict=True):
            if len(ids) == self._longest - 1:
                break
            while owner < len(ends) - 1 and stop > ends[owner]:
                owner += 1
            ids.append(token)
            owners.append(owner - 1)
        return TokenText([*ids, self._end], [*owners, AFTER])

    def _normal(self, text: str) -> str:
        text = text.translate(self._characters).replace("\x00", "")
        return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
