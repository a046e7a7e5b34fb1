"""The signs that the checks for failures are made of; what the checks are worth is measured elsewhere."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.agreeing import agreeing_signs
from models.chat_model import ChatMessage
from models.early_advice import advice_signs
from models.exchange import Exchange, answered, said_by
from models.failure_checks import SIGNS
from models.generic_reply import generic_signs
from models.read_text import read_text
from models.sentences import split_sentences
from models.tactics import Tactic
from models.tone import formality, tone_signs
from tests.fakes.encoder import FakeEncoder

A, V, P = Tactic.ADVICE, Tactic.VALIDATION, Tactic.PARAPHRASING
CENTER = np.zeros(8, np.float32)


def exchange(message: str, reply: str, *tactics: set[Tactic], missed: float = 0.0) -> Exchange:
    encoder = FakeEncoder()
    sentences = tuple(split_sentences(reply))
    tagged = [frozenset(one) for one in tactics] or [frozenset[Tactic]()] * len(sentences)
    said = encoder.encode_sentences([split_sentences(message)])[0]
    vectors = encoder.encode(sentences)
    person = said_by([ChatMessage("user", message)], said, CENTER)
    return answered(person, sentences, tagged, vectors, missed)


def test_set_phrases_are_a_sign_of_a_generic_reply() -> None:
    generic = generic_signs(exchange("My kiln cracked.", "Stay strong. It gets better, one day at a time."))
    own = generic_signs(exchange("My kiln cracked.", "The kiln, of all things. Was it full of pots?"))
    assert generic["stock"] > own["stock"]
    assert generic["none_shared"] == 1.0 > own["none_shared"]


def test_chinese_words_of_the_person_are_found_again() -> None:
    own = generic_signs(exchange("我的窑炉裂了。", "窑炉裂的时候，里面装满了吗？"))
    other = generic_signs(exchange("我的窑炉裂了。", "坚持下去，明天会好的。"))
    assert own["none_shared"] < other["none_shared"]
    assert own["stock"] < other["stock"]


def test_a_question_or_another_view_adds_something_to_agreement() -> None:
    said = "My boss hates me."
    assert agreeing_signs(exchange(said, "You're right, she clearly does."))["nothing_added"] == 1.0
    assert agreeing_signs(exchange(said, "That hurts. What did she say?"))["nothing_added"] == 0.0
    assert agreeing_signs(exchange(said, "That hurts, though it may be her day."))["no_other_view"] == 0.0


def test_saying_that_it_is_valid_again_and_again_is_more_than_saying_it_once() -> None:
    once = exchange("I cried.", "It makes sense that you cried after such a week at the hospital with him.")
    again = exchange("I cried.", "That is valid. It is totally understandable. It makes sense.")
    assert agreeing_signs(again)["validating"] > agreeing_signs(once)["validating"]


def test_advice_counts_as_heard_only_after_understanding() -> None:
    first = exchange("I can't sleep.", "Write it down. That sounds hard.", {A}, {V})
    after = exchange("I can't sleep.", "That sounds hard. Write it down.", {V}, {A})
    assert (advice_signs(first)["unheard"], advice_signs(after)["unheard"]) == (1.0, 0.0)
    assert advice_signs(first)["starts_with_order"] == 1.0 > advice_signs(after)["starts_with_order"]


def test_advice_that_was_asked_for_counts_half() -> None:
    reply = "Breathe out slowly. Try to count to ten."
    told = advice_signs(exchange("I panic at night.", reply, {A}, {A}))
    asked = advice_signs(exchange("I panic at night. What can I do?", reply, {A}, {A}))
    assert asked["orders"] == told["orders"] / 2 > 0
    assert asked["share"] == told["share"] / 2 == 0.5


@pytest.mark.parametrize(
    ("casual", "formal"),
    [
        (
            "lol idk, im so done w this haha",
            "I regret to inform you that my circumstances have deteriorated.",
        ),
        ("哈哈哈笑死，离谱", "承蒙您的关心，谨致谢意。"),
    ],
)
def test_a_letter_is_more_formal_than_chat(casual: str, formal: str) -> None:
    assert -1.0 <= formality(read_text(casual)) < 0.0 < formality(read_text(formal)) <= 1.0


def test_a_reply_as_casual_as_the_person_is_not_looser() -> None:
    chatting = tone_signs(exchange("ugh my roomie is so annoying lol", "ugh yeah that sucks lol"))
    to_a_letter = tone_signs(exchange("I regret to inform you of this burden.", "ugh yeah that sucks lol"))
    assert chatting["looser"] < to_a_letter["looser"]
    report = tone_signs(exchange("ugh my roomie is so annoying lol", "Interpersonal dynamics are indicated."))
    assert report["stiffer"] > chatting["stiffer"]


def test_cheer_to_grief_is_a_sign_and_cheer_to_joy_is_not() -> None:
    grief = tone_signs(exchange("My father died on Friday.", "Chin up! Tomorrow is a fresh start! 😊"))
    joy = tone_signs(exchange("I got in!! haha yay", "Haha yes! That is awesome! 😊"))
    assert grief["cheer_to_grief"] >= 0.5
    assert joy["cheer_to_grief"] == joy["cheer_unasked"] == 0.0


TEXTS = st.text(max_size=200)


@given(st.sampled_from(sorted(SIGNS)), TEXTS, TEXTS)
def test_signs_stay_finite_and_small_for_any_text(failure: str, message: str, reply: str) -> None:
    if split_sentences(reply):
        values = SIGNS[failure](exchange(message, reply)).values()
        assert all(-1.0 <= value <= 2.0 + 1e-5 for value in values)


@given(st.sampled_from(sorted(SIGNS)), TEXTS)
def test_the_signs_have_the_same_names_for_every_reply(failure: str, reply: str) -> None:
    one = exchange("I lost my job.", "I hear you.")
    if split_sentences(reply):
        assert set(SIGNS[failure](exchange("我失业了", reply))) == set(SIGNS[failure](one))


def test_what_the_person_wrote_earlier_counts_for_their_tone() -> None:
    one = exchange("yes.", "That is a considerable burden.")
    earlier = replace(one, said=replace(one.said, lately=read_text("lol omg my bf haha\nyes.")))
    assert tone_signs(earlier)["stiffer"] > tone_signs(one)["stiffer"]
