from app.chat.stores import _parts  # pyright: ignore[reportPrivateUsage]
from models.failure_checks import FailureValues
from models.novelty import TacticHistory
from models.rerank import TERMS, RankInput, RerankWeights, rerank
from models.scorer import ReplyFeatures

FAILURES = FailureValues(generic=0.8, tone=0.123456, invented=0.5)
FEATURES = ReplyFeatures(("I hear you.",), (frozenset(),), quality=4.0, failures=FAILURES)


def stored(risk: int) -> dict[str, float | str | None]:
    ranking = rerank([RankInput(0, FEATURES)], TacticHistory(), RerankWeights(generic=0.5), risk)
    return _parts(ranking.explanations[0], FEATURES)


def test_every_term_and_every_check_is_stored_by_name() -> None:
    found = stored(risk=0)
    assert set(TERMS) <= set(found)
    assert found["generic"] == -0.4
    assert found["check:generic"] == 0.8
    assert found["check:tone"] == 0.1235
    assert found["invented"] == -0.3
    assert found["check:invented"] == 0.5


def test_at_risk_what_the_checks_say_is_stored_though_it_costs_nothing() -> None:
    found = stored(risk=3)
    assert found["generic"] == 0.0
    assert found["check:generic"] == 0.8
