"""Whoever asks for another reply in a crisis gets other words."""

import pytest

from safety.crisis_reply import written_reply
from safety.levels import RiskCategory, RiskLevel


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("level", [RiskLevel.MODERATE, RiskLevel.IMMINENT])
@pytest.mark.parametrize("category", list(RiskCategory))
def test_neighbouring_replies_differ(level: RiskLevel, category: RiskCategory, locale: str) -> None:
    assert written_reply(level, category, locale, 0) != written_reply(level, category, locale, 1)
