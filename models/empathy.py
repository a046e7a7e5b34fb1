"""Predicts the empathy quality Q (1–5) of a reply in its dialogue context."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.chat_model import ChatMessage
from models.encoder import Encoder, Vectors
from models.head_file import HEADS_FOLDER, Head, read_head
from models.sentences import is_chinese, split_sentences
from models.tagger import CHINESE_SHIFT, ReadReply

LOWEST, HIGHEST = 1.0, 5.0
LONGEST_LETTERS = 1000
"""Length from which a reply counts as no longer: Q must not rise by length alone."""
CHINESE_LETTERS = 3.5
"""English letters that say as much as one Chinese character."""

_EVEN = 20.0
"""Brings products of vectors of length 1 to the size of their numbers."""
_EMOJI = re.compile("[\u2600-\u27bf\u2b50\ufe0f\U0001f000-\U0001faff]")
_MOST_EMOJI = 5

_WORD = re.compile(r"[^\W\d_]{4,}|\d+|[\u3400-\u9fff]")


class EmpathyScorer:
    """Scores replies with a trained head.

    Args:
        encoder: Embeds what the person said; must be the one the head was trained on.
        head: Seven outputs, the judge's six ratings and their aggregate.
    """

    def __init__(self, encoder: Encoder, head: Head) -> None:
        self._encoder = encoder
        self._head = head

    def score(self, context: Sequence[ChatMessage], replies: Sequence[ReadReply]) -> list[float]:
        """Predict Q for each reply to the last user message of the context.

        Args:
            context: The dialogue, oldest first; only the last user message is read.
            replies: Candidate replies, read by the tagger.

        Returns:
            Values between 1 and 5, in the order of the replies; an empty reply gets 1.
        """
        if not replies:
            return []
        said = last_user_text(context)
        vector = said_vector(self._encoder, self._head, said)
        inputs = np.stack([quality_features(said, vector, reply) for reply in replies])
        values = np.clip(self._head.forward(inputs)[:, -1], LOWEST, HIGHEST)
        return [float(v) if r.sentences else LOWEST for v, r in zip(values, replies, strict=True)]


def said_vector(encoder: Encoder, head: Head | None, said: str) -> Vectors:
    """Vector of what the person said, moved like the replies when it is Chinese."""
    vector = encoder.encode_sentences([split_sentences(said)])[0][0]
    if head is not None and CHINESE_SHIFT in head.tensors and is_chinese(said):
        vector = vector + head.tensors[CHINESE_SHIFT]
    return vector


def last_user_text(context: Sequence[ChatMessage]) -> str:
    """What the person said last, or an empty text."""
    return next((m.content for m in reversed(context) if m.role == "user"), "")


def quality_features(said: str, said_vector: Vectors, reply: ReadReply) -> Vectors:
    """Inputs of the head for one reply.

    The reply's vector, alone and times that of what was said; expected counts and shares of the tactics;
    length in letters and sentences; questions; how near the reply is to what was said, in meaning and in
    words; how many of its sentences are new; emojis; whether it is written in the other script.

    Args:
        said: The person's last message.
        said_vector: Its vector.
        reply: The reply.
    """
    text = " ".join(reply.sentences)
    count = max(len(reply.sentences), 1)
    expected = reply.probabilities.sum(axis=0)
    near = reply.vectors @ said_vector if len(reply.vectors) else np.zeros(1, np.float32)
    numbers = [
        *text_numbers(reply.sentences),
        float(reply.whole @ said_vector),
        float(near.max()),
        float(near.mean()),
        *shared_words(said, text),
        len(set(reply.sentences)) / count,
        min(len(_EMOJI.findall(text)), _MOST_EMOJI) / _MOST_EMOJI,
        float(bool(said.strip()) and is_chinese(text) != is_chinese(said)),
    ]
    both = reply.whole * said_vector * _EVEN
    return np.concatenate(
        [reply.whole, both, expected, expected / count, np.array(numbers, np.float32)], dtype=np.float32
    )


def text_numbers(sentences: Sequence[str]) -> list[float]:
    """Length in letters (log and thousands), sentences (log), hundreds of letters a sentence, questions."""
    text = " ".join(sentences)
    count = max(len(sentences), 1)
    letters = len(text) * (CHINESE_LETTERS if is_chinese(text) else 1.0)
    letters = min(letters, LONGEST_LETTERS)
    return [
        float(np.log1p(letters)),
        letters / 1000,
        float(np.log1p(count)),
        letters / count / 100,
        float(text.count("?") + text.count("？")),
    ]


def shared_words(said: str, text: str) -> tuple[float, float]:
    """Share of the person's words that come back, and share of the reply that is theirs."""
    theirs, own = set(_WORD.findall(said.lower())), _WORD.findall(text.lower())
    shared = theirs & set(own)
    copied = sum(word in theirs for word in own) / max(len(own), 1)
    return len(shared) / max(len(theirs), 1), copied


def load_empathy(encoder: Encoder, folder: Path = HEADS_FOLDER) -> EmpathyScorer:
    """Load the head that was trained for this encoder from ``heads/empathy-<encoder>/``."""
    path = folder / f"empathy-{encoder.name}" / "head.safetensors"
    return EmpathyScorer(encoder, read_head(path, encoder.name))
