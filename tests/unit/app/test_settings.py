from pathlib import Path

import numpy as np
import pytest

from app.settings import SettingsError, load_settings, variables
from models.head_file import write_head


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in variables():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_any_variable_the_embedded_model_and_sqlite_are_used() -> None:
    settings = load_settings()
    assert settings.model.url is None
    assert settings.candidates == 4
    assert settings.database_url.startswith("sqlite:///")


def test_an_open_review_page_looks_often_enough_to_show_an_alarm_within_five_seconds() -> None:
    assert load_settings().review.poll_seconds <= 4  # and one for the answer


def test_two_variables_switch_to_vllm_and_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARKEN_MODEL__URL", "http://vllm:8000/v1")
    monkeypatch.setenv("HEARKEN_STORAGE__DATABASE_URL", "postgresql://hearken@db/hearken")
    settings = load_settings()
    assert settings.candidates == 8
    assert settings.database_url == "postgresql://hearken@db/hearken"


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("HEARKEN_SERVER__PORT", "70000", "a whole number from 1 to 65535"),
        ("HEARKEN_SERVER__PORT", "abc", "a whole number from 1 to 65535"),
        ("HEARKEN_SERVER__SECRET_KEY", "short", "at least 32 characters"),
        ("HEARKEN_MODEL__TIMEOUT_S", "0", "a number more than 0"),
        ("HEARKEN_MODEL__URL", "vllm", "web address such as http://host:8000/v1"),
        ("HEARKEN_MODEL__FOLDER", "/nowhere", "a folder that is not there"),
        ("HEARKEN_MODEL__ADAPTER", "/nowhere", "must be default, none or a folder"),
        ("HEARKEN_SAFETY__HELPLINES_FILE", "/nowhere.json", "a file that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_CHECKPOINT", "/nowhere.ckpt", "a file that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_CONFIG", "/nowhere", "a folder that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_DOWNLOAD", "maybe", "must be true or false"),
        ("HEARKEN_STORAGE__DATABASE_URL", "postgresqlfoo", "must begin with postgresql://"),
        ("HEARKEN_MODEL__PROFILE", "gpt", "'mint-4b'"),
        ("HEARKEN_STORAGE__DATABASE_URL", "mysql://x", "postgresql://"),
        ("HEARKEN_SAFETY__DEFAULT_COUNTRY", "Germany", "two capital letters"),
        ("HEARKEN_MODEL__PROMPT_FOLDER", "/nowhere/original.txt", "mint.txt"),
    ],
)
def test_a_wrong_value_names_the_variable_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, allowed: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in str(caught.value)
    assert allowed in str(caught.value)


def test_a_misspelt_variable_is_refused_with_the_nearest_known_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARKEN_MODEL__URI", "http://vllm:8000/v1")
    with pytest.raises(SettingsError, match=r"did you mean HEARKEN_MODEL__URL\?"):
        load_settings()


def test_a_wrong_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARKEN_SERVER__SECRET_KEY", "hunter2")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "HEARKEN_SERVER__SECRET_KEY" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_an_env_file_is_read_and_an_empty_value_means_the_default(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("HEARKEN_SERVER__PORT=8123\nHEARKEN_MODEL__URL=\n", "utf-8")
    settings = load_settings()
    assert settings.server.port == 8123
    assert settings.model.url is None


def test_every_variable_has_a_description() -> None:
    assert all(description for _, description in variables().values())


def a_head(folder: Path, kind: str) -> str:
    file = folder / "head.safetensors"
    write_head(
        file,
        {"mean": np.zeros(1, np.float32)},
        {"encoder": "e5-mint", "head": kind, "strategies": ["Question"]},
    )
    return str(file)


def test_a_head_of_strategies_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEARKEN_HEADS__STRATEGIES", a_head(tmp_path, "strategies"))
    assert load_settings().heads.strategies == tmp_path / "head.safetensors"


def test_another_head_is_not_taken_for_one_of_strategies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEARKEN_HEADS__STRATEGIES", a_head(tmp_path, "emotions"))
    with pytest.raises(SettingsError, match="no head of strategies"):
        load_settings()


def test_a_head_whose_own_encoder_is_missing_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "head.safetensors"
    write_head(
        file,
        {"mean": np.zeros(1, np.float32)},
        {"encoder": "e5-strategies", "head": "strategies", "strategies": ["Question"]},
    )
    monkeypatch.setenv("HEARKEN_HEADS__STRATEGIES", str(file))
    with pytest.raises(SettingsError, match=r"adapter\.safetensors beside it"):
        load_settings()
