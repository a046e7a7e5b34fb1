"""Reward functions against values computed by hand."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from models.chat_model import ChatMessage
from models.tactics import Tactic, TacticCounts
from models.training.group_reward import group_rewards, shows_labels
from models.training.reward_guards import (
    incoherence,
    is_unfinished,
    repeated_share,
    shared_openings,
    shared_sentences,
)
from models.training.rewards import (
    coherence_guard,
    contradiction,
    mindchat_reward,
    mint_reward,
    openings,
    quality_rating,
    repetition,
    specificity,
    stock,
    unfinished,
)

A, V, Q = Tactic.ADVICE, Tactic.VALIDATION, Tactic.QUESTIONING
ORDER = list(Tactic)


@dataclass(frozen=True)
class Found:
    """What a scorer would say of a reply."""

    counts: TacticCounts
    quality: float


KNOWN = {
    "Validates.": Found({V: 1}, 4.0),
    "Asks.": Found({Q: 1}, 2.0),
    "Nothing.": Found({}, 3.0),
    "[Validation] Validates.": Found({V: 1}, 4.0),
}


def measure(turns: Sequence[Sequence[ChatMessage]], replies: Sequence[str]) -> list[Found]:
    assert len(turns) == len(replies)
    return [KNOWN.get(reply, Found({}, 1.0)) for reply in replies]


def said(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def row(counts: TacticCounts) -> list[int]:
    return [counts.get(tactic, 0) for tactic in Tactic]


def test_the_reward_is_scaled_quality_plus_scaled_divergence_within_the_group() -> None:
    """Previous turn {V: 1}: p(V) = 1.1/2 = 0.55 and 0.05 for the others.

    The same tactic again: D = 0. Asking: D = 0.55 ln(0.55/0.05) + 0.05 ln(0.05/0.55) = 0.5 ln 11. No
    tactic: 0 by rule. So D' = 0, 1, 0; Q = 4, 2, 3 gives Q' = 1, 0, 0.5.
    """
    reward = mint_reward(measure)
    found = reward(
        ["Validates.", "Asks.", "Nothing."],
        key=["a"] * 3,
        turns=[said("Hi")] * 3,
        previous=[row({V: 1})] * 3,
    )
    assert found == pytest.approx([1.0, 1.0, 0.5])


def test_the_logged_divergence_is_the_unscaled_one() -> None:
    logged: dict[str, float] = {}
    mint_reward(measure)(
        ["Validates.", "Asks."],
        key=["a"] * 2,
        turns=[said("Hi")] * 2,
        previous=[row({V: 1})] * 2,
        log_metric=logged.__setitem__,
    )
    assert logged == pytest.approx({"quality": 3.0, "divergence": 0.25 * math.log(11), "words": 1.0})


def test_replies_to_different_prompts_are_scaled_apart_wherever_they_stand() -> None:
    reward = mint_reward(measure, novelty=0.0)
    found = reward(
        ["Validates.", "Nothing.", "Asks.", "Validates."],
        key=["a", "b", "a", "b"],
        turns=[said("Hi")] * 4,
        previous=[row({})] * 4,
    )
    assert found == pytest.approx([1.0, 0.0, 0.0, 1.0])


def test_novelty_counts_by_lambda() -> None:
    columns = {"key": ["a"] * 2, "turns": [said("Hi")] * 2, "previous": [row({V: 1})] * 2}
    texts = ["Validates.", "Asks."]
    assert mint_reward(measure, novelty=2.0)(texts, **columns) == pytest.approx([1.0, 2.0])


def test_a_group_that_does_not_differ_has_halves() -> None:
    assert group_rewards([("One.", {A: 1}, 3.0)] * 2, [{}, {}]) == pytest.approx([1.0, 1.0])


def test_a_long_reply_loses_in_proportion_and_labels_cost_a_fixed_penalty() -> None:
    long = "word " * 400
    assert group_rewards([(long, {}, 4.0), ("Short.", {}, 2.0)], [{}, {}]) == pytest.approx(
        [(1.0 + 0.5) * 200 / 400, 0.5]
    )
    reward = mint_reward(measure, novelty=0.0, label_penalty=0.7)
    found = reward(
        ["[Validation] Validates.", "Asks."],
        key=["a"] * 2,
        turns=[said("Hi")] * 2,
        previous=[row({})] * 2,
    )
    assert found == pytest.approx([1.0 - 0.7, 0.0])


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("**Validation:** I hear you.", True),
        ("Advice: sleep first.", True),
        ("I have some advice for you.", False),
        ("I hear you.", False),
    ],
)
def test_only_names_that_stand_as_labels_are_labels(text: str, labels: bool) -> None:
    assert shows_labels(text) is labels


def test_the_last_message_of_a_conversational_completion_is_the_reply() -> None:
    reward = mint_reward(measure, novelty=0.0)
    found = reward(
        [[{"role": "assistant", "content": "Validates."}], [{"role": "assistant", "content": "Asks."}]],
        key=["a"] * 2,
        turns=[said("Hi")] * 2,
        previous=[row({})] * 2,
    )
    assert found == pytest.approx([1.0, 0.0])


FORM = (
    "<thinking><situation>s</situation><motivation>m</motivation><strategy>t</strategy></thinking>"
    "<answer>{}</answer>"
)


def test_mindchats_reward_is_form_plus_rating_of_the_answer() -> None:
    reward = mindchat_reward(quality_rating(measure))
    outputs = [FORM.format("Validates."), "<answer>Asks.</answer>", FORM.format("")]
    found = reward(outputs, turns=[said("Hi")] * 3)
    # 1 and (4 − 1) / 4; (0.2 + 0.2 + 0) / 3 and (2 − 1) / 4; 1 and no points for an empty answer.
    assert found == pytest.approx([1.75, 0.4 / 3 + 0.25, 1.0])


def test_coherence_costs_only_below_the_floor_and_at_most_two_nats() -> None:
    known = {"likely": -1.0, "odd": -3.5, "noise": -9.0}
    guard = coherence_guard(lambda _, replies: [known[reply] for reply in replies], floor=-3.0)
    assert guard(["likely", "odd", "noise"], prompts=["p"] * 3) == pytest.approx([0.0, -0.5, -2.0])
    assert incoherence(-1.0, -math.inf) == 0.0


def test_repetition_is_the_share_of_four_word_runs_that_came_before() -> None:
    # 8 words have 5 runs of 4; the fifth is the first again.
    assert repetition(["a b c d a b c d"]) == pytest.approx([-1 / 5])
    assert repeated_share("One two three.") == 0.0
    assert repeated_share("我很难过我很难过") == pytest.approx(1 / 5)


def test_a_template_is_shared_with_other_prompts_only() -> None:
    texts = ["It sounds like a.", "It sounds like b.", "It sounds like c.", "I am sorry now."]
    # The first and second answer one prompt; of the two others, one begins alike.
    assert shared_openings(texts, ["p", "p", "q", "r"]) == pytest.approx([0.5, 0.5, 2 / 3, 0.0])
    assert openings(texts[:2], key=["p", "p"]) == [0.0, 0.0]


def test_sentences_that_stand_in_replies_to_other_prompts_cost_by_their_share() -> None:
    texts = ["Poor you. I am here.", "I am here. Go on.", "I am here.", "A cat of fifteen years."]
    # "I am here." also stands in one of the two replies to other prompts (for q and r: in two of three).
    assert shared_sentences(texts, ["p", "p", "q", "r"]) == pytest.approx([0.25, 0.25, 2 / 3, 0.0])
    assert stock(["", "I am here.", "I am here."], key=["p", "q", "q"]) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I hear you.", False),
        ('She said "stay."', False),
        ("我在听。", False),
        ("Glad you came 🙂", False),
        ("I hear", True),
        ("", True),
    ],
)
def test_a_reply_without_a_final_mark_is_unfinished(text: str, cut: bool) -> None:
    assert is_unfinished(text) is cut
    assert unfinished([text]) == [-float(cut)]


def test_specificity_and_contradiction_read_the_persons_last_message() -> None:
    turns = [[*said("Earlier I was fine"), {"role": "assistant", "content": "Hm."}, *said("My grandma died")]]
    assert specificity(["I am sorry."], turns=turns) == [-1.0]
    # Two things were told, the grandmother and the death: one, then both are taken up.
    assert specificity(["Your grandma mattered."], turns=turns) == [-0.5]
    assert specificity(["Your grandma died."], turns=turns) == [0.0]
    assert contradiction(["I'm so happy for you!"], turns=turns) == [-1.0]
    assert contradiction(["I'm so sorry."], turns=turns) == [0.0]
