"""Replies written by people, for the moments when the model has none that may be shown."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import cast

import yaml

from safety.levels import RiskCategory, RiskLevel

_FILE = Path(__file__).parent / "crisis_replies.yaml"
_FEWEST_LETTERS = 12
"""Fewer Latin letters ("ok", a name) say nothing about the language of a page in Chinese."""
_Variants = Mapping[str, Mapping[str, list[str]]]


def written_reply(level: RiskLevel, category: RiskCategory, locale: str, variant: int = 0) -> str:
    """Return a written reply that fits; below ``moderate`` it is a plain kind sentence.

    Args:
        level: The turn's level.
        category: The turn's category.
        locale: ``en`` or ``zh…``; anything else reads English.
        variant: Any number, such as the count of turns so far; neighbours give different words.
    """
    if level < RiskLevel.MODERATE:
        return fallback_reply(locale, variant)
    texts = _texts()
    group = cast("Mapping[str, str]", texts["groups"])[category.value]
    variants = cast("_Variants", texts[level.label])[group][_language(locale)]
    return variants[variant % len(variants)]


def fallback_reply(locale: str, variant: int = 0) -> str:
    """Return a short kind sentence that blames nobody and asks the person to go on."""
    return _variant("fallback", locale, variant)


def other_language_reply(locale: str, variant: int = 0) -> str:
    """Say in the person's language that the model can't read it, and what still works."""
    return _variant("other_language", locale, variant)


def unsure_reply(locale: str, variant: int = 0) -> str:
    """Return a reply that asks whether there is danger, for a sign that no rule confirms."""
    return _variant("unsure", locale, variant)


def secrecy_reply(locale: str, variant: int = 0) -> str:
    """Say who may read what is written here, in place of a promise that nobody can give."""
    return _variant("secrecy", locale, variant)


def carried_reply(locale: str, variant: int = 0) -> str:
    """Return a reply for a turn that shows no danger itself in a conversation that did."""
    return _variant("carried", locale, variant)


def language_of(text: str, locale: str) -> str:
    """``zh`` for a message that is mostly Chinese, ``en`` for one in Latin letters, else ``locale``.

    Example:
        >>> language_of("我好累", "en")
        'zh'
    """
    chinese = sum("\u3400" <= character <= "\u9fff" for character in text)
    latin = sum(character.isascii() and character.isalpha() for character in text)
    if chinese and 4 * chinese >= latin:
        return "zh"
    return "en" if latin >= _FEWEST_LETTERS and not chinese else locale


def _variant(key: str, locale: str, variant: int) -> str:
    variants = cast("Mapping[str, list[str]]", _texts()[key])[_language(locale)]
    return variants[variant % len(variants)]


def _language(locale: str) -> str:
    return "zh" if locale.lower().startswith("zh") else "en"


@lru_cache(maxsize=1)
def _texts() -> Mapping[str, object]:
    return cast("Mapping[str, object]", yaml.safe_load(_FILE.read_text(encoding="utf-8")))
