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
    "certain",
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
        chosen: How often a reply that the re-ranker chose carries it, 0 to 1; see
            :func:`models.novelty.rarity`.
    """

    text: Mapping[str, str]
    cue: Mapping[str, str]
    chosen: float


@cache
def load_definitions() -> Mapping[Tactic, TacticDefinition]:
    """Read ``models/tactics.yaml``; one definition for each tactic, in the order of the enum."""
    raw = yaml.safe_load(resources.files("models").joinpath("tactics.yaml").read_text("utf-8"))
    return {
        tactic: TacticDefinition(
            text={language: raw[tactic][language] for language in ("en", "zh")},
            cue=dict(raw[tactic]["cue"]),
            chosen=float(raw[tactic]["chosen"]),
        )
        for tactic in Tactic
    }


def certain(counts: TacticCounts) -> TacticChances:
    """1 for each tactic that was found: what is known of a reply whose chances were not kept."""
    return {tactic: 1.0 for tactic, count in counts.items() if count > 0}


def count_tactics(tagged: Iterable[AbstractSet[Tactic]]) -> dict[Tactic, int]:
    """Count the sentences that carry each tactic, in the order of the enum, zeros left out."""
    sentences = list(tagged)
    counts = {tactic: sum(tactic in sentence for sentence in sentences) for tactic in Tactic}
    return {tactic: count for tactic, count in counts.items() if count}
