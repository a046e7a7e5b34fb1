"""What the start refuses in one line, with the name of the setting that is wrong."""

import asyncio
from pathlib import Path

import pytest

from app.db.engine import create_engine, session_factory
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.settings import SafetySettings, Settings, StorageSettings
from app.start import StartError, start


def settings(folder: Path, safety: SafetySettings) -> Settings:
    return Settings(storage=StorageSettings(folder=folder), safety=safety)


@pytest.mark.parametrize("text", ["[1]", "{", '{"US": 5}'])
def test_a_file_that_holds_no_helplines_stops_the_start(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lines.json"
    file.write_text(text, "utf-8")
    with pytest.raises(StartError, match=r"^HEARKEN_SAFETY__HELPLINES_FILE: [^\n]+$"):
        start(settings(tmp_path, SafetySettings(helplines_file=file)))


def test_a_country_without_helplines_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"^HEARKEN_SAFETY__DEFAULT_COUNTRY: there are no helplines for ZZ"):
        start(settings(tmp_path, SafetySettings(default_country="ZZ")))


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    nobody = StorageSettings(folder=tmp_path, database_url="postgresql://u:sekret@127.0.0.1:1/x")
    with pytest.raises(StartError, match=r"^HEARKEN_STORAGE__DATABASE_URL: [^\n]+$") as caught:
        start(Settings(storage=nobody))
    assert "sekret" not in str(caught.value)


def test_a_lost_cookie_key_stops_the_start_where_there_are_persons(tmp_path: Path) -> None:
    async def fill() -> None:
        engine = create_engine(f"sqlite:///{tmp_path / 'hearken.sqlite3'}")
        await PersonRepository(session_factory(engine)).create()
        await engine.dispose()

    upgrade(f"sqlite:///{tmp_path / 'hearken.sqlite3'}")
    asyncio.run(fill())
    with pytest.raises(StartError, match=r"cookie\.key is missing.*python -m app\.cookie_key"):
        start(settings(tmp_path, SafetySettings()))
    assert not (tmp_path / "cookie.key").exists()


def test_an_empty_cookie_key_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "cookie.key").touch()
    with pytest.raises(StartError, match=r"cookie\.key holds no key of 32 characters"):
        start(settings(tmp_path, SafetySettings()))
