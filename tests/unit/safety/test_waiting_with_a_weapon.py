"""Somebody who will wait for a person with a weapon is imminent; tools, games and shops are not."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import load_assessor

DANGER = (
    "Tomorrow I'll wait outside his office with my dad's hunting knife.",
    "im going to be waiting for her after work with a hammer",
    "tonight i will stand outside their house with petrol",
    "I'm waiting outside his flat with a knife in my bag",
    "明天我就带着刀在公司楼下等他",
    "我去他家门口堵他，手里拿着一把斧头",
)
CALM = (
    "I'll wait outside his office with my dad's umbrella.",
    "tomorrow i will wait for him at the knife shop with my brother",
    "we're standing outside their house with a cake and a cake knife shop voucher",
    "I'm waiting for the plumber and a hammer from the neighbour",
    "明天我带着蛋糕在公司楼下等他",
    "我去他家门口等他，手里拿着一束花",
)


@pytest.mark.parametrize("text", DANGER)
def test_waiting_for_a_person_with_a_weapon_is_imminent(text: str) -> None:
    assert load_assessor().assess(text, SessionRisk()).level == RiskLevel.IMMINENT


@pytest.mark.parametrize("text", CALM)
def test_waiting_with_anything_else_is_calm(text: str) -> None:
    assert load_assessor().assess(text, SessionRisk()).level < RiskLevel.MODERATE
