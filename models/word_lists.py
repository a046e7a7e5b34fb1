"""Counts the words and phrases of a list in a text, English and Chinese."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml

from models.sentences import is_chinese


def hits(name: str, text: str) -> int:
    """How often words and phrases of a list occur in a text.

    Args:
        name: A list of ``models/word_lists.yaml``.
        text: A text; its language decides which half of the list is looked for.

    Raises:
        KeyError: There is no such list.
    """
    lang = "zh" if is_chinese(text) else "en"
    return len(_patterns()[name][lang].findall(text.lower().replace("’", "'")))


@cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    raw = yaml.safe_load(resources.files("models").joinpath("word_lists.yaml").read_text("utf-8"))
    return {
        name: {
            "en": re.compile(rf"(?<![\w'])(?:{_alternatives(lists['en'])})(?![\w'])"),
            "zh": re.compile(_alternatives(lists["zh"])),
        }
        for name, lists in raw.items()
    }


def _alternatives(phrases: list[str]) -> str:
    """The longest first, so that a phrase counts once and not as a shorter one within it."""
    ordered = sorted({str(phrase).lower() for phrase in phrases}, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\*", r"\w*") for phrase in ordered)
