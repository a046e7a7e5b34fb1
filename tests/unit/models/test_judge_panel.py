import pytest

from models.judge import Comparison, Verdict
from models.judge_panel import panel_score
from models.judge_rubrics import load_judge_texts

SUPPORT = load_judge_texts().rubrics["support"]


def all_items(grade: int) -> dict[str, int]:
    return {item.name: grade for item in SUPPORT.items}


def test_a_panel_gives_mean_and_spread_and_names_who_was_silent() -> None:
    verdicts = {
        "one": Verdict((all_items(2), all_items(4))),
        "two": Verdict((all_items(5),)),
        "three": Verdict((), ("timeout",)),
    }
    found = panel_score(verdicts, SUPPORT)
    assert found is not None
    assert found.grades["encouragement"] == 4.0
    assert found.spread["encouragement"] == 1.0
    assert found.score == pytest.approx(0.8)
    assert found.score_spread == pytest.approx(0.2)
    assert found.silent == ("three",)


def test_a_silent_panel_says_nothing() -> None:
    assert panel_score({"one": Verdict((), ("refused",))}, SUPPORT) is None


def test_an_answer_in_one_order_only_is_no_comparison() -> None:
    assert Comparison((1.0,), ()).value() is None
    assert Comparison((1.0, 1.0), (0.0, 0.5)).value() == pytest.approx(0.625)
