"""Whether readiness notices a database that answers and can't be written."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.db import write_probe
from app.db.engine import create_engine, session_factory
from app.db.file_identity import VanishedFileError
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.db.write_probe import WriteProbe


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("probe") / "template.sqlite3"
    upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture
def file(template: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(template, folder / "test.sqlite3")
    yield folder / "test.sqlite3"
    shutil.rmtree(folder, ignore_errors=True)


async def test_a_database_that_takes_a_row_is_well(file: Path) -> None:
    assert await WriteProbe(f"sqlite:///{file}").problem() is None


async def test_a_locked_file_is_told_without_a_long_wait(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        problem = await asyncio.wait_for(WriteProbe(f"sqlite:///{file}").problem(), 10)
    assert problem == "it can't be written (OperationalError)"


async def test_a_refused_row_is_told_and_asked_again_soon(file: Path) -> None:
    now = 0.0
    probe = WriteProbe(f"sqlite:///{file}", clock=lambda: now)
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TRIGGER full BEFORE INSERT ON job_runs BEGIN SELECT RAISE(FAIL, 'full'); END")
        db.commit()
        assert await probe.problem() == "it can't be written (StoreError)"
        db.execute("DROP TRIGGER full")
        db.commit()
    assert await probe.problem() is not None
    now = write_probe.BAD_S
    assert await probe.problem() is None


async def test_a_good_answer_holds_for_a_while(file: Path) -> None:
    now = 0.0
    probe = WriteProbe(f"sqlite:///{file}", clock=lambda: now)
    assert await probe.problem() is None
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TRIGGER full BEFORE INSERT ON job_runs BEGIN SELECT RAISE(FAIL, 'full'); END")
        db.commit()
    assert await probe.problem() is None
    now = write_probe.GOOD_S
    assert await probe.problem() is not None


async def test_a_full_disk_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_probe, "ROOM_BYTES", 2**80)
    assert "the disk is full" in (await WriteProbe(f"sqlite:///{file}").problem() or "")


async def test_a_removed_folder_is_told_at_once_although_a_good_answer_holds(file: Path) -> None:
    probe = WriteProbe(f"sqlite:///{file}")
    assert await probe.problem() is None
    shutil.rmtree(file.parent)
    assert "removed" in (await probe.problem() or "")


@pytest.mark.parametrize("again", [False, True])
async def test_nothing_is_written_to_a_file_that_is_gone(file: Path, template: Path, again: bool) -> None:
    engine = create_engine(f"sqlite:///{file}")
    try:
        persons = PersonRepository(session_factory(engine))
        await persons.create()
        shutil.rmtree(file.parent)
        if again:
            file.parent.mkdir()
            shutil.copy(template, file)
        with pytest.raises(VanishedFileError):
            await persons.create()
    finally:
        await engine.dispose()
