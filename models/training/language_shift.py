"""What moves vectors of Chinese messages to where English ones of the same kind lie, without any label."""

import gzip
import json
from pathlib import Path

from models.encoder import Encoder, Vectors
from models.training.embedding_store import whole_vectors
from models.training.raw_rows import RawContext, read_json_lines

_MOST = 500
"""Messages of each language."""


def message_shift(encoder: Encoder, data: Path, cache: Path) -> Vectors:
    """Mean vector of people's English messages less that of Chinese ones, ``(dim,)``.

    Both are messages to a supporter: those of MINT's contexts and of SmileChat.

    Args:
        encoder: The encoder in use.
        data: Folder with ``mint`` and ``chinese``.
        cache: Folder of stored vectors.

    Raises:
        ValueError: MINT's contexts are missing or wrong.
        OSError: SmileChat is missing.
    """
    english = {
        turn.content
        for row in read_json_lines(RawContext, data / "mint" / "contexts.jsonl.gz")
        for turn in row.history
        if turn.role == "user"
    }
    chinese: set[str] = set()
    with gzip.open(data / "chinese" / "smilechat_400.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            messages: list[dict[str, str]] = json.loads(line)
            chinese |= {message["content"] for message in messages if message["role"] == "user"}
    means = [
        whole_vectors(encoder, sorted(texts)[:_MOST], cache).mean(axis=0) for texts in (english, chinese)
    ]
    return means[0] - means[1]
