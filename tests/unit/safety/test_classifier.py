"""The classifier only adds findings, and its absence or failure is said."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from safety.background_classifier import BackgroundClassifier
from safety.classifier import (
    CHINESE_WINDOW,
    WINDOW,
    CrisisClassifier,
    CrisisMember,
    load_classifier,
    telling_windows,
)
from safety.crisis_head import CrisisHead, CrisisLimits
from safety.head_file import HeadMismatchError, SentenceEncoder
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.normalize import NormalizedText, Normalizer
from safety.risk import RiskAssessor, load_assessor
from safety.training.message_book import written_messages
from safety.word_pieces import BUCKETS, piece_ids

_NO_SUSPICION: dict[int, int] = {}


class _Encoder:
    """Puts texts with the word on one axis and all others on another."""

    def __init__(self, word: str, name: str = "fake") -> None:
        self.word, self.name, self.seen = word, name, list[str]()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        rows = [[1.0, 0.0] if self.word in text else [0.0, 1.0] for text in texts]
        return np.asarray(rows, np.float32)

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        raise NotImplementedError


class _Failing:
    name = "e5"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise RuntimeError(str(texts))

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        raise NotImplementedError


def _head(imminent: float = 8.0) -> CrisisHead:
    """A head that answers imminent on the first axis and none on the second."""
    eye = np.eye(2, dtype=np.float32)
    out = np.asarray([[0, 0, 4, imminent], [9, 0, 0, 0]], np.float32)
    tensors = {
        "mean": np.zeros(2, np.float32),
        "scale": np.ones(2, np.float32),
        "w0": eye,
        "b0": np.zeros(2, np.float32),
        "w1": out,
        "b1": np.zeros(4, np.float32),
        "wc": np.asarray([[1, 0], [0, 1]], np.float32),
        "bc": np.zeros(2, np.float32),
    }
    return CrisisHead(tensors, (RiskCategory.SUICIDE, RiskCategory.ABUSE))


def _alone(encoder: SentenceEncoder, imminent: float = 8.0) -> CrisisClassifier:
    """A classifier of one member."""
    limits = CrisisLimits(0.4, 0.5)
    return CrisisClassifier([CrisisMember(encoder, _head(imminent), limits)], limits)


def _plain(text: str) -> NormalizedText:
    places = range(len(text) + 1)
    return NormalizedText(text, tuple(places[:-1]), tuple(places[1:]))


@pytest.fixture
def assessor_with(assessor: RiskAssessor) -> type[RiskAssessor]:
    normalizer, engine = assessor._normalizer, assessor._engine  # pyright: ignore[reportPrivateUsage]

    class _Built(RiskAssessor):
        def __init__(self, encoder: _Encoder, imminent: float = 8.0) -> None:
            super().__init__(normalizer, engine, _alone(encoder, imminent))

    return _Built


def test_it_raises_what_no_rule_saw(assessor_with: type[RiskAssessor]) -> None:
    found = assessor_with(_Encoder("lighthouse")).assess("the lighthouse is quiet", SessionRisk())  # pyright: ignore[reportArgumentType]
    assert (found.level, found.layer) == (RiskLevel.IMMINENT, "classifier")


def test_unsure_of_imminent_it_says_moderate(assessor_with: type[RiskAssessor]) -> None:
    found = assessor_with(_Encoder("lighthouse"), 2.0).assess("by the old lighthouse", SessionRisk())  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert found.level is RiskLevel.MODERATE


def test_risky_but_unsure_is_low() -> None:
    limits = CrisisLimits(card=0.5, imminent=0.4, low_share=0.6)
    chances = [[0.9, 0.0, 0.1, 0.0], [0.6, 0.0, 0.3, 0.1], [0.4, 0.0, 0.4, 0.2], [0.4, 0.0, 0.3, 0.3]]
    assert [limits.level(np.asarray(row, np.float32), "text") for row in chances] == list(RiskLevel)


def test_chinese_has_a_threshold_of_its_own() -> None:
    limits = CrisisLimits(0.4, 0.5, chinese=0.6)
    chances = np.asarray([0.5, 0.0, 0.5, 0.0], np.float32)
    assert limits.level(chances, "so tired") is RiskLevel.MODERATE
    assert limits.level(chances, "好累") is RiskLevel.NONE


def test_a_few_chinese_characters_need_more() -> None:
    limits = CrisisLimits(0.4, 0.5, chinese=0.3)
    chances = np.asarray([0.6, 0.0, 0.4, 0.0], np.float32)
    assert limits.level(chances, "我在路上了") is RiskLevel.NONE
    assert limits.level(chances, "我在路上走了很久很久了") is RiskLevel.MODERATE


def test_words_pull_a_head_that_has_a_table_of_them() -> None:
    tensors = dict(_head().tensors)
    tensors["words"] = np.zeros((BUCKETS, 4), np.float32)
    tensors["words"][piece_ids("toddler")] = [9, 0, 0, 0]
    tensors["word_bias"] = np.zeros(4, np.float32)
    head = CrisisHead(tensors, (RiskCategory.SUICIDE,), word_share=0.5)
    vectors = np.asarray([[1.0, 0.0], [1.0, 0.0]], np.float32)
    plain, calm = head.levels(vectors, ["filled the tub", "toddler"])[:, 3]
    assert plain > 0.8 > 0.5 > calm


def test_it_never_lowers_what_a_rule_found(assessor_with: type[RiskAssessor]) -> None:
    found = assessor_with(_Encoder("lighthouse")).assess("I'm going to kill myself tonight", SessionRisk())  # pyright: ignore[reportArgumentType]
    assert (found.level, found.layer) == (RiskLevel.IMMINENT, "rules")


@pytest.mark.parametrize(
    ("text", "level_after_two_calm_turns"),
    [
        ("the lighthouse is quiet", RiskLevel.LOW),
        ("the lighthouse is quiet and i feel so hopeless", RiskLevel.MODERATE),  # a rule supports it
        ("the lighthouse, i want to die", RiskLevel.MODERATE),  # a rule finds it too
    ],
)
def test_what_it_alone_suspects_is_let_go_sooner(
    assessor_with: type[RiskAssessor], text: str, level_after_two_calm_turns: RiskLevel
) -> None:
    assessor = assessor_with(_Encoder("lighthouse"), 2.0)  # pyright: ignore[reportArgumentType, reportCallIssue]
    session = SessionRisk()
    for said in (text, "we had soup", "the film was good"):
        found = assessor.assess(said, session)
        session = found.session
    assert session.level is level_after_two_calm_turns


def test_its_failure_means_caution(normalizer: Normalizer, assessor: RiskAssessor) -> None:
    engine = assessor._engine  # pyright: ignore[reportPrivateUsage]
    broken = RiskAssessor(normalizer, engine, _alone(_Failing()))
    found = broken.assess("the weather is nice", SessionRisk())
    assert found.failed_layers == ("classifier",)
    assert found.level is RiskLevel.LOW


def test_the_span_is_the_window() -> None:
    match = _alone(_Encoder("x")).find(_plain("x marks"), _NO_SUSPICION)[0]
    assert (match.start, match.end) == (0, 7)


def test_an_empty_message_is_not_embedded() -> None:
    encoder = _Encoder("x")
    assert _alone(encoder).find(_plain("  "), _NO_SUSPICION) == []
    assert encoder.seen == []


def test_a_short_message_is_one_window() -> None:
    assert telling_windows("short. text.", _NO_SUSPICION) == [(0, "short. text.")]


def test_the_most_suspicious_window_of_a_long_message_is_kept() -> None:
    text = "".join(f"sentence number {i:03d} is here. " for i in range(100))
    offset = text.index("sentence number 050")
    windows = telling_windows(text, {offset: 9})
    assert any(start <= offset < start + len(part) for start, part in windows)
    assert all(len(part) <= WINDOW for _, part in windows)
    assert all(text[start : start + len(part)] == part for start, part in windows)


def test_a_chinese_window_holds_fewer_characters() -> None:
    windows = telling_windows("今天也下雨了，我在家里等你。" * 60, _NO_SUSPICION)
    assert len(windows) > 1
    assert all(len(part) <= CHINESE_WINDOW for _, part in windows)


def test_the_committed_head_belongs_to_e5() -> None:
    with pytest.raises(HeadMismatchError):
        load_classifier([_Encoder("x", name="minilm")])


def test_without_an_encoder_the_classifier_is_off(assessor: RiskAssessor) -> None:
    assert assessor.classifier_status() == "off"


def test_while_it_loads_nothing_waits_and_nothing_fails() -> None:
    classifier = BackgroundClassifier(lambda: _alone(_Encoder("x")))
    assert classifier.status() == "loading"
    assert classifier.find(_plain("x"), _NO_SUSPICION) == []
    classifier.start().join(timeout=10)
    assert classifier.status() == "ready"
    assert classifier.find(_plain("x"), _NO_SUSPICION)


def test_a_failed_load_is_a_failed_layer() -> None:
    def load() -> list[SentenceEncoder]:
        raise OSError("no wheel")

    assessor = load_assessor(load, wait=True)
    assert assessor.classifier_status() == "failed"
    assert "classifier" in assessor.assess("hello", SessionRisk()).failed_layers


def test_written_messages_are_the_same_for_one_seed() -> None:
    assert written_messages(2, 7) == written_messages(2, 7)


def test_written_messages_cover_both_languages_and_all_levels() -> None:
    seen = {(message.lang, message.level) for message in written_messages(1, 7)}
    assert seen == {(lang, level) for lang in ("en", "zh") for level in RiskLevel}


def test_no_written_message_keeps_a_bracket() -> None:
    assert not any("[" in message.text or "|" in message.text for message in written_messages(4, 7))
