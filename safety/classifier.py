"""Small networks over sentence embeddings and linear models over words: they notice what no rule names.

Two members, trained apart, read a message side by side, and the mean of what they say counts. The layer only
adds: its finding is one more in the maximum. Alone it argues for ``imminent`` only when it is sure.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from safety.crisis_head import CHINESE, CrisisHead, CrisisLimits, mean_levels, read_crisis_head
from safety.head_file import Array, HeadMismatchError, SentenceEncoder
from safety.levels import SPARE_CLASSIFIER, RiskLevel, RiskMatch
from safety.normalize import NormalizedText
from safety.rules import split_units

LAYER = "classifier"
_HEADS = Path(__file__).parent / "heads"
HEAD_FILE = _HEADS / "crisis" / "head.safetensors"
SECOND_HEAD_FILE = _HEADS / "crisis-second" / "head.safetensors"
MEAN_FILE = _HEADS / "crisis" / "mean.json"
"""Thresholds of the mean of both heads, as ``python -m evals.crisis_mean`` writes them."""
WINDOW = 280
"""Characters read as one; a longer message is cut at sentences."""
CHINESE_WINDOW = 100
"""The same for Chinese, where a character is most of a word."""
MAX_WINDOWS = 2
"""Windows of a long message that are embedded, side by side; rules read all of it, this layer its most
telling parts."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a member says of some texts.

    Attributes:
        chances: Probabilities of none, low, moderate, imminent; shape ``(n, 4)``.
        scores: Of the categories; shape ``(n, categories)``.
    """

    chances: Array
    scores: Array


@dataclass(frozen=True, slots=True)
class CrisisMember:
    """An encoder and the head that was trained with it; shareable between threads if the encoder is.

    Attributes:
        encoder: Embeds texts.
        head: Judges the vectors.
        limits: What its probabilities argue for when it judges alone.
    """

    encoder: SentenceEncoder
    head: CrisisHead
    limits: CrisisLimits

    def judge(self, texts: Sequence[str]) -> Opinion:
        """What it says of folded texts."""
        vectors = self.encoder.encode(texts)
        return Opinion(self.head.levels(vectors, texts), self.head.category_scores(vectors))


class CrisisClassifier:
    """Asks every member and takes the mean; shareable between threads.

    A long message, of several windows, only the first member reads, by its own limits: both cores have work
    with these, and a further pass would keep somebody in danger waiting. So it does where another fails.

    Args:
        members: One or more that know the same categories.
        limits: What the mean argues for.
        is_whole: Whether no member is missing; see :attr:`is_whole`.
    """

    def __init__(
        self, members: Sequence[CrisisMember], limits: CrisisLimits, *, is_whole: bool = True
    ) -> None:
        self._first, *self._others = members
        self._limits = limits
        self._is_whole = is_whole
        self._answered = True
        self._pool = ThreadPoolExecutor(max(1, len(self._others)), "crisis-member")

    @property
    def is_whole(self) -> bool:
        """Whether every member is there and had an answer to the last message."""
        return self._is_whole and self._answered

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        """Judge a message.

        Args:
            text: The normalized message.
            suspicion: For the offset of a sentence how many rules came close; ranks the windows of a long
                message.

        Raises:
            Exception: What the first member raised.
        """
        windows = telling_windows(text.text, suspicion)
        if not windows:
            return []
        parts = [part for _, part in windows]
        # The others work on threads of their own while the first works on this one.
        asked = [self._pool.submit(one.judge, parts) for one in self._others if len(parts) == 1]
        first = self._first.judge(parts)
        others = self._answers(asked)
        found: list[RiskMatch] = []
        for number, (offset, part) in enumerate(windows):
            own = Opinion(first.chances[number : number + 1], first.scores[number : number + 1])
            together = [own, *others]
            limits = self._limits if len(together) > len(self._others) else self._first.limits
            level = limits.level(mean_levels([one.chances for one in together])[0], part)
            if level is RiskLevel.NONE:
                continue
            scores = np.mean([one.scores[0] for one in together], axis=0)
            category = self._first.head.categories[int(np.argmax(scores))]
            start, end = text.original_span(offset, offset + len(part))
            found.append(RiskMatch(level, category, LAYER, f"classifier.{category.value}", start, end))
        return found

    def _answers(self, asked: Sequence[Future[Opinion]]) -> list[Opinion]:
        """What the other members said; nothing if one of them failed: thresholds hold for all together."""
        if not asked:
            return []
        try:
            answers = [one.result() for one in asked]
        except Exception as error:
            _log_failure(error)
            self._answered = False
            return []
        self._answered = True
        return answers


def only_suspected(matches: Iterable[RiskMatch]) -> bool:
    """Whether this layer alone argues for a card: no other confirms it, and its category may be far off."""
    layers = {match.layer for match in matches if match.level >= RiskLevel.MODERATE}
    return layers == {LAYER}


def telling_windows(text: str, suspicion: Mapping[int, int]) -> list[tuple[int, str]]:
    """Cut a long text at sentences into windows and keep the most suspicious, first and last of them.

    Returns:
        Offset in ``text`` and words of each window, the most telling one first.
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
    return [windows[i][:2] for i in ranked[:MAX_WINDOWS]]


def load_classifier(encoders: Sequence[SentenceEncoder]) -> CrisisClassifier:
    """Read the committed heads.

    Args:
        encoders: The first member's, and the second's unless the first is to judge alone. When the second
            member does not work, the first does alone.

    Raises:
        HeadMismatchError: The first head belongs to another encoder.
        OSError: Its file cannot be read.
    """
    first = CrisisMember(encoders[0], *read_crisis_head(HEAD_FILE, encoders[0]))
    if len(encoders) == 1:
        return CrisisClassifier([first], first.limits)
    try:
        second = CrisisMember(encoders[1], *read_crisis_head(SECOND_HEAD_FILE, encoders[1]))
        if second.head.categories != first.head.categories:
            raise HeadMismatchError("the heads know different categories")
        limits = read_mean([encoder.name for encoder in encoders])
        second.judge(["hello"])  # an encoder may read its weights only now
    except Exception as error:
        _log_failure(error)
        return CrisisClassifier([first], first.limits, is_whole=False)
    return CrisisClassifier([first, second], limits)


def read_mean(encoders: Sequence[str], path: Path = MEAN_FILE) -> CrisisLimits:
    """The thresholds of the mean of the members with these encoders.

    Raises:
        HeadMismatchError: They were chosen for others.
        OSError: The file cannot be read.
    """
    facts = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
    if facts["encoders"] != list(encoders):
        raise HeadMismatchError(f"{path.name} is of {facts['encoders']}, not of {list(encoders)}")
    return CrisisLimits.of_facts(facts)


def _log_failure(error: Exception) -> None:
    """Log the kind of error only: its text could quote the message."""
    _LOG.error("safety layer %s failed: %s", SPARE_CLASSIFIER, type(error).__name__)
