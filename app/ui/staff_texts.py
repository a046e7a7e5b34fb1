"""Texts of the pages for staff, by language: server-made ones, and those of Gradio's components."""

from functools import cache
from importlib import resources
from types import MappingProxyType

import gradio as gr
import yaml

from app.ui.texts import LOCALES, Texts

_BROWSER_NAMES = {"en": "en", "zh": "zh-CN"}
"""How the browser part of Gradio calls the languages."""


def load_staff_texts() -> dict[str, Texts]:
    """Texts of staff pages by language code, from their locale files.

    The files are read once: a page asks many times while it is built, and reading takes 0.2 s each time.
    """
    return {locale: _texts(locale) for locale in LOCALES}


@cache
def _texts(locale: str) -> Texts:
    file = resources.files("app.ui").joinpath("locales", f"staff.{locale}.yaml")
    return Texts(locale, MappingProxyType(yaml.safe_load(file.read_text("utf-8"))))


def browser_texts(texts: dict[str, Texts]) -> gr.I18n:
    """The same texts for labels, which Gradio translates in the browser."""
    return gr.I18n(**{_BROWSER_NAMES[locale]: dict(found.entries) for locale, found in texts.items()})
