import pytest

from models.conduct import over_validation, premature_advice
from models.failure_checks import FailureValues
from models.novelty import TacticHistory
from models.scorer_features import ReplyFeatures
from models.tactics import Tactic, count_tactics

A, V, P, Q = Tactic.ADVICE, Tactic.VALIDATION, Tactic.PARAPHRASING, Tactic.QUESTIONING


def reply(*sentences: set[Tactic], advice: float = 0.0, agreeing: float = 0.0) -> ReplyFeatures:
    tagged = tuple(map(frozenset, sentences))
    failures = FailureValues(premature_advice=advice, over_validation=agreeing)
    return ReplyFeatures(("Words.",) * len(tagged), tagged, count_tactics(tagged), failures=failures)


@pytest.mark.parametrize(
    ("history", "value"),
    [([], 0.8), ([{Q: 1}], 0.8), ([{V: 1}], 0.4), ([{P: 1}, {Q: 1}], 0.4)],
)
def test_early_advice_weighs_half_once_something_was_understood(
    history: list[dict[Tactic, int]], value: float
) -> None:
    assert premature_advice(reply({A}, advice=0.8), TacticHistory(tuple(history))) == pytest.approx(value)


@pytest.mark.parametrize(
    ("sentences", "agreeing", "history", "value"),
    [
        ([{V}, {V}], 0.9, [{Q: 1}], 0.9),
        ([{V}, {Q}], 0.1, [{V: 1}], 0.1),
        ([{V}, {Q}], 0.1, [{V: 1}, {V: 1}], 0.5),
        ([{V}, {Q}], 0.7, [{V: 1}, {V: 1}], 0.7),
        ([{V}, {Q}], 0.1, [{V: 1}, {Q: 1}], 0.1),
        ([{Q}], 0.1, [{V: 1}, {V: 1}], 0.1),
        ([set[Tactic]()], 0.1, [{V: 1}, {V: 1}], 0.1),
    ],
)
def test_validation_once_more_counts_at_least_its_share(
    sentences: list[set[Tactic]], agreeing: float, history: list[dict[Tactic, int]], value: float
) -> None:
    found = over_validation(reply(*sentences, agreeing=agreeing), TacticHistory(tuple(history)))
    assert found == pytest.approx(value)
