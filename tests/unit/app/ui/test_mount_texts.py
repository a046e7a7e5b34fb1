"""The notice says in each language what the answering model can read."""

from typing import Literal

import pytest
from pydantic import HttpUrl

from app.settings import ModelSettings, Settings
from app.settings_model import SecondModelSettings
from app.ui.mount import texts_for_model
from app.ui.texts import load_texts


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_embedded_model_reads_english_only_and_the_page_says_so(locale: str) -> None:
    texts = texts_for_model(load_texts(), Settings(model=ModelSettings()))

    assert texts[locale]("welcome.english_only") in texts[locale]("welcome.notice")


@pytest.mark.parametrize(
    "model",
    [ModelSettings(url=HttpUrl("http://model.example/v1")), ModelSettings(profile="mindchat-r0")],
)
def test_a_model_that_reads_more_is_not_said_to_read_english_only(model: ModelSettings) -> None:
    texts = texts_for_model(load_texts(), Settings(model=model))

    assert texts["zh"]("welcome.notice") == load_texts()["zh"]("welcome.notice")


SECOND = SecondModelSettings(url=HttpUrl("http://zh.example/v1"))


def test_with_a_second_model_for_chinese_nobody_is_told_that_english_alone_is_read() -> None:
    texts = texts_for_model(load_texts(), Settings(model=ModelSettings(), second_model=SECOND))

    assert {code: one("welcome.notice") for code, one in texts.items()} == {
        code: one("welcome.notice") for code, one in load_texts().items()
    }


@pytest.mark.parametrize(
    ("profile", "told", "other", "key"),
    [
        ("mint-4b", "zh", "en", "welcome.made_for_en"),
        ("mindchat-r0", "en", "zh", "welcome.made_for_zh"),
    ],
)
def test_one_model_for_both_languages_is_told_where_it_was_not_made_for_it(
    profile: Literal["mint-4b", "mindchat-r0"], told: str, other: str, key: str
) -> None:
    texts = texts_for_model(load_texts(), Settings(model=ModelSettings(profile=profile)))

    assert texts[told]("welcome.notice").endswith(load_texts()[told](key))
    assert texts[other]("welcome.notice") == load_texts()[other]("welcome.notice")


def test_the_name_of_the_served_model_is_enough_to_know_it() -> None:
    model = ModelSettings(url=HttpUrl("http://m.example/v1"), name="hongli-zhan/MINT-empathy-Qwen3-4B")
    texts = texts_for_model(load_texts(), Settings(model=model))

    assert load_texts()["zh"]("welcome.made_for_en") in texts["zh"]("welcome.notice")
