"""What counts as a reason."""

import pytest

from app.api.export_query import ExportQuery
from app.api.stated_reason import readable, tells_why


@pytest.mark.parametrize("text", [" " * 30, "\u200b" * 30, "\u00a0\t\n" * 10, "\ufeff\u2060"])
def test_what_nobody_can_read_is_no_reason(text: str) -> None:
    assert readable(text) == ""


def test_a_reason_stays_as_it_reads() -> None:
    assert readable("  audit\u200b of\tJune ") == "audit of June"


@pytest.mark.parametrize(
    "text",
    [
        "a" * 24,
        "again again again again",
        "Study study STUDY study!",
        "!" * 30,
        "a b c d e f g h i j k",
        "好" * 24,
    ],
)
def test_one_word_again_and_again_is_no_reason(text: str) -> None:
    assert not tells_why(text, 20)


@pytest.mark.parametrize(
    "text",
    [
        "Ethics vote 12/2026, missed crises",
        "improving-the-rules of spring",
        "用于研究危机识别漏报情况，伦理审查编号二零二六",
    ],
)
def test_some_words_are_a_reason(text: str) -> None:
    assert tells_why(text, 20)


def test_a_few_words_may_still_be_too_short() -> None:
    assert not tells_why("for my study", 20)


@pytest.mark.parametrize("name", ["model", "language", "since"])
@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_filter_is_no_filter(name: str, blank: str) -> None:
    assert getattr(ExportQuery.model_validate({name: blank}), name) is None
