import asyncio
import datetime as dt
import re
import subprocess
import sys
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, CheckConstraint, Connection, Table, UniqueConstraint, insert, inspect, text

from app.db.engine import create_engine
from app.db.migrate import MigrationError, config_for, downgrade, main, upgrade
from app.db.schema import METADATA
from app.db.sessions import risk_values
from app.db.types import new_id
from safety.levels import RiskCategory, RiskLevel, SessionRisk

ADDRESS = "sqlite:///unused.sqlite3"


def revisions() -> list[str]:
    """From the oldest to the newest."""
    script = ScriptDirectory.from_config(config_for(ADDRESS))
    return [revision.revision for revision in script.walk_revisions()][::-1]


def look(url: URL, question: Any) -> Any:
    async def ask() -> Any:
        engine = create_engine(url)
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(question)
        finally:
            await engine.dispose()

    return asyncio.run(ask())


def tables(url: URL) -> set[str]:
    return set(look(url, lambda connection: inspect(connection).get_table_names())) - {"alembic_version"}


def words(condition: str) -> list[str]:
    """The quoted words and the numbers of a condition, which is all that databases write alike."""
    return sorted(re.findall(r"'([a-z_]+)'|(?<!\w)(-?\d)\b", condition))


def test_there_is_one_head() -> None:
    assert len(ScriptDirectory.from_config(config_for(ADDRESS)).get_heads()) == 1


def test_all_tables_come_with_the_newest_revision(empty_url: URL) -> None:
    upgrade(empty_url)
    assert tables(empty_url) == set(METADATA.tables)


def test_no_table_is_left_at_the_base(empty_url: URL) -> None:
    upgrade(empty_url)
    downgrade(empty_url, "base")
    assert tables(empty_url) == set()


def test_every_step_can_be_walked_up_down_and_up_again(empty_url: URL) -> None:
    seen: list[set[str]] = [set()]
    for revision in revisions():
        upgrade(empty_url, revision)
        seen.append(tables(empty_url))
        downgrade(empty_url, "-1")
        assert tables(empty_url) == seen[-2]
        upgrade(empty_url, revision)
        assert tables(empty_url) == seen[-1]


def test_the_migrated_schema_is_that_of_the_models(database_url: URL) -> None:
    def differences(connection: Connection) -> Any:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, METADATA)

    assert look(database_url, differences) == []


def begin(connection: Connection) -> None:
    """One conversation with a title."""
    now = dt.datetime(2026, 11, 27, tzinfo=dt.UTC)
    person = {"id": new_id(), "locale": "en", "consent": False, "created_at": now, "last_seen_at": now}
    session = {
        "id": new_id(),
        "person_id": person["id"],
        "locale": "en",
        "model": "a-model",
        "title": "I never told anybody",
        "created_at": now,
        "last_activity_at": now,
        "last_seq": 0,
        **risk_values(SessionRisk(RiskLevel.MODERATE, RiskCategory.SUBSTANCE)),
    }
    connection.execute(insert(METADATA.tables["persons"]).values(person))
    connection.execute(insert(METADATA.tables["sessions"]).values(session))
    connection.commit()


def test_titles_made_of_first_words_are_taken_away(empty_url: URL) -> None:
    upgrade(empty_url, "0012")
    look(empty_url, begin)
    upgrade(empty_url)
    titles = look(empty_url, lambda connection: connection.execute(text("SELECT title FROM sessions")).all())
    assert titles == [(None,)]


def test_bets_can_be_stored_and_count_as_substances_again_in_older_code(empty_url: URL) -> None:
    def count(connection: Connection, *rows: tuple[str, str, int]) -> None:
        for country, category, number in rows:
            row = {"month": "2026-11", "country": country, "level": RiskLevel.MODERATE}
            table = METADATA.tables["referral_counts"]
            connection.execute(insert(table).values(**row, category=RiskCategory(category), count=number))
        connection.commit()

    def kept(connection: Connection) -> tuple[list[Any], list[Any]]:
        counted = "SELECT country, category, count FROM referral_counts ORDER BY country, category"
        about = "SELECT risk_category FROM sessions JOIN persons ON persons.id = person_id"
        rows, sessions = (connection.execute(text(query)).all() for query in (counted, about))
        return [tuple(row) for row in rows], [tuple(row) for row in sessions]

    def about_bets(connection: Connection) -> None:
        connection.execute(text("UPDATE sessions SET risk_category = 'gambling'"))
        count(connection, ("GB", "gambling", 2), ("NZ", "gambling", 5))

    upgrade(empty_url, "0013")
    look(empty_url, begin)
    look(empty_url, lambda connection: count(connection, ("GB", "substance", 3)))
    upgrade(empty_url)
    assert look(empty_url, kept) == ([("GB", "substance", 3)], [("substance",)])

    look(empty_url, about_bets)
    downgrade(empty_url, "0013")
    counted = [("GB", "substance", 5), ("NZ", "substance", 5)]
    assert look(empty_url, kept) == (counted, [("substance",)])


def test_checks_allow_what_the_models_allow(database_url: URL) -> None:
    def checks(connection: Connection) -> dict[str, list[str]]:
        return {
            check["name"]: words(check["sqltext"])
            for table in METADATA.tables
            for check in inspect(connection).get_check_constraints(table)
        }

    expected = {
        str(check.name): words(str(check.sqltext))
        for table in METADATA.tables.values()
        for check in table.constraints
        if isinstance(check, CheckConstraint)
    }
    assert look(database_url, checks) == expected


def test_partial_indexes_cover_what_the_models_say(database_url: URL) -> None:
    kind = database_url.get_backend_name()

    def conditions(connection: Connection) -> dict[str, list[str]]:
        return {
            index["name"]: words(str(index["dialect_options"][f"{kind}_where"]))
            for table in METADATA.tables
            for index in inspect(connection).get_indexes(table)
            if index.get("dialect_options", {}).get(f"{kind}_where") is not None
        }

    expected = {
        str(index.name): words(str(index.dialect_options[kind]["where"]))
        for table in METADATA.tables.values()
        for index in table.indexes
        if index.dialect_options[kind].get("where") is not None
    }
    assert look(database_url, conditions) == expected


def leading_columns(table: Table) -> set[str]:
    """The columns that some index of the table begins with."""
    keys = [
        *table.indexes,
        *(c for c in table.constraints if isinstance(c, UniqueConstraint)),
        table.primary_key,
    ]
    return {next(iter(key.columns)).name for key in keys}


def test_every_foreign_key_is_led_by_an_index() -> None:
    bare = [
        f"{table.name}.{key.parent.name}"
        for table in METADATA.tables.values()
        for key in table.foreign_keys
        if key.parent.name not in leading_columns(table)
    ]
    assert bare == []


def test_processes_that_start_at_once_all_find_the_schema(empty_url: URL) -> None:
    command = [sys.executable, "-m", "app.db.migrate", empty_url.render_as_string(hide_password=False)]
    started = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert tables(empty_url) == set(METADATA.tables)


def test_a_second_upgrade_changes_nothing(database_url: URL) -> None:
    upgrade(database_url)
    assert tables(database_url) == set(METADATA.tables)


def test_a_database_of_newer_code_is_refused_by_name(database_url: URL) -> None:
    def pretend(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = 'ffff'"))
        connection.commit()

    look(database_url, pretend)
    with pytest.raises(MigrationError, match="ffff"):
        upgrade(database_url)


def test_the_command_line_migrates_the_address_it_is_given(
    empty_url: URL, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([empty_url.render_as_string(hide_password=False)]) == 0
    assert capsys.readouterr().out == "The database is up to date.\n"


def test_the_command_line_names_an_unknown_kind_of_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mysql://host/name"]) == 1
    assert "mysql" in capsys.readouterr().err
