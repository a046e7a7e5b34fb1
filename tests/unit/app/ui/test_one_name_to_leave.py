"""The way off the page is called by its button's label wherever a person reads of it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.ui.texts import LOCALES, load_texts

ROOT = Path(__file__).parents[4]
WRITTEN = ("card_texts.yaml", "crisis_replies.yaml")
OTHER_NAMES = {
    "en": re.compile(r"quick[ -]?exit|quick[ -]?escape|exit button|[\"“'](?:leave now|exit)[\"”']", re.I),
    "zh": re.compile(r"快速(?:离开|退出)|紧急退出|“(?:立即|马上|立刻)?(?:退出|离开.+?|立即离开|马上离开)”"),
}
TELLS = {
    "en": re.compile(r"off (?:this|the) page at once"),
    "zh": re.compile(r"(?:立刻|立即|马上)(?:离开|关掉|关闭)(?:本|这个|此)?页"),
}
QUOTED = {"en": '"{}"', "zh": "“{}”"}


def strings(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for branch in tree.values():
            yield from strings(branch)
    elif isinstance(tree, list):
        for branch in tree:
            yield from strings(branch)


def language(text: str) -> str:
    return "zh" if re.search("[一-鿿]", text) else "en"


def texts_of(locale: str) -> list[str]:
    """What a person can read, but for the button itself: its label is spoken with it."""
    page = [text for key, text in load_texts()[locale].entries.items() if not key.startswith("page.leave")]
    protocol = (ROOT / "static" / "protocol" / f"{locale}.html").read_text("utf-8")
    trees = [yaml.safe_load((ROOT / "safety" / name).read_text("utf-8")) for name in WRITTEN]
    written = [text for text in strings(trees) if language(text) == locale]
    return [*page, *protocol.split("</p>"), *written]


@pytest.mark.parametrize("locale", LOCALES)
def test_no_other_name_is_used(locale: str) -> None:
    assert [text for text in texts_of(locale) if OTHER_NAMES[locale].search(text)] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_whatever_tells_of_it_quotes_the_label(locale: str) -> None:
    label = QUOTED[locale].format(load_texts()[locale]("page.leave"))
    telling = [text for text in texts_of(locale) if TELLS[locale].search(text)]
    assert len(telling) >= 7
    assert [text for text in telling if label not in text] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_its_spoken_name_begins_with_its_label(locale: str) -> None:
    texts = load_texts()[locale]
    assert texts("page.leave_label").startswith(texts("page.leave"))
