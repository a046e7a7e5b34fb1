"""Whether a reply answers what the person said: would a strict reader find that it fits?

The embedded model says back what it half understood: roles turned round, facts changed, pain for joy. Neither
predicted empathy nor the tactics see that, since they were learned from replies that nearly all fit. This
head was learned from the embedded model's own replies, which readers judged one by one
(``models/heads/answers-e5``), so it is asked only where that model answers, and in English.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.chat_model import ChatMessage
from models.class_head import calibrated
from models.encoder import ANSWERS, Encoder
from models.head_file import HEADS_FOLDER, Head, HeadError, read_head
from models.sentences import is_chinese
from models.strategy import PAIR_FEATURES, own_encoder, paired, strategy_inputs

FOLDER = HEADS_FOLDER / "answers-e5"
VERDICTS = ("misses", "partly", "fits")
"""What a reader said of a reply, from the worst to the best."""
_WORTH = np.array([1.0, 0.5, 0.0], np.float32)


def asked(context: Sequence[ChatMessage]) -> str:
    """What the person said: the last message, behind the one before it where there is one."""
    return " ".join([turn.content for turn in context if turn.role == "user"][-2:])


class AnswerReader:
    """Reads replies behind what they answer.

    Args:
        encoder: Tuned for it.
        head: Its network.

    Raises:
        HeadError: The file holds another kind of head.
    """

    def __init__(self, encoder: Encoder, head: Head) -> None:
        if tuple(head.facts.get("names", ())) != VERDICTS:
            raise HeadError(f"expected a head of {', '.join(VERDICTS)}")
        self._encoder = encoder
        self._head = head

    def unfit(self, replies: Sequence[str], context: Sequence[ChatMessage]) -> list[float]:
        """How little each reply is expected to fit, 0 to 1; 0 where it can't be told.

        A reply that surely misses has 1, one that fits in part 0.5.

        Args:
            replies: Candidates.
            context: The dialogue up to the message that is answered.
        """
        said = asked(context)
        if not replies or not said.strip() or is_chinese(said):
            return [0.0] * len(replies)
        earlier = sum(turn.role == "assistant" for turn in context)
        vectors = self._encoder.encode_sentences([paired(said, reply) for reply in replies])
        inputs = np.stack(
            [
                strategy_inputs(PAIR_FEATURES, rows[2], rows[1], earlier, reply)
                for rows, reply in zip(vectors, replies, strict=True)
            ]
        )
        found = calibrated(self._head, self._head.forward(inputs)) @ _WORTH
        return [float(value) for value in found]


def load_answers(folder: Path = FOLDER) -> AnswerReader:
    """The shipped head with its encoder, which is read at the first use.

    Raises:
        HeadError: A file is missing or broken.
    """
    file = folder / "head.safetensors"
    head = read_head(file, ANSWERS)
    return AnswerReader(own_encoder(file, ANSWERS), head)
