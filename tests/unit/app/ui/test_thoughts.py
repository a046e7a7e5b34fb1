"""Staff see what a model thought before each reply, in sections with headings."""

import pytest

from app.db.records import NewCandidate
from app.ui.staff_texts import load_staff_texts
from app.ui.thoughts import thoughts_markup
from models.ecot_form import read_ecot

TEXTS = load_staff_texts()
OUTPUT = (
    "<thinking><situation>她<b>失业</b>了</situation><motivation>想被理解</motivation>"
    "<strategy>先共情</strategy></thinking><answer>听起来真的很难。</answer>"
)


def chosen(reasoning: str | None, **explanation: float | str | None) -> tuple[int, NewCandidate]:
    return 2, NewCandidate(0, "听起来真的很难。", chosen=True, reasoning=reasoning, explanation=explanation)


@pytest.mark.parametrize(
    ("locale", "headings"),
    [("en", ["Situation", "Motivation", "Strategy"]), ("zh", ["处境", "动机", "策略"])],
)
def test_each_section_has_its_heading_in_the_language_of_the_page(locale: str, headings: list[str]) -> None:
    markup = thoughts_markup([chosen(read_ecot(OUTPUT).reasoning)], TEXTS[locale])
    texts = ["她&lt;b&gt;失业&lt;/b&gt;了", "想被理解", "先共情"]
    wanted = "".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in zip(headings, texts, strict=True))
    assert f"<dl>{wanted}</dl>" in markup


def test_reasoning_without_sections_is_shown_as_it_is() -> None:
    markup = thoughts_markup([chosen("just <i>this</i>")], TEXTS["en"])
    assert "<dt>Other reasoning</dt><dd>just &lt;i&gt;this&lt;/i&gt;</dd>" in markup


def test_a_repair_and_a_second_sample_are_told() -> None:
    explained = chosen("x", format_reward=0.7667, format_repairs="answer_opened, answer_closed", attempt=2)
    markup = thoughts_markup([explained], TEXTS["en"])
    assert "format reward 0.77" in markup
    assert "repaired: the start of the answer was missing and the end of the answer was missing" in markup
    assert "second sample" in markup


def test_replies_are_numbered_as_in_the_conversation() -> None:
    markup = thoughts_markup([chosen(None), (24, chosen("second")[1])], TEXTS["en"])
    first, second = markup.split("<li>")[1:]
    assert "Reply <a href='#hk-message-2'>#2</a>" in first
    assert "No reasoning is stored" in first
    assert "Reply <a href='#hk-message-24'>#24</a>" in second


def test_where_no_model_thinks_nothing_is_shown() -> None:
    assert thoughts_markup([chosen(None, quality=4.0)], TEXTS["en"]) == ""
