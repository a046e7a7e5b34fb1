from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.failure_checks import FailureValues
from models.novelty import TacticHistory, kl_divergence, reuse
from models.rerank import TERMS, RankInput, RerankWeights, rerank
from models.scorer import ReplyFeatures
from models.tactics import Tactic

A, V, Q = Tactic.ADVICE, Tactic.VALIDATION, Tactic.QUESTIONING
AFTER_VALIDATION = TacticHistory(({V: 2},))


def candidate(
    index: int,
    quality: float,
    tactic: Tactic = V,
    *,
    similarity: float = 0.0,
    opening: bool = False,
    penalties: tuple[str, ...] = (),
    blocked: str | None = None,
    sentences: tuple[str, ...] = ("Some words.", "More words."),
) -> RankInput:
    features = ReplyFeatures(
        sentences,
        tuple(frozenset({tactic}) for _ in sentences),
        {tactic: len(sentences)},
        quality,
        similarity,
        opening,
    )
    return RankInput(index, features, penalties, blocked)


def test_without_history_quality_decides() -> None:
    assert rerank([candidate(0, 3.9, A), candidate(1, 4.0, V)], TacticHistory()).order == (1, 0)


def test_of_two_alike_the_more_novel_one_is_chosen() -> None:
    assert rerank([candidate(0, 4.0, V), candidate(1, 4.0, A)], AFTER_VALIDATION).chosen == 1


def test_novelty_is_worth_its_weight_in_points_of_quality() -> None:
    weights = RerankWeights(novelty=0.2, conversation=0.0, reuse=0.0, validation=0.0, max_quality_loss=1.0)
    close = rerank([candidate(0, 4.0, V), candidate(1, 3.81, A)], AFTER_VALIDATION, weights)
    far = rerank([candidate(0, 4.0, V), candidate(1, 3.79, A)], AFTER_VALIDATION, weights)
    assert (close.chosen, far.chosen) == (1, 0)


def test_no_more_quality_is_lost_than_allowed_however_large_the_weight() -> None:
    weights = RerankWeights(novelty=100.0, max_quality_loss=0.3)
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.69, A)], AFTER_VALIDATION, weights).chosen == 0


def test_the_limit_itself_may_be_lost() -> None:
    weights = RerankWeights(novelty=100.0, max_quality_loss=0.3)
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.7, A)], AFTER_VALIDATION, weights).chosen == 1


def test_a_tactic_used_again_costs_points() -> None:
    ranking = rerank([candidate(0, 4.0, V)], AFTER_VALIDATION, RerankWeights(reuse=0.2))
    assert ranking.explanations[0].terms["reuse"] == pytest.approx(-0.2 * reuse({V: 1.0}, {V: 1.0}))


def test_a_tactic_that_may_not_be_there_costs_its_chance() -> None:
    unsure = candidate(0, 4.0, V)
    unsure = replace(unsure, features=replace(unsure.features, chances={V: 0.25, A: 0.5}))
    terms = rerank([unsure], AFTER_VALIDATION, RerankWeights(reuse=0.2, tactics=0.1)).explanations[0].terms
    assert terms["reuse"] == pytest.approx(-0.2 * reuse({V: 0.25}, {V: 1.0}))
    assert terms["tactics"] == pytest.approx(-0.1 * 0.75)


def test_what_the_last_reply_may_have_done_counts_by_its_chance_and_not_by_its_count() -> None:
    known = candidate(0, 4.0, V)
    known = replace(known, features=replace(known.features, previous={V: 0.5, A: 1.0}))
    terms = rerank([known], AFTER_VALIDATION, RerankWeights(reuse=0.2)).explanations[0].terms
    assert terms["reuse"] == pytest.approx(-0.2 * reuse({V: 1.0}, {V: 1.0}) / 2)


def test_a_tactic_that_is_seldom_chosen_costs_more_when_it_comes_back() -> None:
    shares = {tactic: 0.07 if tactic is V else 0.97 for tactic in Tactic}
    weights = RerankWeights(reuse=0.19, chosen=shares)
    assert rerank([candidate(0, 4.0, V)], AFTER_VALIDATION, weights).explanations[0].terms[
        "reuse"
    ] == pytest.approx(-1.0)


def test_every_tactic_of_a_reply_costs_points_before_any_came_back() -> None:
    weights = RerankWeights(tactics=0.1)
    more = candidate(1, 4.0, V)
    more = replace(more, features=replace(more.features, counts={V: 2, A: 1}))
    one, two = rerank([candidate(0, 4.0, V), more], TacticHistory(), weights).explanations
    assert (one.terms["tactics"], two.terms["tactics"]) == (pytest.approx(-0.1), pytest.approx(-0.2))


def test_without_a_last_turn_nothing_is_used_again() -> None:
    assert rerank([candidate(0, 4.0, V)], TacticHistory()).explanations[0].terms["reuse"] == 0.0


@pytest.mark.parametrize("risk", [2, 3])
def test_at_risk_tactics_used_again_cost_nothing(risk: int) -> None:
    weights = RerankWeights(reuse=5.0)
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.99, A)], AFTER_VALIDATION, weights, risk).chosen == 0


def test_the_constraint_holds_whatever_quality_weighs() -> None:
    weights = RerankWeights(quality=0.0, novelty=100.0, max_quality_loss=0.3)
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.6, A)], AFTER_VALIDATION, weights).chosen == 0


@pytest.mark.parametrize("risk", [2, 3])
def test_at_risk_novelty_does_not_count(risk: int) -> None:
    weights = RerankWeights(novelty=1.0)
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.99, A)], AFTER_VALIDATION, weights, risk).chosen == 0


def test_at_low_risk_novelty_counts() -> None:
    assert rerank([candidate(0, 4.0, V), candidate(1, 3.99, A)], AFTER_VALIDATION, risk=1).chosen == 1


def test_at_risk_repeated_guidance_costs_nothing() -> None:
    repeated = candidate(0, 4.0, similarity=1.0, opening=True)
    assert rerank([repeated, candidate(1, 3.99)], AFTER_VALIDATION, risk=3).chosen == 0


def test_repeated_wording_costs_points() -> None:
    group = [candidate(0, 4.0, similarity=1.0), candidate(1, 3.9)]
    assert rerank(group, AFTER_VALIDATION, RerankWeights(repetition=0.3)).chosen == 1


def test_a_repeated_opening_costs_points() -> None:
    ranking = rerank(
        [candidate(0, 4.0, opening=True)],
        AFTER_VALIDATION,
        RerankWeights(opening=0.1, reuse=0.0, validation=0.0),
    )
    assert ranking.explanations[0].total == pytest.approx(3.9)


def test_wording_counts_from_the_threshold_linearly() -> None:
    weights = RerankWeights(repetition=1.0, repetition_from=0.8)
    ranking = rerank([candidate(0, 4.0, similarity=0.9)], TacticHistory(), weights)
    assert ranking.explanations[0].terms["repetition"] == pytest.approx(-0.5)


def test_penalties_are_told_by_name() -> None:
    ranking = rerank([candidate(0, 4.0, penalties=("list", "odd"))], TacticHistory())
    weights = RerankWeights()
    assert ranking.explanations[0].penalties == {
        "list": weights.penalties["list"],
        "odd": weights.default_penalty,
    }


def test_a_penalty_lowers_the_quality_that_the_constraint_sees() -> None:
    weights = RerankWeights(novelty=100.0, max_quality_loss=0.3)
    fine, label = candidate(0, 4.0, V), candidate(1, 4.0, A, penalties=("visible_label",))
    assert rerank([fine, label], AFTER_VALIDATION, weights).chosen == 0


@pytest.mark.parametrize("risk", [0, 3])
def test_blocked_and_empty_candidates_are_never_chosen(risk: int) -> None:
    group = [candidate(0, 5.0, blocked="toxicity"), candidate(1, 5.0, sentences=()), candidate(2, 1.0)]
    assert rerank(group, AFTER_VALIDATION, risk=risk).order == (2,)


def test_when_none_can_be_shown_none_is_chosen() -> None:
    assert rerank([candidate(0, 5.0, blocked="toxicity")], TacticHistory()).chosen is None


def test_an_empty_group_has_no_choice() -> None:
    assert rerank([], TacticHistory()).order == ()


def test_a_blocked_candidate_does_not_set_the_scale_of_novelty() -> None:
    group = [candidate(0, 4.0, V), candidate(1, 4.0, A, blocked="toxicity")]
    assert rerank(group, AFTER_VALIDATION).explanations[0].terms["novelty"] == 0.0


def test_the_reason_for_exclusion_is_told() -> None:
    group = [candidate(0, 5.0, blocked="toxicity:insult"), candidate(1, 5.0, sentences=())]
    assert [e.excluded for e in rerank(group, TacticHistory()).explanations] == [
        "blocked: toxicity:insult",
        "empty",
    ]


def test_the_explanation_tells_the_divergence() -> None:
    ranking = rerank([candidate(0, 4.0, A)], AFTER_VALIDATION)
    assert ranking.explanations[0].divergence == kl_divergence({A: 2}, {V: 2})


def test_equal_candidates_keep_their_order() -> None:
    assert rerank([candidate(i, 4.0) for i in range(3)], AFTER_VALIDATION).order == (0, 1, 2)


GROUPS = st.lists(
    st.builds(
        candidate,
        st.just(0),
        st.floats(1, 5),
        st.sampled_from(list(Tactic)),
        similarity=st.floats(-1, 1),
        opening=st.booleans(),
        penalties=st.lists(st.sampled_from(["list", "unfinished", "other"]), unique=True).map(tuple),
        blocked=st.sampled_from([None, None, "toxicity"]),
    ),
    max_size=8,
).map(lambda group: [RankInput(i, c.features, c.penalties, c.blocked) for i, c in enumerate(group)])


@given(GROUPS, st.integers(0, 3), st.floats(0, 10))
def test_order_holds_exactly_what_can_be_shown(group: list[RankInput], risk: int, novelty: float) -> None:
    ranking = rerank(group, AFTER_VALIDATION, RerankWeights(novelty=novelty), risk)
    assert sorted(ranking.order) == [c.index for c in group if c.blocked is None]


@given(GROUPS, st.floats(0, 10), st.floats(0, 1))
def test_the_choice_is_never_worse_than_the_constraint(
    group: list[RankInput], novelty: float, loss: float
) -> None:
    weights = RerankWeights(novelty=novelty, max_quality_loss=loss)
    ranking = rerank(group, AFTER_VALIDATION, weights)
    net = {e.index: e.quality - sum(e.penalties.values()) for e in ranking.explanations if e.excluded is None}
    assert ranking.chosen is None or net[ranking.chosen] >= max(net.values()) - loss - 1e-6


@given(GROUPS, st.integers(0, 3))
def test_the_total_is_the_sum_of_its_terms(group: list[RankInput], risk: int) -> None:
    for e in rerank(group, AFTER_VALIDATION, risk=risk).explanations:
        assert e.total == pytest.approx(e.quality + sum(e.terms.values()) - sum(e.penalties.values()))


@given(GROUPS, st.randoms(), st.integers(0, 3))
def test_the_order_of_the_group_does_not_matter(group: list[RankInput], random: Random, risk: int) -> None:
    shuffled = random.sample(group, len(group))
    totals = {e.index: e.total for e in rerank(group, AFTER_VALIDATION, risk=risk).explanations}
    again = {e.index: e.total for e in rerank(shuffled, AFTER_VALIDATION, risk=risk).explanations}
    assert again == pytest.approx(totals)


@given(GROUPS, st.floats(0.01, 2), st.integers(0, 3))
def test_more_quality_never_makes_a_place_worse(group: list[RankInput], more: float, risk: int) -> None:
    order = rerank(group, AFTER_VALIDATION, risk=risk).order
    for index in order:
        raised = [
            replace(c, features=replace(c.features, quality=c.features.quality + more * (c.index == index)))
            for c in group
        ]
        assert rerank(raised, AFTER_VALIDATION, risk=risk).order.index(index) <= order.index(index)


def named(one: RankInput, **features: float | bool) -> RankInput:
    return replace(one, features=replace(one.features, **features))


def test_the_whole_conversation_counts_with_decay() -> None:
    history = TacticHistory(({A: 1}, {Q: 1}))
    weights = RerankWeights(novelty=0.0, reuse=0.0, premature=0.0, conversation=0.1)
    # Both differ from the last turn; advice was there before, empowerment never.
    group = [candidate(0, 4.0, A), candidate(1, 4.0, Tactic.EMPOWERMENT)]
    assert rerank(group, history, weights).chosen == 1
    assert rerank(group, history, replace(weights, decay=0.0)).chosen == 0


def test_specifics_left_out_cost_points() -> None:
    group = [named(candidate(0, 4.0, A), missed=1.0), candidate(1, 3.95, A)]
    assert rerank(group, TacticHistory(({V: 1},)), RerankWeights(missed=0.1)).chosen == 1


def test_the_same_again_in_other_words_costs_points() -> None:
    group = [named(candidate(0, 4.0, A), restated=1.0), candidate(1, 3.95, A)]
    assert rerank(group, TacticHistory(({V: 1},)), RerankWeights(restated=0.1)).chosen == 1
    assert rerank(group, TacticHistory(({V: 1},)), RerankWeights(restated=0.1), risk=2).chosen == 0


FAILURES = [
    FailureValues(premature_advice=1.0),
    FailureValues(over_validation=1.0),
    FailureValues(generic=1.0),
    FailureValues(tone=1.0),
    FailureValues(invented=1.0),
]


def failing(one: RankInput, failures: FailureValues) -> RankInput:
    return replace(one, features=replace(one.features, failures=failures))


@pytest.mark.parametrize("failures", FAILURES)
def test_a_failure_costs_points(failures: FailureValues) -> None:
    weights = RerankWeights(premature=0.1, validation=0.1, generic=0.1, tone=0.1, invented=0.1)
    group = [failing(candidate(0, 4.0, Q), failures), candidate(1, 3.95, Q)]
    assert rerank(group, TacticHistory(), weights).chosen == 1


@pytest.mark.parametrize("failures", FAILURES)
@pytest.mark.parametrize("risk", [2, 3])
def test_at_risk_no_check_for_failures_counts(failures: FailureValues, risk: int) -> None:
    weights = RerankWeights(premature=5.0, validation=5.0, generic=5.0, tone=5.0, invented=5.0)
    advice = named(failing(candidate(0, 3.8, A), failures), guidance=True)
    ranking = rerank([advice, candidate(1, 4.0, Q)], TacticHistory(), weights, risk)
    assert ranking.chosen == 0
    assert {name for name, points in ranking.explanations[0].terms.items() if points} == {"guidance"}


def test_by_default_one_invention_outweighs_a_small_lead_in_quality_and_not_a_large_one() -> None:
    one = failing(candidate(0, 4.0, Q), FailureValues(invented=0.5))
    assert rerank([one, candidate(1, 3.75, Q)], TacticHistory()).chosen == 1
    assert rerank([one, candidate(1, 3.65, Q)], TacticHistory()).chosen == 0


def test_every_term_has_a_weight_of_its_name_and_is_explained() -> None:
    explained = rerank([candidate(0, 4.0)], TacticHistory()).explanations[0].terms
    assert set(explained) == set(TERMS) <= {field.name for field in fields(RerankWeights)}


@pytest.mark.parametrize("risk", [2, 3])
def test_at_risk_safety_guidance_outweighs_quality_and_novelty(risk: int) -> None:
    group = [candidate(0, 4.4, A), named(candidate(1, 4.0, V), guidance=True)]
    ranking = rerank(group, AFTER_VALIDATION, risk=risk)
    assert ranking.chosen == 1
    assert ranking.explanations[1].terms["guidance"] == RerankWeights().guidance


def test_without_risk_guidance_counts_nothing() -> None:
    group = [candidate(0, 4.4, A), named(candidate(1, 4.0, A), guidance=True)]
    assert rerank(group, AFTER_VALIDATION, risk=1).chosen == 0


def test_a_blocked_reply_with_guidance_is_not_chosen() -> None:
    group = [named(candidate(0, 4.4, blocked="toxicity"), guidance=True), candidate(1, 2.0)]
    assert rerank(group, AFTER_VALIDATION, risk=3).chosen == 1


def test_a_lower_format_reward_costs_its_share_of_the_weight() -> None:
    whole = candidate(0, 4.0)
    ranking = rerank([replace(whole, reward=0.8), replace(whole, index=1)], TacticHistory())
    assert ranking.chosen == 1
    assert ranking.explanations[0].penalties == {"form": pytest.approx(0.1)}
    assert ranking.explanations[1].penalties == {}


def unfit(one: RankInput, value: float) -> RankInput:
    return replace(one, features=replace(one.features, unfit=value))


@pytest.mark.parametrize("risk", [0, 1, 2, 3])
def test_a_reply_that_misses_what_was_said_loses_at_every_level(risk: int) -> None:
    group = [unfit(candidate(0, 4.5), 0.9), unfit(candidate(1, 4.0), 0.1)]
    found = rerank(group, TacticHistory(), RerankWeights(unfit=2.0), risk)
    assert found.chosen == 1
    assert found.explanations[0].terms["unfit"] == pytest.approx(-1.8)


def test_empathy_for_something_else_sets_no_limit_to_what_may_be_lost() -> None:
    group = [unfit(candidate(0, 4.9, V), 1.0), candidate(1, 3.0, V), candidate(2, 2.9, A)]
    weights = RerankWeights(novelty=1.0, max_quality_loss=0.2, unfit=6.0)
    found = rerank(group, AFTER_VALIDATION, weights)
    assert [one.eligible for one in found.explanations] == [False, True, True]
    assert found.chosen == 2
