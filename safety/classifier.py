"""A small network over sentence embeddings, and a linear model over words: they notice what no rule names.

It only adds: its finding is one more in the maximum. Alone it argues for ``imminent`` only when it is sure.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from safety.head_file import Array, SentenceEncoder, hidden_layer_scores, read_head, softmax
from safety.levels import RiskCategory, RiskLevel, RiskMatch
from safety.normalize import NormalizedText
from safety.rules import split_units
from safety.word_pieces import piece_ids

LAYER = "classifier"
HEAD_FILE = Path(__file__).parent / "heads" / "crisis" / "head.safetensors"
WINDOW = 280
"""Characters read as one; a longer message is cut at sentences."""
CHINESE_WINDOW = 100
"""The same for Chinese, where a character is most of a word."""
MAX_WINDOWS = 2
"""Windows of a long message that are embedded, side by side; rules read all of it, this layer its most
telling parts."""

_TINY = np.float32(1e-6)
CHINESE = re.compile("[\u3400-\u9fff]+")
SHORT_CHINESE = 8
"""Characters up to which a Chinese message holds little to judge by; what it says plainly, rules know."""
SHORT_THRESHOLD = 0.5
"""Least card threshold for such a message: half of the false cards on 99 ordinary phrases had less."""


@dataclass(frozen=True, slots=True)
class CrisisHead:
    """Weights and thresholds, as written by ``python -m evals.train_crisis_head``.

    Attributes:
        tensors: Weights by name.
        categories: What the category scores stand for.
        card_threshold: Probability of moderate or imminent from which a card is argued for.
        imminent_threshold: Share of imminent in that probability from which it is imminent.
        low_share: Share of the card threshold from which a message is ``low``.
        chinese_threshold: The card threshold for texts with Chinese characters, if another one.
        word_share: How much the words count beside the embedding; 0 for a head without a table of words.
    """

    tensors: Mapping[str, Array]
    categories: tuple[RiskCategory, ...]
    card_threshold: float
    imminent_threshold: float
    low_share: float = 1.0
    chinese_threshold: float | None = None
    word_share: float = 0.0

    def levels(self, vectors: Array, texts: Sequence[str]) -> Array:
        """Probabilities of none, low, moderate, imminent; shape ``(n, 4)``.

        Args:
            vectors: Embeddings of the texts.
            texts: The same texts, folded.
        """
        return self.mixed(np.log(softmax(hidden_layer_scores(self.tensors, vectors)) + _TINY), texts)

    def mixed(self, meaning: Array, texts: Sequence[str]) -> Array:
        """Probabilities from the logarithms ``(n, 4)`` that the embedding gives and from the words.

        Args:
            meaning: Logarithms of probabilities.
            texts: The folded texts.
        """
        share = self.word_share
        if share == 0:
            return softmax(meaning)
        # The mean of two logarithms needs both to agree before either is sure.
        scores = np.asarray([self._word_scores(text) for text in texts], np.float32)
        words = np.log(softmax(scores) + _TINY)
        return softmax(np.float32(1 - share) * meaning + np.float32(share) * words)

    def _word_scores(self, text: str) -> Array:
        ids = piece_ids(text)
        if not ids:
            return self.tensors["word_bias"]
        rows = self.tensors["words"][ids].astype(np.float32)
        return rows.sum(axis=0) / np.float32(len(ids) ** 0.5) + self.tensors["word_bias"]

    def level(self, chances: Array, text: str) -> RiskLevel:
        """What probabilities argue for; risky but unsure is ``low``: the model asks, no card is shown."""
        card, threshold = float(chances[2] + chances[3]), self.threshold(text)
        if card >= threshold:
            imminent = float(chances[3]) >= self.imminent_threshold * card
            return RiskLevel.IMMINENT if imminent else RiskLevel.MODERATE
        return RiskLevel.LOW if card >= self.low_share * threshold else RiskLevel.NONE

    def threshold(self, text: str) -> float:
        """Card threshold of the language of ``text``, each calibrated on its own; more for few characters."""
        if self.chinese_threshold is None or not CHINESE.search(text):
            return self.card_threshold
        if len("".join(CHINESE.findall(text))) > SHORT_CHINESE:
            return self.chinese_threshold
        return max(self.chinese_threshold, SHORT_THRESHOLD)

    def category(self, vector: Array) -> RiskCategory:
        """Likeliest category of one vector."""
        inputs = (vector - self.tensors["mean"]) / self.tensors["scale"]
        scores = inputs @ self.tensors["wc"] + self.tensors["bc"]
        return self.categories[int(np.argmax(scores))]


class CrisisClassifier:
    """Embeds a message and asks the head; shareable between threads if the encoder is."""

    def __init__(self, encoder: SentenceEncoder, head: CrisisHead) -> None:
        self._encoder = encoder
        self._head = head

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        """Judge a message.

        Args:
            text: The normalized message.
            suspicion: For the offset of a sentence how many rules came close; ranks the windows of a long
                message.
        """
        windows = telling_windows(text.text, suspicion)
        if not windows:
            return []
        vectors = self._encoder.encode([part for _, part in windows])
        return [
            match
            for (offset, part), vector, chances in zip(
                windows, vectors, self._head.levels(vectors, [part for _, part in windows]), strict=True
            )
            for match in self._judge(text, offset, part, vector, chances)
        ]

    def _judge(
        self, text: NormalizedText, offset: int, part: str, vector: Array, chances: Array
    ) -> Iterator[RiskMatch]:
        level = self._head.level(chances, part)
        if level is RiskLevel.NONE:
            return
        category = self._head.category(vector)
        start, end = text.original_span(offset, offset + len(part))
        yield RiskMatch(level, category, LAYER, f"classifier.{category.value}", start, end)


def only_suspected(matches: Iterable[RiskMatch]) -> bool:
    """Whether this layer alone argues for a card: no other confirms it, and its category may be far off."""
    layers = {match.layer for match in matches if match.level >= RiskLevel.MODERATE}
    return layers == {LAYER}


def telling_windows(text: str, suspicion: Mapping[int, int]) -> list[tuple[int, str]]:
    """Cut a long text at sentences into windows and keep the most suspicious, first and last of them.

    Returns:
        Offset in ``text`` and words of each window, in order.
    """
    most = CHINESE_WINDOW if 2 * len("".join(CHINESE.findall(text))) > len(text) else WINDOW
    if len(text) <= most:
        return [(0, text)] if text.strip() else []
    windows: list[tuple[int, str, int]] = []
    for unit in split_units(text):
        score = suspicion.get(unit.offset, 0)
        if windows and unit.offset + len(unit.text) - windows[-1][0] <= most:
            start, _, before = windows[-1]
            windows[-1] = (start, text[start : unit.offset + len(unit.text)], before + score)
        else:
            windows.append((unit.offset, unit.text, score))
    last = len(windows) - 1
    ranked = sorted(range(len(windows)), key=lambda i: (-windows[i][2], i not in {0, last}, i))
    return [windows[i][:2] for i in sorted(ranked[:MAX_WINDOWS])]


def load_classifier(encoder: SentenceEncoder, path: Path = HEAD_FILE) -> CrisisClassifier:
    """Read the committed head for ``encoder``.

    Raises:
        HeadMismatchError: The head belongs to another encoder.
        OSError: The file cannot be read.
    """
    tensors, facts = read_head(path, encoder)
    head = CrisisHead(
        tensors,
        tuple(RiskCategory(name) for name in facts["categories"]),
        float(facts["card_threshold"]),
        float(facts["imminent_threshold"]),
        float(facts["low_share"]),
        float(facts["chinese_threshold"]),
        float(facts["word_share"]),
    )
    return CrisisClassifier(encoder, head)
