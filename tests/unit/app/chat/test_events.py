"""What a person's page is told of a turn holds no tactics and no scores: those are for staff."""

import dataclasses
from typing import Any, get_args

import pytest

from app.chat import events

KINDS = [kind for kind in vars(events).values() if isinstance(kind, type) and dataclasses.is_dataclass(kind)]
FOR_STAFF = ("tactic", "quality", "score", "explanation", "novelty", "candidate", "rank")


def test_every_event_of_a_turn_is_looked_at() -> None:
    assert set(get_args(events.TurnEvent)) <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_no_event_carries_what_is_for_staff(kind: Any) -> None:
    names = " ".join(field.name for field in dataclasses.fields(kind)).lower()
    assert not [word for word in FOR_STAFF if word in names]
