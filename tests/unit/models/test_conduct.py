import pytest

from models.conduct import over_validation, premature_advice
from models.novelty import TacticHistory
from models.scorer_features import ReplyFeatures
from models.tactics import Tactic, count_tactics

A, V, P, Q = Tactic.ADVICE, Tactic.VALIDATION, Tactic.PARAPHRASING, Tactic.QUESTIONING


def reply(*sentences: set[Tactic]) -> ReplyFeatures:
    tagged = tuple(map(frozenset, sentences))
    return ReplyFeatures(("Words.",) * len(tagged), tagged, count_tactics(tagged))


@pytest.mark.parametrize(
    ("sentences", "history", "value"),
    [
        ([{A}], [], 1.0),
        ([{Q}, {A}], [], 1.0),
        ([{A}, {V}], [], 1.0),
        ([{V}, {A}], [], 0.0),
        ([{A, P}], [], 0.0),
        ([{A}], [{Q: 1}], 1.0),
        ([{A}], [{V: 1}, {Q: 1}], 0.0),
        ([{Q}], [], 0.0),
    ],
)
def test_advice_needs_understanding_first(
    sentences: list[set[Tactic]], history: list[dict[Tactic, int]], value: float
) -> None:
    assert premature_advice(reply(*sentences), TacticHistory(tuple(history))) == value


@pytest.mark.parametrize(
    ("sentences", "history", "value"),
    [
        ([{V}, {V}], [], 1.0),
        ([{V}, {Q}], [], 0.0),
        ([{V}, {Q}], [{V: 1}], 0.0),
        ([{V}, {Q}], [{V: 1}, {V: 1}], 0.5),
        ([{V}, {Q}], [{V: 1}, {Q: 1}], 0.0),
        ([{Q}], [{V: 1}, {V: 1}], 0.0),
        ([set()], [{V: 1}, {V: 1}], 0.0),
    ],
)
def test_validation_alone_or_once_more_is_too_much(
    sentences: list[set[Tactic]], history: list[dict[Tactic, int]], value: float
) -> None:
    assert over_validation(reply(*sentences), TacticHistory(tuple(history))) == value
