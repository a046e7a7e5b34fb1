from pathlib import Path

import numpy as np
import pytest

from app.settings import SettingsError, load_settings, variables
from app.settings_given import NEEDS
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
        ("HEARKEN_ALERTS__WEBHOOK_URL", "hello", "web address such as https://talk.example.org"),
        ("HEARKEN_MODEL__FOLDER", "/nowhere", "a folder that is not there"),
        ("HEARKEN_MODEL__ADAPTER", "/nowhere", "must be default, none or a folder"),
        ("HEARKEN_SAFETY__HELPLINES_FILE", "/nowhere.json", "a file that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_CHECKPOINT", "/nowhere.ckpt", "a file that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_CHECKPOINT", "app.py", "holds no weights of PyTorch"),
        ("HEARKEN_SERVER__PUBLIC_URL", "https://example.org/sub", "without a path"),
        ("HEARKEN_SERVER__PUBLIC_URL", "https://example.org/?a=b", "without a path"),
        ("HEARKEN_SAFETY__DETOXIFY_CONFIG", "/nowhere", "a folder that is not there"),
        ("HEARKEN_SAFETY__DETOXIFY_DOWNLOAD", "maybe", "must be true or false"),
        ("HEARKEN_STORAGE__DATABASE_URL", "postgresqlfoo", "must begin with postgresql://"),
        ("HEARKEN_MODEL__PROFILE", "gpt", "'mint-4b'"),
        ("HEARKEN_STORAGE__DATABASE_URL", "mysql://x", "postgresql://"),
        ("HEARKEN_SAFETY__DEFAULT_COUNTRY", "Germany", "two capital letters"),
        ("HEARKEN_MODEL__PROMPT_FOLDER", "/nowhere/original.txt", "a folder that is not there"),
    ],
)
def test_a_wrong_value_names_the_variable_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, allowed: str
) -> None:
    Path("app.py").write_text("print()\n" * 9, "utf-8")
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


def told(monkeypatch: pytest.MonkeyPatch, **given: str) -> list[str]:
    """The lines that stop the start."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    return str(caught.value).splitlines()


def test_all_faults_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("HEARKEN_LIMITS: 3\n", "utf-8")
    lines = told(
        monkeypatch,
        HEARKEN_SERVER__PORT="x",
        HEARKEN_CHAT__MAX_TURNS="y",
        HEARKEN_FOO="1",
        HEARKEN_SECOND_MODEL__NAME="z",
    )
    assert [line.partition(":")[0] for line in lines] == [
        ".env, line 1",
        "HEARKEN_FOO",
        "HEARKEN_SECOND_MODEL__NAME",
        "HEARKEN_SERVER__PORT",
        "HEARKEN_CHAT__MAX_TURNS",
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("HEARKEN_FOO", ""),
        ("HEARKEN_PORT", "HEARKEN_SERVER__PORT"),
        ("HEARKEN_SERVER_PORT", "HEARKEN_SERVER__PORT"),
        ("HEARKEN_MODELS__URL", "HEARKEN_MODEL__URL"),
        ("HEARKEN_INSIGHTS__IMMINENT_MINUTES", "HEARKEN_REVIEW__IMMINENT_MINUTES"),
        ("hearken_server__prot", "HEARKEN_SERVER__PORT"),
        ("HEARKEN_SERVER", ""),
    ],
)
def test_a_hint_names_what_may_have_been_meant_and_nothing_far_off(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    hint = f"; did you mean {meant}?" if meant else ""
    assert told(monkeypatch, **{name: "3"}) == [f"{name.upper()}: no such setting{hint}"]


def test_names_in_small_letters_count_as_those_in_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("hearken_server__port=7105\n", "utf-8")
    monkeypatch.setenv("hearken_second_model__name", "a")
    monkeypatch.setenv("hearken_second_model__url", "http://b/v1")
    settings = load_settings()
    assert (settings.server.port, settings.second_model.name) == (7105, "a")


@pytest.mark.parametrize(
    "line", ["HEARKEN_SERVER__PORT: 7105", "HEARKEN_SERVER__PORT:7105", "OTHER_PORT", "- a b", "'x"]
)
def test_a_line_of_the_env_file_that_assigns_nothing_is_told_with_its_number(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    Path(".env").write_text(f"# comment\n\nOTHER=1\n\n{line}\n", "utf-8")
    assert told(monkeypatch) == [".env, line 5: is no assignment of the form NAME=value"]


def test_comments_blanks_exports_and_lines_of_others_are_no_faults() -> None:
    text = "\ufeffHEARKEN_SERVER__PORT=7105 # here\n\n  # there\nexport OTHER='a\nb'\nEMPTY=\n"
    Path(".env").write_text(text, "utf-8")
    assert load_settings().server.port == 7105


def test_an_env_file_that_is_no_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_bytes(b"HEARKEN_SERVER__PORT=\xff\n")
    assert told(monkeypatch) == [".env: is no text in UTF-8"]


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("HEARKEN_SECOND_MODEL__NAME", "HEARKEN_SECOND_MODEL__URL"),
        ("HEARKEN_MODEL__API_KEY", "HEARKEN_MODEL__URL"),
        ("HEARKEN_ALERTS__MAIL_TO", "HEARKEN_ALERTS__SMTP_HOST"),
        ("HEARKEN_MODEL__NAME", "HEARKEN_MODEL__URL or HEARKEN_MODEL__FOLDER"),
    ],
)
def test_a_setting_that_does_nothing_without_another_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, needed: str
) -> None:
    assert told(monkeypatch, **{name: "a@b"}) == [f"{name}: does nothing unless {needed} is set"]


def test_what_is_turned_off_needs_no_other_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARKEN_MEMORY__MODEL", "false")
    assert load_settings().memory.model is False


def test_weights_of_pytorch_are_taken_in_both_forms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import torch

    for new in (True, False):
        file = tmp_path / f"weights-{new}.ckpt"
        torch.save({"a": torch.zeros(1)}, file, _use_new_zipfile_serialization=new)
        monkeypatch.setenv("HEARKEN_SAFETY__DETOXIFY_CHECKPOINT", str(file))
        assert load_settings().safety.detoxify_checkpoint == file


def test_every_setting_that_needs_another_exists() -> None:
    named = {name for one, needed in NEEDS.items() for name in (one, *needed)}
    assert {f"HEARKEN_{name}" for name in named} <= set(variables())


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
