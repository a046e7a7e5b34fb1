import math

import numpy as np
import pytest

from models.tactics import Tactic
from models.tagger import CHINESE_SHIFT, TacticTagger
from tests.fakes.encoder import FakeEncoder
from tests.fakes.heads import tactic_head


def test_probability_is_the_logistic_of_the_logit() -> None:
    tagger = TacticTagger(FakeEncoder(), tactic_head(bias=1.0))
    assert tagger.probabilities([["I hear you."]])[0][0, 0] == pytest.approx(1 / (1 + np.exp(-1)))


def test_a_tactic_is_found_from_its_threshold() -> None:
    thresholds = np.full(10, 0.9, np.float32)
    thresholds[list(Tactic).index(Tactic.ADVICE)] = 0.7
    tagger = TacticTagger(FakeEncoder(), tactic_head(bias=1.0, thresholds=thresholds))
    assert tagger.tag([["Rest a little."]]) == [[frozenset({Tactic.ADVICE})]]


def test_without_learned_weights_the_likeliest_sentence_and_its_threshold_say_what_a_reply_carries() -> None:
    # Logit 1 in each sentence: odds e against the threshold's 4.
    tagger = TacticTagger(FakeEncoder(), tactic_head(threshold=0.8, bias=1.0))
    found = tagger.read([["Rest.", "Sleep."]])[0].chances
    assert found[Tactic.ADVICE] == pytest.approx(math.e / (math.e + 4), abs=1e-5)


def test_a_head_may_say_how_a_whole_reply_is_read() -> None:
    weights = np.tile(np.array([0.5, 0.0, 2.0], np.float32), (10, 1))
    tagger = TacticTagger(FakeEncoder(), tactic_head(threshold=0.8, bias=0.0, presence=weights))
    # Two sentences of one half: at least one has odds of 3; logit 0.5 + 2 ln 3.
    found = tagger.read([["Rest.", "Sleep."]])[0].chances
    assert found[Tactic.ADVICE] == pytest.approx(9 * math.e**0.5 / (1 + 9 * math.e**0.5), abs=1e-5)


def test_marks_alone_have_no_tactic() -> None:
    tagger = TacticTagger(FakeEncoder(), tactic_head(threshold=0.1))
    assert tagger.tag([["I hear you.", "2."]])[0][1] == frozenset()


def test_an_emoji_can_carry_a_tactic() -> None:
    tagger = TacticTagger(FakeEncoder(), tactic_head(threshold=0.1))
    assert Tactic.EMOTIONAL_EXPRESSION in tagger.tag([["I hear you.", "💛"]])[0][1]


def test_a_reply_without_sentences_has_no_tactics() -> None:
    assert TacticTagger(FakeEncoder(), tactic_head()).tag([[], ["Yes."]])[0] == []


def test_each_reply_keeps_its_own_sentences() -> None:
    read = TacticTagger(FakeEncoder(), tactic_head()).read([["One.", "Two."], ["Three."]])
    assert [len(one.vectors) for one in read] == [2, 1]


@pytest.mark.parametrize(("sentence", "moved"), [("我在这里。", True), ("I am here.", False)])
def test_only_chinese_is_moved(sentence: str, moved: bool) -> None:
    shift = np.full(8, 5.0, np.float32)
    tagger = TacticTagger(FakeEncoder(), tactic_head(**{CHINESE_SHIFT: shift}))
    whole = tagger.read([[sentence]])[0].whole
    assert bool(whole.min() > 4.0) is moved
