"""A turn over a database that refuses a step, or is locked: help comes all the same."""

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from app.chat.events import Done, HelplineShown, MessageStored, TurnEvent, TurnFailed
from models.chat_model import ChatMessage
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import a_world

CRISIS = "I want to kill myself tonight"


def one(_: Sequence[ChatMessage], count: int) -> list[str]:
    return ["4.5 I hear how much this weighs on you."] * count


def refuse(folder: Path, step: str, table: str) -> None:
    with closing(sqlite3.connect(folder / "test.sqlite3")) as db:
        db.execute(
            f"CREATE TRIGGER full BEFORE {step} ON {table} BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
        )
        db.commit()


def shown(events: list[TurnEvent]) -> list[HelplineShown]:
    return [event for event in events if isinstance(event, HelplineShown)]


@pytest.mark.parametrize(
    ("step", "table"),
    [
        ("INSERT", "messages"),
        ("UPDATE", "messages"),
        ("INSERT", "risk_assessments"),
        ("INSERT", "flags"),
        ("INSERT", "referrals"),
        ("UPDATE", "sessions"),
    ],
)
async def test_help_comes_whichever_table_refuses(tmp_path: Path, step: str, table: str) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        refuse(tmp_path, step, table)

        events = await world.take(session, CRISIS)

    assert "988" in {line.call for line in shown(events)[0].card.lines}
    end = events[-1]
    assert isinstance(end, TurnFailed)
    stored = [event.message_id for event in events if isinstance(event, MessageStored)]
    assert end.message_id == (stored[0] if stored else None)


async def test_a_calm_message_that_is_refused_shows_no_card(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        refuse(tmp_path, "INSERT", "messages")

        events = await world.take(session, "I made soup today")

    assert events == [TurnFailed(None, "internal", retryable=True)]


async def test_help_does_not_wait_for_a_locked_file(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await world.turns.help_for("hello", "US", "en")  # the rules are read by now
        with closing(sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            stream = world.turns.run(session, CRISIS)
            first = await asyncio.wait_for(anext(stream), 10)
            waited = time.monotonic() - begun
            assert isinstance(first, HelplineShown)
            assert first.message_id is None
            assert waited < 5  # the lock would be waited for 15 seconds
            other.execute("ROLLBACK")
            rest = [event async for event in stream]

    assert isinstance(rest[0], MessageStored)
    assert isinstance(rest[-1], Done)
    assert shown(rest)[0].message_id == rest[0].message_id
