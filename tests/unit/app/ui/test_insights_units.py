"""Times on the insights page, in the language of the page."""

import pytest

from app.db.insights_read import Choice
from app.db.insights_records import Figure
from app.insights import Line, Panel, Summary
from app.ui.insights_markup import duration, panel_card, summary_table
from app.ui.staff_texts import load_staff_texts

TEXTS = load_staff_texts()


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (None, "–", "–"),
        (31, "31 s", "31 秒"),
        (264, "4.4 min", "4.4 分钟"),
        (9000, "2.5 h", "2.5 小时"),
    ],
)
def test_a_wait_is_told_in_the_largest_unit(seconds: float | None, english: str, chinese: str) -> None:
    assert duration(seconds, TEXTS["en"]) == english
    assert duration(seconds, TEXTS["zh"]) == chinese


@pytest.mark.parametrize(("locale", "told"), [("en", "2.3 s"), ("zh", "2.3 秒")])
def test_seconds_of_replies_have_their_unit_wherever_they_stand(locale: str, told: str) -> None:
    names = ("conversations", "replies", "fallbacks", "blocked", "up", "down", "quality", "stickiness")
    row = Summary("", {**dict.fromkeys(names, "1"), "median": "2.3", "slow": "–"})
    table = summary_table(row, [row], [row], TEXTS[locale])
    assert table.count(f"<td>{told}</td><td>–</td>") == 3
    lines = (Line("median", (2.3,), ("2.3",), "2.3"),)
    panel = Panel(Figure.LATENCY, ("2026-11-27",), False, lines, ())
    card = panel_card(panel, Choice(7, None, None), 5, TEXTS[locale])
    assert card.count(told) == 2


def test_a_measure_without_a_unit_has_none() -> None:
    panel = Panel(Figure.QUALITY, ("2026-11-27",), False, (Line("all", (3.2,), ("3.20",), "3.20"),), ())
    assert "3.20 s" not in panel_card(panel, Choice(7, None, None), 5, TEXTS["en"])
