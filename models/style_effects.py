"""What each style changes beside the prompt: weights of the re-ranker and the room for a reply."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import yaml

from models.chat_model import SamplingParams
from models.profiles import Profile
from models.rerank import RerankWeights
from models.styles import Style


@dataclass(frozen=True, slots=True)
class StyleEffect:
    """What a style changes.

    Attributes:
        weights: Weights of the re-ranker that it sets.
        factors: Weights that it multiplies.
        max_tokens: Most tokens of a reply, or ``None`` for the checkpoint's own limit.
    """

    weights: Mapping[str, float]
    factors: Mapping[str, float]
    max_tokens: int | None

    def weigh(self, weights: RerankWeights) -> RerankWeights:
        """The weights of a turn in this style."""
        scaled = {name: factor * getattr(weights, name) for name, factor in self.factors.items()}
        changes: dict[str, Any] = {**self.weights, **scaled}
        return replace(weights, **changes) if changes else weights

    def sampling(self, profile: Profile) -> SamplingParams | None:
        """How to sample in this style; ``None`` leaves it to the checkpoint."""
        usual = SamplingParams.of(profile)
        # The limit counts thoughts too: cut short, a thinking checkpoint would not come to its reply.
        if self.max_tokens is None or usual.thinking or profile.ecot or usual.max_tokens <= self.max_tokens:
            return None
        return replace(usual, max_tokens=self.max_tokens)


def effect_of(style: Style) -> StyleEffect:
    """What ``models/styles.yaml`` says of a style."""
    return _effects()[style]


@cache
def _effects() -> Mapping[Style, StyleEffect]:
    raw = yaml.safe_load(resources.files("models").joinpath("styles.yaml").read_text("utf-8"))
    return {
        Style(name): StyleEffect(
            weights=dict(entry.get("weights", {})),
            factors=dict(entry.get("factors", {})),
            max_tokens=entry.get("max_tokens"),
        )
        for name, entry in raw.items()
    }
