"""What the start refuses in one line, with the name of the setting that is wrong."""

import asyncio
import logging
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.db.engine import create_engine, session_factory
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.logs import configure_logging
from app.settings import SafetySettings, Settings, StorageSettings
from app.sole_process import sole_process
from app.start import StartError, server_config, start


def settings(folder: Path, safety: SafetySettings) -> Settings:
    return Settings(storage=StorageSettings(folder=folder), safety=safety)


@pytest.mark.parametrize("text", ["[1]", "{", '{"US": 5}'])
def test_a_file_that_holds_no_helplines_stops_the_start(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lines.json"
    file.write_text(text, "utf-8")
    with pytest.raises(StartError, match=r"^HEARKEN_SAFETY__HELPLINES_FILE: [^\n]+$"):
        start(settings(tmp_path, SafetySettings(helplines_file=file)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Invalid JSON: EOF while parsing"),
        ('{"schema_version": 1, "regions": 5}', "regions: Extra inputs"),
        (
            '{"schema_version": 1, "countries": {"GB": {"name": {"en": "x"}}}}',
            "countries.GB.name.zh: Field req",
        ),
        (
            '{"schema_version": 1, "countries": {"GB": {"lines": [{"id": "X"}]}}}',
            r"countries.GB.lines.0.id: .*; and \d more\.",
        ),
    ],
)
def test_the_faulty_entry_of_a_helplines_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "lines.json"
    file.write_text(text, "utf-8")
    with pytest.raises(StartError, match=said):
        start(settings(tmp_path, SafetySettings(helplines_file=file)))


def test_a_country_without_helplines_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"^HEARKEN_SAFETY__DEFAULT_COUNTRY: there are no helplines for ZZ"):
        start(settings(tmp_path, SafetySettings(default_country="ZZ")))


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    nobody = StorageSettings(folder=tmp_path, database_url="postgresql://u:sekret@127.0.0.1:1/x")
    with pytest.raises(StartError, match=r"^HEARKEN_STORAGE__DATABASE_URL: [^\n]+$") as caught:
        start(Settings(storage=nobody))
    assert "sekret" not in str(caught.value)


def test_a_mistyped_path_of_the_database_is_not_made(tmp_path: Path) -> None:
    typed = tmp_path / "nowhere" / "a.db"
    storage = StorageSettings(folder=tmp_path / "var", database_url=f"sqlite:///{typed}")
    with pytest.raises(StartError, match=r"^HEARKEN_STORAGE__DATABASE_URL: the folder .*nowhere is missing"):
        start(Settings(storage=storage))
    assert not typed.parent.exists()


def test_a_named_database_in_use_is_told_with_its_own_setting(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    storage = StorageSettings(folder=tmp_path / "var", database_url=f"sqlite:///{file}")
    with sole_process(file), pytest.raises(StartError, match="HEARKEN_STORAGE__DATABASE_URL") as caught:
        start(Settings(storage=storage))
    assert "STORAGE__FOLDER" not in str(caught.value)


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


@pytest.mark.parametrize("name", ["uvicorn.error", "python_multipart.multipart"])
def test_what_strangers_can_make_libraries_warn_of_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for other in ("uvicorn", name, name.partition(".")[0]):
        monkeypatch.setattr(logging.getLogger(other), "level", logging.NOTSET)
    configure_logging("info")
    server_config(FastAPI(), Settings())
    logger = logging.getLogger(name)
    assert not logger.isEnabledFor(logging.WARNING)
    assert logger.isEnabledFor(logging.ERROR)


def test_helplines_that_have_to_be_checked_are_named_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.start.configure_logging", lambda _: None)
    with pytest.raises(StartError, match="DEFAULT_COUNTRY"):
        start(settings(tmp_path, SafetySettings(default_country="ZZ")))
    (told,) = [one.getMessage() for one in caplog.records if "over 12 months ago" in one.getMessage()]
    assert "cn-12338" in told
    assert "gb-samaritans" not in told
