"""Judges sentences of a reply: whether each fits the message that it answers.

The embedded model says a message back wrongly about as often as not, and goes on with sentences that don't
suit it; it knows neither. Low-rank changes of the same network, learned from sentences that were judged one
by one, tell most of these (``models/heads/firsts-reader``, ``models/heads/sentences-reader``).
"""

from collections.abc import Sequence

from models.answers import VERDICTS
from models.chat_model import ChatMessage
from models.low_rank_reader import LowRankReader
from models.reader_text import TurnTokens
from models.verdict_file import VerdictFacts


class VerdictReader:
    """Reads sentences behind the message they answer.

    Args:
        reader: The changed network.
        turns: Writes turns for it.
        facts: What the reader's file says.
    """

    def __init__(self, reader: LowRankReader, turns: TurnTokens, facts: VerdictFacts) -> None:
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
