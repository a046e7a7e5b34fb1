"""Whose replies the head of answers is asked about."""

import pytest

from app.main import answers_of
from app.settings import load_settings
from models.answers import AnswerReader


def _settings(monkeypatch: pytest.MonkeyPatch, **model: str) -> object:
    for name, value in model.items():
        monkeypatch.setenv(f"HEARKEN_MODEL__{name.upper()}", value)
    return answers_of(load_settings())


def test_replies_of_the_shipped_model_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(_settings(monkeypatch), AnswerReader)


def test_replies_of_other_models_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _settings(monkeypatch, url="http://vllm:8000/v1") is None


def test_replies_without_the_adapter_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _settings(monkeypatch, adapter="none") is None
