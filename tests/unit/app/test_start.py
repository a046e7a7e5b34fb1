"""What the start refuses in one line, with the name of the setting that is wrong."""

from pathlib import Path

import pytest

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


def test_helplines_that_have_to_be_checked_are_named_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.start.configure_logging", lambda _: None)
    with pytest.raises(StartError, match="DEFAULT_COUNTRY"):
        start(settings(tmp_path, SafetySettings(default_country="ZZ")))
    (told,) = [one.getMessage() for one in caplog.records if "over 12 months ago" in one.getMessage()]
    assert "cn-12338" in told
    assert "gb-samaritans" not in told
