"""The ten empathy tactics of MINT's taxonomy, what they mean, and how they are counted."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

import yaml

from models.sentences import split_sentences

__all__ = [
    "Tactic",
    "TacticChances",
    "TacticCounts",
    "TacticDefinition",
    "count_tactics",
    "load_definitions",
    "split_sentences",
]


class Tactic(StrEnum):
    """One discourse move a sentence of a reply can make; a sentence can carry several."""

    INFORMATION = "information"
    ASSISTANCE = "assistance"
    ADVICE = "advice"
    VALIDATION = "validation"
    EMOTIONAL_EXPRESSION = "emotional_expression"
    PARAPHRASING = "paraphrasing"
    SELF_DISCLOSURE = "self_disclosure"
    QUESTIONING = "questioning"
    REAPPRAISAL = "reappraisal"
    EMPOWERMENT = "empowerment"


TacticCounts = Mapping[Tactic, int]
"""Number of sentences of one reply that carry each tactic; absent means 0."""

TacticChances = Mapping[Tactic, float]
"""How likely one reply carries each tactic, 0 to 1; absent means 0."""


@dataclass(frozen=True, slots=True)
class TacticDefinition:
    """One tactic.

    Attributes:
        text: What it means, by language code (``en``, ``zh``).
        cue: A sentence that shows it, by language code.
        share: Share of MINT's released replies that carry it.
    """

    text: Mapping[str, str]
    cue: Mapping[str, str]
    share: float


@cache
def load_definitions() -> Mapping[Tactic, TacticDefinition]:
    """Read ``models/tactics.yaml``; one definition for each tactic, in the order of the enum."""
    raw = yaml.safe_load(resources.files("models").joinpath("tactics.yaml").read_text("utf-8"))
    return {
        tactic: TacticDefinition(
            text={language: raw[tactic][language] for language in ("en", "zh")},
            cue=dict(raw[tactic]["cue"]),
            share=float(raw[tactic]["share"]),
        )
        for tactic in Tactic
    }


def count_tactics(tagged: Iterable[AbstractSet[Tactic]]) -> dict[Tactic, int]:
    """Count the sentences that carry each tactic, in the order of the enum, zeros left out."""
    sentences = list(tagged)
    counts = {tactic: sum(tactic in sentence for sentence in sentences) for tactic in Tactic}
    return {tactic: count for tactic, count in counts.items() if count}
