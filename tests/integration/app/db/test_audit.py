import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.db.engine import WRITES
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store


async def test_a_line_is_read_as_recorded(store: Store, clock: FakeClock) -> None:
    entry = await store.audit.record("ada", "transcript.opened", "session", "42", {"messages": 3})
    assert (entry.at, entry.actor, entry.detail) == (clock.time, "ada", {"messages": 3})
    assert await store.audit.recent() == [entry]


async def test_the_newest_line_comes_first_and_one_can_page_on(store: Store, clock: FakeClock) -> None:
    first = await store.audit.record("ada", "a", "session")
    clock.advance(seconds=1)
    second = await store.audit.record("ada", "b", "session")
    assert await store.audit.recent() == [second, first]
    assert await store.audit.recent(after=(second.at, second.id)) == [first]


@pytest.mark.parametrize("given", [{"actor": "ada"}, {"object_type": "flag"}, {"object_id": "42"}])
async def test_lines_can_be_filtered(store: Store, given: dict[str, str]) -> None:
    wanted = await store.audit.record("ada", "x", "flag", "42")
    await store.audit.record("bob", "x", "session", "43")
    assert await store.audit.recent(**given) == [wanted]


@pytest.mark.parametrize("statement", ["UPDATE audit_log SET actor = 'nobody'", "DELETE FROM audit_log"])
async def test_the_database_refuses_to_change_or_delete_lines(store: Store, statement: str) -> None:
    entry = await store.audit.record("ada", "a", "session")
    with pytest.raises(DBAPIError, match="only grows"):
        await run(store, statement)
    assert await store.audit.recent() == [entry]


async def run(store: Store, statement: str) -> None:
    async with store.factory.begin() as db:
        await db.connection(execution_options={WRITES: True})
        await db.execute(text(statement))


@pytest.mark.parametrize(
    "name", ["text", "message_text", "password", "new_password_hash", "token", "comment"]
)
async def test_details_that_could_hold_a_text_or_secret_are_refused(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match=name):
        await store.audit.record("ada", "a", "session", detail={name: "x"})


async def test_a_detail_as_long_as_a_message_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="reason"):
        await store.audit.record("ada", "a", "session", detail={"reason": "x" * 201})
