"""Encryption turned on, rotated and turned off, as an operator does it: ``python -m app.encryption``."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from app.db.cipher import TextCipher, new_key
from app.db.engine import create_engine, session_factory
from app.db.messages import MessageRepository
from app.db.persons import PersonRepository
from app.db.sessions import SessionRepository
from app.encryption import main
from app.settings import SettingsError, load_settings
from app.start import StartError, start

SETTING = "HEARKEN_STORAGE__ENCRYPTION_KEYS"
SECRET = "the tin of buttons"
OLD, NEW = new_key(), new_key()


@pytest.fixture(autouse=True)
def environment(database_url: URL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEARKEN_STORAGE__DATABASE_URL", database_url.render_as_string(hide_password=False))
    monkeypatch.setenv("HEARKEN_STORAGE__FOLDER", str(tmp_path))
    asyncio.run(_write(database_url))


async def _write(url: URL) -> None:
    engine = create_engine(url)
    factory = session_factory(engine)
    person = await PersonRepository(factory).create()
    session = await SessionRepository(factory).create(person.id, "en", "a-model")
    await MessageRepository(factory).add_user(session.id, SECRET)
    await engine.dispose()


def stored(url: URL) -> str:
    async def read() -> str:
        engine = create_engine(url)
        async with engine.connect() as connection:
            found: str = (await connection.execute(text("SELECT text FROM messages"))).scalar_one()
        await engine.dispose()
        return found

    return asyncio.run(read())


def key_id(key: str) -> str:
    return str(TextCipher([key]).writes)


def test_new_key_prints_a_key_that_the_setting_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["new-key"]) == 0
    monkeypatch.setenv(SETTING, capsys.readouterr().out.strip())
    assert load_settings().storage.cipher.writes is not None


def test_the_whole_life_of_two_keys(
    database_url: URL, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(SETTING, OLD)
    assert main(["encrypt"]) == 0
    assert stored(database_url).startswith(f"\ufdd0{key_id(OLD)}:")

    monkeypatch.setenv(SETTING, f"{NEW},{OLD}")
    assert main(["rotate"]) == 0
    assert stored(database_url).startswith(f"\ufdd0{key_id(NEW)}:")
    assert f"No stored text needs key {key_id(OLD)}" in capsys.readouterr().out

    monkeypatch.setenv(SETTING, NEW)
    assert main(["status"]) == 0
    assert f"messages.text: 1 with key {key_id(NEW)} (the first one)" in capsys.readouterr().out

    monkeypatch.setenv(SETTING, f"plain,{NEW}")
    assert main(["decrypt"]) == 0
    assert stored(database_url) == SECRET

    monkeypatch.delenv(SETTING)
    assert main(["status"]) == 0
    assert "messages.text: 1 plain" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        pytest.param("encrypt", None, id="encrypt"),
        pytest.param("rotate", f"plain,{OLD}", id="rotate_to_plain"),
        pytest.param("decrypt", OLD, id="decrypt_what_is_written_with"),
        pytest.param("decrypt", None, id="decrypt"),
    ],
)
def test_a_command_that_does_not_fit_the_setting_changes_nothing(
    database_url: URL,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    keys: str | None,
) -> None:
    if keys:
        monkeypatch.setenv(SETTING, keys)
    assert main([command]) == 1
    told = capsys.readouterr().err
    assert told.startswith(SETTING)
    assert OLD not in told
    assert stored(database_url) == SECRET


@pytest.mark.parametrize("keys", [None, NEW], ids=["none", "another"])
def test_the_start_is_refused_while_a_needed_key_is_missing(
    database_url: URL, monkeypatch: pytest.MonkeyPatch, keys: str | None
) -> None:
    monkeypatch.setenv(SETTING, OLD)
    main(["encrypt"])
    before = stored(database_url)
    monkeypatch.delenv(SETTING)
    if keys:
        monkeypatch.setenv(SETTING, keys)
    with pytest.raises(
        StartError, match=rf"^{SETTING}: stored text is encrypted with key {key_id(OLD)}[^\n]+$"
    ):
        start(load_settings())
    assert main(["encrypt"]) == 1
    assert stored(database_url) == before


def test_what_is_no_key_is_named_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "hunter2")
    with pytest.raises(SettingsError, match=SETTING) as caught:
        load_settings()
    assert "hunter2" not in str(caught.value)


def test_keys_do_not_show_when_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, f"{NEW},{OLD}")
    shown = repr(load_settings())
    assert NEW not in shown
    assert OLD not in shown
