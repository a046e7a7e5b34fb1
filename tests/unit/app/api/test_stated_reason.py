"""What counts as a reason."""

import pytest

from app.api.export_query import ExportQuery
from app.api.stated_reason import readable


@pytest.mark.parametrize("text", [" " * 30, "\u200b" * 30, "\u00a0\t\n" * 10, "\ufeff\u2060"])
def test_what_nobody_can_read_is_no_reason(text: str) -> None:
    assert readable(text) == ""


def test_a_reason_stays_as_it_reads() -> None:
    assert readable("  audit\u200b of\tJune ") == "audit of June"


@pytest.mark.parametrize("name", ["model", "language", "since"])
@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_filter_is_no_filter(name: str, blank: str) -> None:
    assert getattr(ExportQuery.model_validate({name: blank}), name) is None
