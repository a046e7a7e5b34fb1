"""The families of ``models/inventions.en.yaml`` and ``models/inventions.zh.yaml``, ready to be looked up."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

import yaml

KINDS = ("people", "pets", "body", "things", "times", "events")
"""Sections with families."""


@dataclass(frozen=True, slots=True)
class Family:
    """Words of one language that name the same.

    Attributes:
        name: Its name, shared by the languages.
        kind: One of :data:`KINDS`.
        words: The words and phrases, in lower case.
        hints: What else of a person's words implies it.
        wider: Families that imply it, as it is more general than they.
        common: Whether nearly every life has it.
        own: Whether it counts only where the reply says whose it is (Chinese: that it is the person's).
        bare: Whether it counts without a word before it that says whose it is.
        sex: ``m``, ``f`` or nothing.
    """

    name: str
    kind: str
    words: tuple[str, ...]
    hints: tuple[str, ...] = ()
    wider: frozenset[str] = frozenset()
    common: bool = False
    own: bool = False
    bare: bool = False
    sex: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A word or phrase of a family, in its parts: English words or Chinese characters."""

    family: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """Everything of one language.

    Attributes:
        families: By name.
        phrases: By first part, the longest first.
        roles: The act that a verb form means.
        general: What makes a clause general.
        advice: What makes a sentence advice.
        orders: What a sentence of advice opens with (English).
        no_advice: What holds words of advice and advises nothing.
        exists: What asks whether there is something.
        free_units: What may be counted without having been told.
        units: What follows a number (Chinese).
        free_names: Words with a capital letter that name nobody of the person's life (English).
        name_characters: Characters of Chinese names.
    """

    families: Mapping[str, Family]
    phrases: Mapping[str, Sequence[Phrase]]
    roles: Mapping[str, str]
    general: tuple[str, ...]
    advice: tuple[str, ...]
    orders: frozenset[str]
    no_advice: tuple[str, ...]
    exists: tuple[str, ...]
    free_units: frozenset[str]
    units: tuple[str, ...]
    free_names: frozenset[str]
    name_characters: str


@cache
def lists_of(language: str) -> Lists:
    """The lists of a language, ``en`` or ``zh``."""
    read = yaml.safe_load(
        resources.files("models").joinpath(f"inventions.{language}.yaml").read_text("utf-8")
    )
    families = {name: _family(name, kind, entry) for kind in KINDS for name, entry in read[kind].items()}
    clauses, names = read["clauses"], read["names"]
    return Lists(
        families,
        _phrases(families.values(), chinese=language == "zh"),
        {form: act for act, forms in read["roles"].items() for form in forms},
        tuple(clauses["general"]),
        tuple(clauses["advice"]),
        frozenset(clauses["orders"]),
        tuple(clauses["no_advice"]),
        tuple(clauses["exists"]),
        frozenset(read["numbers"]["free"]),
        tuple(sorted(read["numbers"].get("units", ()), key=len, reverse=True)),
        frozenset(names.get("free", ())),
        names.get("characters", ""),
    )


def _family(name: str, kind: str, entry: Any) -> Family:
    one = cast(Mapping[str, Any], entry if isinstance(entry, dict) else {"words": entry})
    return Family(
        name,
        kind,
        tuple(one["words"]),
        tuple(one.get("hints", ())),
        frozenset(one.get("from", ())),
        one.get("common", False),
        one.get("own", False),
        one.get("bare", False),
        one.get("sex", ""),
    )


def _phrases(families: Iterable[Family], *, chinese: bool) -> Mapping[str, Sequence[Phrase]]:
    found: defaultdict[str, list[Phrase]] = defaultdict(list)
    for family in families:
        for word in family.words:
            parts = tuple(word) if chinese else tuple(word.split(" "))
            found[parts[0]].append(Phrase(family.name, parts))
    return {first: sorted(phrases, key=lambda one: -len(one.parts)) for first, phrases in found.items()}
