"""What an operator reads when a database can't be opened; never the password of the address."""

import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from app.db.migrate import MigrationError, main, upgrade, upgrade_configured
from app.db.open_errors import why_not_opened
from app.settings_storage import StorageSettings

URL = make_url("postgresql+asyncpg://me:sekret@db.example.org:6543/talks")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(111, "sekret"), "nothing answers at db.example.org, port 6543"),
        (OSError("Multiple exceptions: sekret"), "nothing answers at db.example.org, port 6543"),
        (socket.gaierror(-2, "sekret"), "the host name db.example.org is not known"),
        (TimeoutError("sekret"), "db.example.org, port 6543 does not answer in time"),
        (asyncpg.InvalidPasswordError("sekret"), "refuses user or password"),
        (asyncpg.InvalidCatalogNameError("sekret"), "the server has no database talks"),
        (OperationalError("sekret", {}, ConnectionRefusedError("sekret")), "nothing answers at"),
        (RuntimeError("sekret"), r"can't be opened \(RuntimeError\)"),
    ],
)
def test_each_way_to_fail_is_told_with_what_it_means(error: Exception, said: str) -> None:
    told = why_not_opened(error, URL)
    assert "sekret" not in told
    with pytest.raises(AssertionError, match=said):
        raise AssertionError(told)


def damaged(folder: Path) -> Path:
    file = folder / "x.db"
    file.write_bytes(b"no database at all, but long enough to be looked at. " * 40)
    return file


def foreign(folder: Path) -> Path:
    file = folder / "x.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE messages (id)")
    return file


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (damaged, "is damaged or no SQLite database: restore the backup"),
        (foreign, "holds tables of something else"),
    ],
)
def test_a_file_that_is_no_database_of_hearken_is_told(
    tmp_path: Path, make: Callable[[Path], Path], said: str
) -> None:
    with pytest.raises(MigrationError, match=said):
        upgrade(f"sqlite:///{make(tmp_path)}")


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(tmp_path)
    assert "can't be opened or made" in why_not_opened(caught.value, make_url(f"sqlite:///{tmp_path}"))


def test_a_database_of_a_newer_version_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999_future'"))
    engine.dispose()
    assert main([url]) == 1
    said = capsys.readouterr().err
    assert "made by a newer Hearken (its schema is 9999_future): start that version, or restore" in said


def test_a_missing_folder_is_told_and_not_made(tmp_path: Path) -> None:
    storage = StorageSettings(folder=tmp_path / "var", database_url=f"sqlite:///{tmp_path}/no/such/x.db")
    with pytest.raises(MigrationError, match=r"^HEARKEN_STORAGE__DATABASE_URL: the folder \S+ is missing"):
        upgrade_configured(storage, str(storage.database_url))
    assert list(tmp_path.iterdir()) == []


def test_the_data_folder_is_made(tmp_path: Path) -> None:
    storage = StorageSettings(folder=tmp_path / "new" / "var")
    upgrade_configured(storage, f"sqlite:///{storage.folder}/x.db")
    assert (tmp_path / "new" / "var" / "x.db").exists()


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    storage = StorageSettings(folder=tmp_path / "file" / "var")
    with pytest.raises(MigrationError, match=r"^HEARKEN_STORAGE__FOLDER: \S+ can't be made \(Not a"):
        upgrade_configured(storage, f"sqlite:///{storage.folder}/x.db")
