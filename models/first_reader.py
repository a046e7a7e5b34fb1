"""Judges first sentences: whether each says the message back rightly.

The embedded model says a message back wrongly about as often as not, and knows it no better than its
readers' encoder does; a low-rank change of the same network, learned from 21,000 judged first sentences,
tells most of these (``models/heads/firsts-reader``).
"""

from collections.abc import Sequence

from models.answers import VERDICTS
from models.chat_model import ChatMessage
from models.first_file import FirstsFacts
from models.low_rank_reader import LowRankReader
from models.reader_text import TurnTokens


class FirstReader:
    """Reads sentences behind the message they answer.

    Args:
        reader: The changed network.
        turns: Writes turns for it.
        facts: What the reader's file says.
    """

    def __init__(self, reader: LowRankReader, turns: TurnTokens, facts: FirstsFacts) -> None:
        self._reader, self._turns, self._most = reader, turns, facts.context_tokens

    def worths(self, context: Sequence[ChatMessage], sentences: Sequence[str]) -> list[float]:
        """The chance that each sentence fits less the chance that it misses, -1 to 1.

        Args:
            context: The turns up to the message that is answered; it is read once for all sentences.
            sentences: At least one.
        """
        said = [ChatMessage(turn.role, text) for turn in context if (text := turn.content.strip())]
        texts = [self._turns.answered((), "assistant", one.strip()).ids for one in sentences]
        outputs = self._reader.outputs(self._turns.context(said, self._most), texts)
        chances = outputs.softmax(dim=1)
        worth = chances[:, len(VERDICTS) - 1] - chances[:, 0]
        return [float(one) for one in worth]
