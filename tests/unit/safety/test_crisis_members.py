"""Two members of the classifier read side by side: the mean counts, and the first works without the other."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.encoder import CRISIS_MEMBERS
from safety.classifier import (
    HEAD_FILE,
    MEAN_FILE,
    SECOND_HEAD_FILE,
    WINDOW,
    CrisisClassifier,
    CrisisMember,
    load_classifier,
    read_mean,
)
from safety.crisis_head import CrisisHead, CrisisLimits, mean_levels
from safety.head_file import HeadMismatchError
from safety.levels import SPARE_CLASSIFIER, RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.normalize import NormalizedText, Normalizer
from safety.risk import RiskAssessor, load_assessor

_FIRST, _SECOND = CRISIS_MEMBERS
_CATEGORIES = (RiskCategory.SUICIDE, RiskCategory.ABUSE)
_CALM_WORDS = "a quiet day in the garden with tea. "


class _Encoder:
    """Gives every text the same vector and remembers what it read."""

    def __init__(self, name: str = "fake", dim: int = 1, error: Exception | None = None) -> None:
        self.name, self.dim, self.error, self.seen = name, dim, error, list[str]()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.error is not None:
            raise self.error
        self.seen += texts
        return np.ones((len(texts), self.dim), np.float32)

    def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        raise NotImplementedError


def _member(
    chances: Sequence[float],
    scores: Sequence[float] = (1, 0),
    *,
    limits: CrisisLimits | None = None,
    encoder: _Encoder | None = None,
) -> CrisisMember:
    """A member that says the same of every text."""
    tensors = {
        "mean": np.zeros(1, np.float32),
        "scale": np.ones(1, np.float32),
        "w0": np.zeros((1, 1), np.float32),
        "b0": np.zeros(1, np.float32),
        "w1": np.zeros((1, 4), np.float32),
        "b1": np.log(np.asarray(chances, np.float32)),
        "wc": np.zeros((1, 2), np.float32),
        "bc": np.asarray(scores, np.float32),
    }
    return CrisisMember(
        encoder or _Encoder(), CrisisHead(tensors, _CATEGORIES), limits or CrisisLimits(0.5, 0.5)
    )


def _find(classifier: CrisisClassifier, text: str, told: int | None = None) -> list[RiskMatch]:
    places = range(len(text) + 1)
    suspicion = {} if told is None else {told: 9}
    return classifier.find(NormalizedText(text, tuple(places[:-1]), tuple(places[1:])), suspicion)


_SURE = (0.01, 0.01, 0.97, 0.01)
_CALM = (0.97, 0.01, 0.01, 0.01)
_TORN = (0.35, 0.01, 0.63, 0.01)


def test_the_mean_is_that_of_logarithms() -> None:
    rows = [np.asarray([row], np.float32) for row in ((0.9, 0.02, 0.04, 0.04), (0.1, 0.02, 0.44, 0.44))]
    roots = np.sqrt(rows[0] * rows[1])
    assert mean_levels(rows) == pytest.approx(roots / roots.sum(), abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "level"),
    [
        (_SURE, _TORN, RiskLevel.MODERATE),
        (_TORN, _SURE, RiskLevel.MODERATE),
        (_TORN, _CALM, RiskLevel.NONE),
        (_CALM, _TORN, RiskLevel.NONE),
    ],
)
def test_two_members_are_heard_alike(
    first: Sequence[float], second: Sequence[float], level: RiskLevel
) -> None:
    found = _find(CrisisClassifier([_member(first), _member(second)], CrisisLimits(0.5, 0.5)), "hello")
    assert max((match.level for match in found), default=RiskLevel.NONE) is level


def test_the_mean_is_judged_by_limits_of_its_own() -> None:
    members = [_member(_TORN, limits=CrisisLimits(0.99, 0.5)) for _ in range(2)]
    assert _find(CrisisClassifier(members, CrisisLimits(0.6, 0.5)), "hello")
    assert not _find(CrisisClassifier(members, CrisisLimits(0.7, 0.5)), "hello")


def test_the_category_has_the_highest_mean_score() -> None:
    members = [_member(_SURE, (1, 0)), _member(_SURE, (0, 3))]
    assert _find(CrisisClassifier(members, CrisisLimits(0.5, 0.5)), "hello")[0].category is RiskCategory.ABUSE


def test_the_first_judges_alone_by_its_own_limits_where_the_second_fails() -> None:
    broken = _Encoder(error=RuntimeError("no memory"))
    first = _member(_TORN, limits=CrisisLimits(0.6, 0.5))
    classifier = CrisisClassifier([first, _member(_CALM, encoder=broken)], CrisisLimits(0.99, 0.5))
    assert _find(classifier, "hello")[0].level is RiskLevel.MODERATE
    assert not classifier.is_whole
    broken.error = None
    assert not _find(classifier, "hello")
    assert classifier.is_whole


def test_where_the_first_fails_the_layer_fails() -> None:
    broken = _member(_CALM, encoder=_Encoder(error=RuntimeError("no memory")))
    with pytest.raises(RuntimeError):
        _find(CrisisClassifier([broken, _member(_SURE)], CrisisLimits(0.5, 0.5)), "hello")


def test_a_failed_second_member_is_named_and_asks_for_no_caution(
    normalizer: Normalizer, assessor: RiskAssessor
) -> None:
    engine = assessor._engine  # pyright: ignore[reportPrivateUsage]
    broken = _member(_CALM, encoder=_Encoder(error=RuntimeError("no memory")))
    classifier = CrisisClassifier([_member(_CALM), broken], CrisisLimits(0.5, 0.5))
    found = RiskAssessor(normalizer, engine, classifier).assess("the weather is nice", SessionRisk())
    assert found.failed_layers == (SPARE_CLASSIFIER,)
    assert found.level is RiskLevel.NONE
    assert found.is_in_full


def test_a_long_message_only_the_first_reads_by_its_own_limits() -> None:
    text = _CALM_WORDS * 10 + "and then the lighthouse. " + _CALM_WORDS * 20
    told = text.index("and then")
    reads = (_Encoder(), _Encoder())
    first = _member(_TORN, encoder=reads[0], limits=CrisisLimits(0.6, 0.5))
    classifier = CrisisClassifier([first, _member(_CALM, encoder=reads[1])], CrisisLimits(0.99, 0.5))
    found = _find(classifier, text, told)
    assert [len(one.seen) for one in reads] == [2, 0]
    assert [match.level for match in found] == [RiskLevel.MODERATE] * 2
    assert found[0].start <= told < found[0].end
    assert all(match.end - match.start <= WINDOW for match in found)


def test_a_long_message_does_not_hide_that_the_second_failed() -> None:
    broken = _member(_CALM, encoder=_Encoder(error=RuntimeError("no memory")))
    classifier = CrisisClassifier([_member(_CALM), broken], CrisisLimits(0.5, 0.5))
    _find(classifier, "hello")
    _find(classifier, _CALM_WORDS * 30)
    assert not classifier.is_whole


def test_the_committed_heads_and_thresholds_belong_together() -> None:
    classifier = load_classifier([_Encoder(name, 384) for name in CRISIS_MEMBERS])
    assert classifier.is_whole


def test_a_second_member_that_does_not_load_leaves_the_first() -> None:
    first, second = _Encoder(_FIRST, 384), _Encoder(_SECOND, 384, OSError("no weights"))
    classifier = load_classifier([first, second])
    assert not classifier.is_whole
    _find(classifier, "hello")
    assert first.seen == ["hello"]


def test_readiness_tells_that_the_second_member_is_missing() -> None:
    encoders = [_Encoder(_FIRST, 384), _Encoder("e5", 384)]
    assessor = load_assessor(lambda: encoders, wait=True)
    assert assessor.classifier_status() == "ready without its second member"


def test_a_first_member_that_is_asked_for_alone_is_whole() -> None:
    assert load_classifier([_Encoder(_FIRST, 384)]).is_whole


def test_thresholds_of_other_members_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mean.json"
    file.write_text(json.dumps(json.loads(MEAN_FILE.read_text()) | {"encoders": [_FIRST, "other"]}))
    with pytest.raises(HeadMismatchError):
        read_mean(CRISIS_MEMBERS, file)


def test_the_files_of_the_members_are_apart() -> None:
    assert len({HEAD_FILE.parent, SECOND_HEAD_FILE.parent}) == 2
