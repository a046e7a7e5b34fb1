"""Staff see which tactics each reply used, in words and numbers."""

import re
from collections.abc import Mapping
from dataclasses import fields

import pytest

from app.db.records import NewCandidate
from app.ui.staff_texts import load_staff_texts
from app.ui.tactic_strip import stickiness_by_turn, strip_markup
from models.failure_checks import FailureValues
from models.novelty import TacticHistory
from models.rerank import TERMS
from models.tactics import Tactic

TEXTS = load_staff_texts()


def chosen(counts: Mapping[str, int], **explanation: float | str | None) -> tuple[int, NewCandidate]:
    """What stands behind reply #4 of a conversation."""
    return 4, NewCandidate(0, "a text", chosen=True, tactic_counts=counts, explanation=explanation)


REPLIES = [chosen({"validation": 2}, quality=4.0), chosen({"validation": 1, "advice": 3}, reuse=-0.1)]


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_tactic_has_a_row_with_its_name(locale: str) -> None:
    markup = strip_markup(REPLIES, TEXTS[locale])
    assert all(f"<th scope='row'>{TEXTS[locale](f'tactic.{tactic}')}</th>" in markup for tactic in Tactic)


def test_cells_hold_the_sentences_of_each_reply() -> None:
    row = re.search(r"Advice</th>(.*?)</tr>", strip_markup(REPLIES, TEXTS["en"]))
    assert row is not None
    assert row[1] == "<td>0</td><td class='hk-used'>3</td>"


def test_replies_go_by_their_numbers_in_the_conversation_and_lead_to_it() -> None:
    markup = strip_markup([(4, REPLIES[0][1]), (23, REPLIES[1][1])], TEXTS["en"])
    links = [f"<a href='#hk-message-{seq}'>#{seq}</a>" for seq in (4, 23)]
    assert "".join(f"<th scope='col'>{link}</th>" for link in links) in markup
    assert [line.split(":")[0] for line in markup.split("<li>")[1:]] == links


def test_stickiness_is_told_from_the_second_reply_on() -> None:
    history = TacticHistory(({Tactic.VALIDATION: 1}, {Tactic.VALIDATION: 1}, {Tactic.ADVICE: 1}))
    assert stickiness_by_turn(history) == [None, 1.0, 0.5]


def test_terms_that_are_zero_are_left_out_of_the_reason() -> None:
    markup = strip_markup([chosen({}, quality=4.0, reuse=0.0, excluded=None)], TEXTS["en"])
    assert ": predicted empathy 4.00</li>" in markup


def test_a_stored_name_is_escaped() -> None:
    assert "<b>" not in strip_markup([chosen({}, **{"penalty:<b>": -0.5})], TEXTS["en"])


def test_without_replies_it_says_so() -> None:
    assert "<table" not in strip_markup([], TEXTS["en"])


def test_a_strategy_that_was_read_is_named() -> None:
    markup = strip_markup([chosen({"questioning": 1}, quality=4.0, strategy="Question")], TEXTS["en"])
    assert "strategy: Question</li>" in markup


def test_checks_for_failures_are_told_as_shares_and_not_as_points() -> None:
    one = chosen({}, quality=4.0, generic=-0.08, **{"check:generic": 0.83, "check:tone": 0.02})
    assert (
        ": predicted empathy 4.00, could be said to anybody -0.08, signs of a failure: could be said to "
        "anybody 83%, another tone than the person&#x27;s 2%</li>"
    ) in strip_markup([one], TEXTS["en"])
    assert "不当迹象：放在谁身上都行的话 83%" in strip_markup([one], TEXTS["zh"])


def test_an_explanation_of_before_the_checks_is_told_as_it_was() -> None:
    old = chosen({}, quality=4.0, premature=-0.1, validation=-0.1, missed=-0.05)
    markup = strip_markup([old], TEXTS["en"])
    assert "advice too early -0.10" in markup
    assert "specifics left out -0.05" in markup
    assert "signs of a failure" not in markup


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_term_and_check_has_a_name_for_staff(locale: str) -> None:
    names = [f"term.{name}" for name in TERMS] + [f"check.{field.name}" for field in fields(FailureValues)]
    assert [name for name in names if not TEXTS[locale].has(name)] == []
