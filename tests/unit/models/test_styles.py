"""What each style changes beside the prompt."""

import pytest

from models.novelty import TacticHistory
from models.profiles import load_profiles
from models.rerank import RankInput, RerankWeights, rerank
from models.scorer_features import FailureValues, ReplyFeatures
from models.style_effects import effect_of
from models.styles import Style
from models.tactics import Tactic

LONG = ReplyFeatures(("word " * 90,), (frozenset(),), quality=4.2)
SHORT = ReplyFeatures(("I hear you.",), (frozenset(),), quality=4.0)
ADVICE = ReplyFeatures(
    ("Make a list.",),
    (frozenset({Tactic.ADVICE}),),
    quality=4.1,
    failures=FailureValues(premature_advice=1.0),
)


def first(style: Style, *candidates: ReplyFeatures, risk: int = 0) -> int | None:
    group = [RankInput(index, features) for index, features in enumerate(candidates)]
    return rerank(group, TacticHistory(()), effect_of(style).weigh(RerankWeights()), risk).chosen


def test_balanced_changes_nothing() -> None:
    assert effect_of(Style.BALANCED).weigh(RerankWeights()) == RerankWeights()
    assert effect_of(Style.BALANCED).sampling(load_profiles()["embedded"]) is None


def test_brief_prefers_the_shorter_of_two_good_replies() -> None:
    assert first(Style.BALANCED, LONG, SHORT) == 0
    assert first(Style.BRIEF, LONG, SHORT) == 1


def test_at_risk_length_does_not_count() -> None:
    assert first(Style.BRIEF, LONG, SHORT, risk=2) == 0


def test_practical_forgives_early_advice_and_gentle_does_not() -> None:
    assert first(Style.BALANCED, ADVICE, SHORT) == 1
    assert first(Style.PRACTICAL, ADVICE, SHORT) == 0
    assert first(Style.GENTLE, ADVICE, SHORT) == 1


@pytest.mark.parametrize(
    ("key", "tokens"), [("embedded", 80), ("qwen3", 80), ("mint-4b", None), ("mindchat-r0", None)]
)
def test_brief_shortens_the_room_of_checkpoints_that_do_not_think_first(key: str, tokens: int | None) -> None:
    found = effect_of(Style.BRIEF).sampling(load_profiles()[key])
    assert (None if found is None else found.max_tokens) == tokens


@pytest.mark.parametrize("style", list(Style))
def test_every_style_has_its_entry(style: Style) -> None:
    assert effect_of(style).weigh(RerankWeights()).quality == 1.0
