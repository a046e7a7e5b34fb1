"""The rewards in the form that verl's batch reward manager calls (verl 0.6).

``custom_reward_function`` names this file and :func:`mint` or :func:`mindchat`; ``reward_kwargs`` are their
settings. What was thought before a reply is taken off first. The coherence term, which needs the untouched
base beside the policy, is TRL's alone: here verl's own KL term has to do.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from models.ecot import parse_reply
from models.training.grpo_config import EncoderSettings, RewardSettings
from models.training.grpo_rewards import weighted_rewards
from models.training.reward_scoring import BatchScorer, load_batch_scorer


def mint(
    data_sources: Sequence[str],  # noqa: ARG001 - verl passes it
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],  # noqa: ARG001 - verl passes it
    extra_infos: Sequence[Mapping[str, Any]],
    **settings: Any,
) -> list[float]:
    """MINT's reward and the guards, summed.

    Args:
        data_sources: Not used.
        solution_strs: What was sampled; replies to one prompt are found by its key, wherever they stand.
        ground_truths: Not used: there is no right answer.
        extra_infos: ``key``, ``turns``, ``previous`` and, if known, ``mood`` of each, as
            :mod:`models.training.verl_rows` writes.
        settings: Those of ``RewardSettings`` and ``EncoderSettings``.
    """
    replies = [parse_reply(output, expect_thought=True).text for output in solution_strs]
    return _total("mint", replies, extra_infos, settings)


def mindchat(
    data_sources: Sequence[str],  # noqa: ARG001 - verl passes it
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],  # noqa: ARG001 - verl passes it
    extra_infos: Sequence[Mapping[str, Any]],
    **settings: Any,
) -> list[float]:
    """MindChat's reward and the guards, summed; see :func:`mint`. Tags belong to the form and are kept."""
    return _total("mindchat", solution_strs, extra_infos, settings)


def _total(
    kind: str, replies: Sequence[str], infos: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]
) -> list[float]:
    encoder = EncoderSettings.model_validate(
        {name: value for name, value in settings.items() if name in EncoderSettings.model_fields}
    )
    reward = RewardSettings.model_validate(
        {name: value for name, value in settings.items() if name not in EncoderSettings.model_fields}
        | {"kind": kind, "coherence": 0.0}
    )
    scorer = _scorer(encoder.name, encoder.file, encoder.threads, encoder.device)
    columns = {name: [info[name] for info in infos] for name in ("key", "turns", "previous")}
    columns["mood"] = [info.get("mood", "") for info in infos]
    total = [0.0] * len(replies)
    for function, weight in weighted_rewards(reward, scorer, _no_likelihood, 0.0):
        found = function(replies, **columns)
        total = [so_far + weight * value for so_far, value in zip(total, found, strict=True)]
    return total


def _no_likelihood(prompts: Sequence[str], replies: Sequence[str]) -> list[float]:
    raise NotImplementedError("verl has no untouched base beside the policy")


@cache
def _scorer(name: str, file: Path | None, threads: int, device: str) -> BatchScorer:
    return load_batch_scorer(name, file, threads, device)
