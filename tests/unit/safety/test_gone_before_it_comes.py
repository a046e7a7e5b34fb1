"""Things handed on by somebody who is gone before they arrive, and crashes that would be a relief."""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor

GONE = [
    "posted my switch to my nephew. its his now. by the time it gets there il be out of everyones hair",
    "I've left Mum's ring with a letter for Jo. By the time she opens it I'll be gone.",
    "The guitar's in the post for Sam, with a card. Before it arrives I'll be out of your way, all of you.",
    "The stamps are in the post for my grandson, his now. By the time he gets them I won't be here.",
]
RELIEF = [
    "I sit on the quad at the top of the paddock and think it'd be a relief if it just rolled.",
    "some nights driving home i think it would be a mercy if the van just went off the bridge",
    "honestly it'd be such a relief if my heart just stopped",
    "It would be a kindness if I hit black ice, that's where my head goes on the way to work",
]
CALM = [
    "posted my switch to my nephew w a note. by the time the post gets there il be on a beach in greece",
    "I've left the keys with a note. By the time the cleaner gets here I'll be gone to work.",
    "left a note for the courier, by the time he comes i'll be out",
    "Sent gran a card, by the time it arrives I'll be home with her anyway lol",
    "It'd be a relief if the market just crashed and we all stopped talking about it",
    "it would be a relief if the server went down, we could all go home",
    "it'd be a relief if the bus just came",
    "It'd be a relief if the printer just gave out so they'd buy a new one",
    "It'd be a blessing if it just tipped it down, the garden is bone dry",
]


@pytest.mark.parametrize("text", GONE)
def test_what_is_handed_on_by_somebody_who_will_be_gone_is_imminent(
    assessor: RiskAssessor, text: str
) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category.value) == (RiskLevel.IMMINENT, "suicide")


@pytest.mark.parametrize("text", RELIEF)
def test_a_crash_that_would_be_a_relief_has_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize("text", CALM)
def test_ordinary_parcels_and_reliefs_have_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE
