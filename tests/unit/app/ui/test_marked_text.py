"""A message with what was found in it stays readable as it was written."""

import re

from app.ui.marked_text import marked_text
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskCategory, RiskLevel, RiskMatch

ZH = load_staff_texts()["zh"]
TEXT = "他又打我了，我不敢回家"


def a_match(words: str, rule: str) -> RiskMatch:
    start = TEXT.index(words)
    return RiskMatch(RiskLevel.MODERATE, RiskCategory.ABUSE, "rules", rule, start, start + len(words))


def test_nothing_stands_between_the_words_of_a_person() -> None:
    shown = marked_text(TEXT, [a_match("打我", "zh.abuse"), a_match("不敢回家", "zh.fear")], ZH)
    line, notes = shown.split("<ul")
    assert re.sub("<[^>]*>", "", line) == TEXT
    assert "<mark>打我</mark>了，我<mark>不敢回家</mark>" in line
    assert "<li>“打我”——发现方式：规则: zh.abuse</li><li>“不敢回家”——发现方式：规则: zh.fear</li>" in notes


def test_overlapping_findings_share_a_mark_and_have_a_note_each() -> None:
    shown = marked_text(TEXT, [a_match("打我了", "zh.one"), a_match("我了，我", "zh.two")], ZH)
    assert "他又<mark>打我了，我</mark>不敢回家" in shown
    assert shown.count("<li>") == 2


def test_two_findings_of_the_same_words_share_a_note() -> None:
    shown = marked_text(TEXT, [a_match("打我", "zh.one"), a_match("打我", "zh.two")], ZH)
    assert "“打我”——发现方式：规则: zh.one, 规则: zh.two" in shown


def test_quoted_words_can_not_become_markup() -> None:
    match = RiskMatch(RiskLevel.MODERATE, RiskCategory.ABUSE, "rules", "<i>", 2, 5)
    shown = marked_text("a <b>x</b>", [match], ZH)
    assert "<b>" not in shown
    assert "<i>" not in shown
