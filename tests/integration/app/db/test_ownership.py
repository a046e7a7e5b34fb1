"""What deleting and downloading must reach: every table that hangs on a person."""

import json

import orjson

from app.db.ownership import owned_tables
from app.db.schema import METADATA
from tests.integration.app.db.store import Store

# Accounts of staff, what was done, and how many cards a month survive a person; none holds
# anything a person wrote.
NOT_A_PERSONS = frozenset(
    {
        "staff",
        "staff_sessions",
        "audit_log",
        "referral_counts",
        "daily_figures",
        "encryption_keys",
        "job_runs",
    }
)


def test_every_table_belongs_to_a_person_or_is_known_not_to() -> None:
    owned = {table.name for table in owned_tables()}
    assert owned == set(METADATA.tables) - NOT_A_PERSONS


async def test_a_full_life_has_rows_in_every_table(store: Store) -> None:
    await store.full_life(await store.person())
    assert 0 not in (await store.rows(without=NOT_A_PERSONS)).values()


async def test_deleting_everything_leaves_no_row_in_any_table(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    await store.full_life(person)
    await store.persons.delete_everything(person.id)
    assert set((await store.rows(without=NOT_A_PERSONS)).values()) == {0}


async def test_deleting_everything_tells_what_it_deleted(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    before = await store.rows(without=NOT_A_PERSONS)
    assert await store.persons.delete_everything(person.id) == before


async def test_deleting_everything_of_one_leaves_all_of_another(store: Store) -> None:
    kept, gone = await store.person(), await store.person()
    await store.full_life(kept)
    before = await store.persons.export(kept.id)
    await store.full_life(gone)
    await store.persons.delete_everything(gone.id)
    assert await store.persons.export(kept.id) == before


async def test_deleting_a_second_time_deletes_nothing(store: Store) -> None:
    person = await store.person()
    await store.persons.delete_everything(person.id)
    assert await store.persons.delete_everything(person.id) == {}


async def test_deleting_one_conversation_leaves_the_others(store: Store) -> None:
    person = await store.person()
    first, second = await store.full_life(person), await store.full_life(person)
    assert await store.sessions.delete(first.id, person.id)
    exported = await store.persons.export(person.id)
    assert {message["session_id"] for message in exported["messages"]} == {second.id}


async def test_a_download_has_every_table(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    exported = await store.persons.export(person.id)
    assert {name for name, rows in exported.items() if rows} == set(METADATA.tables) - NOT_A_PERSONS
    # As the page gets it: this writer takes no subclasses of str as keys, and the names of tables are such.
    assert json.loads(orjson.dumps(exported)) == exported


async def test_a_download_holds_what_was_said(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    messages = (await store.persons.export(person.id))["messages"]
    assert [message["text"] for message in messages] == ["I am sad", "I hear you."]


async def test_a_download_is_ready_for_json(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    exported = await store.persons.export(person.id)
    assert json.loads(json.dumps(exported)) == exported


async def test_a_download_holds_nothing_of_another(store: Store) -> None:
    mine, other = await store.person(), await store.person()
    await store.full_life(mine)
    theirs = await store.full_life(other)
    exported = json.dumps(await store.persons.export(mine.id))
    assert other.id not in exported
    assert theirs.id not in exported


async def test_a_download_names_no_member_of_staff(store: Store) -> None:
    person = await store.person()
    await store.full_life(person)
    exported = await store.persons.export(person.id)
    assert [rating["rater"] for rating in exported["feedback"]] == ["you", "staff"] or [
        rating["rater"] for rating in exported["feedback"]
    ] == ["staff", "you"]
    assert exported["flags"][0]["assigned_to"] == "staff"
    assert exported["flag_notes"][0]["author_id"] == "staff"


async def test_a_download_of_nobody_is_empty(store: Store) -> None:
    assert await store.persons.export("nobody") == {}
