"""Checkpoint profiles: what is known of each model Hearken can serve, read from one data file."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

import yaml

PromptStyle = Literal["mint", "mindchat", "plain"]


@dataclass(frozen=True, slots=True)
class Profile:
    """One checkpoint's facts.

    Attributes:
        key: Short name used in settings and results, for example ``mint-4b``.
        model_ids: Names under which a server may offer the checkpoint.
        languages: Language codes it was trained to answer in, best first.
        prompt: Which prompt builder it was trained with.
        context_length: Tokens of prompt and reply together.
        sampling: Keyword arguments for ``SamplingParams``.
        max_reply_tokens: Tokens kept free for the reply when a prompt is cut to fit.
        answers_at_risk: Whether its own words may be shown to a person at risk; a very small
            model's may not, a written reply takes their place.
        ecot: Whether it was trained to answer in an empathic chain of thought (:mod:`models.ecot_form`).
        monolingual: Whether it can't even read other languages than ``languages``.
        chat_template_kwargs: Sent along with each request; ``enable_thinking`` is set
            from ``SamplingParams.thinking`` when the key is present here.
    """

    key: str
    model_ids: tuple[str, ...]
    languages: tuple[str, ...]
    prompt: PromptStyle
    context_length: int
    sampling: dict[str, Any]
    max_reply_tokens: int
    chat_template_kwargs: dict[str, Any]
    answers_at_risk: bool = True
    monolingual: bool = False
    ecot: bool = False


@cache
def load_profiles() -> dict[str, Profile]:
    """Read ``models/profiles.yaml``; keys in file order."""
    raw = yaml.safe_load(resources.files("models").joinpath("profiles.yaml").read_text("utf-8"))
    return {
        key: Profile(
            key=key,
            model_ids=tuple(entry["model_ids"]),
            languages=tuple(entry["languages"]),
            prompt=entry["prompt"],
            context_length=int(entry["context_length"]),
            sampling=dict(entry["sampling"]),
            max_reply_tokens=int(entry["max_reply_tokens"]),
            chat_template_kwargs=dict(entry.get("chat_template_kwargs", {})),
            answers_at_risk=bool(entry.get("answers_at_risk", True)),
            monolingual=bool(entry.get("monolingual", False)),
            ecot=bool(entry.get("ecot", False)),
        )
        for key, entry in raw["profiles"].items()
    }


def profile_for_model(model_id: str) -> Profile | None:
    """The profile that names ``model_id`` (case and folder prefix do not matter), if any."""
    wanted = model_id.rstrip("/").rsplit("/", 1)[-1].casefold()
    for profile in load_profiles().values():
        if any(name.rsplit("/", 1)[-1].casefold() == wanted for name in profile.model_ids):
            return profile
    return None
