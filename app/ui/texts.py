"""Texts of the pages in every language Hearken speaks, from ``app/ui/locales``."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

LOCALES = ("en", "zh")
DEFAULT_LOCALE = "en"


class UnknownTextError(KeyError):
    """No text has this key; a page names one that the locale files lack."""


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of one language.

    Attributes:
        locale: Language code as used in ``lang`` attributes.
        entries: Text by dotted key, for example ``composer.send``.
    """

    locale: str
    entries: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text of ``key`` with its placeholders filled in.

        Raises:
            UnknownTextError: When there is no such text.
        """
        try:
            text = self.entries[key]
        except KeyError:
            raise UnknownTextError(key) from None
        return text.format_map({name: str(value) for name, value in values.items()}) if values else text

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self.entries

    def with_text(self, key: str, text: str) -> "Texts":
        """The same texts with another one at ``key``."""
        return Texts(self.locale, {**self.entries, key: text})

    def below(self, prefix: str) -> dict[str, str]:
        """Texts whose key begins with ``prefix.``, by the rest of their key, in file order."""
        start = f"{prefix}."
        return {key.removeprefix(start): text for key, text in self.entries.items() if key.startswith(start)}


def load_texts() -> dict[str, Texts]:
    """Read all locale files; texts by language code."""
    folder = resources.files("app.ui").joinpath("locales")
    return {
        locale: Texts(locale, _flatten(yaml.safe_load(folder.joinpath(f"{locale}.yaml").read_text("utf-8"))))
        for locale in LOCALES
    }


def pick_locale(chosen: str | None, accept_language: str | None) -> str:
    """The language to show: the person's choice, else the browser's first that is spoken here.

    Args:
        chosen: A language code the person picked earlier, from any untrusted source.
        accept_language: Header of that name.
    """
    if chosen in LOCALES:
        return chosen
    ranges: list[tuple[float, int, str]] = []
    for index, part in enumerate((accept_language or "").split(",")):
        tag, _, parameters = part.strip().partition(";")
        ranges.append((-_weight(parameters), index, tag.casefold().partition("-")[0]))
    spoken = [language for weight, _, language in sorted(ranges) if language in LOCALES and weight < 0]
    return spoken[0] if spoken else DEFAULT_LOCALE


def _weight(parameters: str) -> float:
    """The ``q`` of a language range; 1 when it is missing, 0 when it can't be read."""
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def _flatten(tree: Mapping[Any, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in tree.items():
        if not isinstance(name, str):  # YAML reads a bare ``no`` or ``on`` as a truth value.
            msg = f"write the key {prefix}{name} in quotes"
            raise TypeError(msg)
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            branch: Mapping[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
            flat.update(_flatten(branch, f"{key}."))
        else:
            flat[key] = str(value)
    return flat
