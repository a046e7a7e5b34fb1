"""Staff texts are complete in every language."""

import re

import pytest

from app.db.records import FlagOutcome, StaffRole
from app.ui.annotation_desk import REASONS
from app.ui.staff_texts import load_staff_texts
from app.ui.texts import load_texts
from models.tactics import Tactic
from safety.levels import RiskLevel

TEXTS = load_staff_texts()


def test_all_languages_have_the_same_keys() -> None:
    assert TEXTS["en"].entries.keys() == TEXTS["zh"].entries.keys()


@pytest.mark.parametrize("key", sorted(TEXTS["en"].entries))
def test_a_text_has_the_same_placeholders_in_all_languages(key: str) -> None:
    english, chinese = (set(re.findall(r"\{\w+\}", TEXTS[locale].entries[key])) for locale in ("en", "zh"))
    assert english == chinese


@pytest.mark.parametrize(
    "key",
    [f"outcome.{outcome.value}" for outcome in FlagOutcome]
    + [f"level.{level.label}" for level in RiskLevel]
    + [f"role.{role.value}" for role in StaffRole]
    + [f"reason.{reason}" for reason in REASONS]
    + [f"tactic.{tactic.value}" for tactic in Tactic],
)
def test_every_value_that_is_shown_has_a_text(key: str) -> None:
    assert TEXTS["en"].has(key)


def test_staff_choose_among_the_same_reasons_as_persons() -> None:
    assert set(load_texts()["en"].below("feedback.reasons")) == set(REASONS)
