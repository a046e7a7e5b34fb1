"""One crisis head: what a text's vector and words say of levels and kinds, and from where on it counts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from safety.head_file import Array, SentenceEncoder, hidden_layer_scores, read_head, softmax
from safety.levels import RiskCategory, RiskLevel
from safety.word_pieces import piece_ids

CHINESE = re.compile("[\u3400-\u9fff]+")
SHORT_CHINESE = 8
"""Characters up to which a Chinese message holds little to judge by; what it says plainly, rules know."""
SHORT_THRESHOLD = 0.5
"""Least card threshold for such a message: half of the false cards on 99 ordinary phrases had less."""
_TINY = np.float32(1e-6)


@dataclass(frozen=True, slots=True)
class CrisisLimits:
    """What probabilities argue for.

    Attributes:
        card: Probability of moderate or imminent from which a card is argued for.
        imminent: Share of imminent in that probability from which it is imminent.
        low_share: Share of the card threshold from which a message is ``low``.
        chinese: The card threshold for texts with Chinese characters, if another one.
    """

    card: float
    imminent: float
    low_share: float = 1.0
    chinese: float | None = None

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> "CrisisLimits":
        """Read them as the commands in ``evals`` write them."""
        return cls(
            float(facts["card_threshold"]),
            float(facts["imminent_threshold"]),
            float(facts["low_share"]),
            float(facts["chinese_threshold"]),
        )

    def level(self, chances: Array, text: str) -> RiskLevel:
        """What probabilities argue for; risky but unsure is ``low``: the model asks, no card is shown."""
        card, threshold = float(chances[2] + chances[3]), self.threshold(text)
        if card >= threshold:
            imminent = float(chances[3]) >= self.imminent * card
            return RiskLevel.IMMINENT if imminent else RiskLevel.MODERATE
        return RiskLevel.LOW if card >= self.low_share * threshold else RiskLevel.NONE

    def threshold(self, text: str) -> float:
        """Card threshold of the language of ``text``, each calibrated on its own; more for few characters."""
        if self.chinese is None or not CHINESE.search(text):
            return self.card
        if len("".join(CHINESE.findall(text))) > SHORT_CHINESE:
            return self.chinese
        return max(self.chinese, SHORT_THRESHOLD)


@dataclass(frozen=True, slots=True)
class CrisisHead:
    """Weights, as written by ``python -m evals.train_crisis_head``.

    Attributes:
        tensors: Weights by name.
        categories: What the category scores stand for.
        word_share: How much the words count beside the embedding; 0 for a head without a table of words.
    """

    tensors: Mapping[str, Array]
    categories: tuple[RiskCategory, ...]
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

    def category_scores(self, vectors: Array) -> Array:
        """Scores of the categories, the likeliest the highest; shape ``(n, categories)``."""
        inputs: Array = (vectors - self.tensors["mean"]) / self.tensors["scale"]
        scores: Array = inputs @ self.tensors["wc"] + self.tensors["bc"]
        return scores


def mean_levels(chances: Sequence[Array]) -> Array:
    """The mean of the logarithms of several heads' probabilities ``(n, 4)``, as probabilities."""
    return softmax(np.mean([np.log(one + _TINY) for one in chances], axis=0))


def read_crisis_head(path: Path, encoder: SentenceEncoder) -> tuple[CrisisHead, CrisisLimits]:
    """Read a head and the thresholds at which it judges alone.

    Raises:
        HeadMismatchError: The head belongs to another encoder.
        OSError: The file cannot be read.
    """
    tensors, facts = read_head(path, encoder)
    categories = tuple(RiskCategory(name) for name in facts["categories"])
    return CrisisHead(tensors, categories, float(facts["word_share"])), CrisisLimits.of_facts(facts)
