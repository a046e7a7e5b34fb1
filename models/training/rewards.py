"""Rewards of reinforcement learning as plain functions ``(completions, **columns) -> list[float]``.

TRL's trainers call them with the data's columns by name; :mod:`models.training.verl_rewards` calls the same
functions for verl. Needed are the columns ``key`` (names the prompt: replies with one key are a group),
``turns`` (messages up to the person's last one) and ``previous`` (counts of the ten tactics in the previous
supporter turn, in the order of ``Tactic``; zeros at a first turn); other columns are passed over.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from models.chat_model import ChatMessage
from models.ecot import parse_reply
from models.empathy import HIGHEST, LOWEST, last_user_text
from models.format_reward import format_reward
from models.novelty import kl_divergence
from models.specifics import missed, specifics
from models.tactics import Tactic, TacticCounts
from models.training.contradiction import contradicts
from models.training.group_reward import LABEL_PENALTY, NOVELTY, group_rewards
from models.training.mood_guard import mood_clash
from models.training.reward_guards import (
    incoherence,
    is_unfinished,
    repeated_share,
    shared_openings,
    shared_sentences,
)

Turns = Sequence[ChatMessage]
Completion = str | Sequence[Mapping[str, Any]]
"""A text, or messages of which the last is the reply (TRL's conversational form)."""
LogLikelihood = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""From prompts and replies to the mean log-likelihood of each reply's tokens, in nats."""
Judge = Callable[[Sequence[Turns], Sequence[str]], Sequence[float]]
"""From contexts and replies to ratings of 1–5."""


class Scored(Protocol):
    """What is needed of :class:`models.scorer_features.ReplyFeatures`."""

    @property
    def counts(self) -> TacticCounts:
        """Sentences that carry each tactic."""
        ...

    @property
    def quality(self) -> float:
        """Q, 1–5."""
        ...


Measure = Callable[[Sequence[Turns], Sequence[str]], Sequence[Scored]]
"""From the context and the text of each reply to what was measured on it."""


class RewardFunction(Protocol):
    """What TRL and verl call."""

    __name__: str

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> list[float]:
        """A reward for each completion."""
        ...


def mint_reward(
    measure: Measure, novelty: float = NOVELTY, label_penalty: float = LABEL_PENALTY
) -> RewardFunction:
    """MINT's reward: Q and D_KL from the previous supporter turn, each scaled within the group.

    Args:
        measure: Predicts Q and tags tactics.
        novelty: λ.
        label_penalty: Taken off a reply that shows tactic labels.
    """

    def mint(
        completions: Sequence[Completion],
        *,
        key: Sequence[Hashable],
        turns: Sequence[Sequence[Any]],
        previous: Sequence[Sequence[int]],
        log_metric: Callable[[str, float], None] | None = None,
        **_: Any,
    ) -> list[float]:
        texts = [text_of(completion) for completion in completions]
        found = measure([messages_of(one) for one in turns], texts)
        before = [counts_of(row) for row in previous]
        rewards = [0.0] * len(texts)
        for places in groups(key):
            group = [(texts[i], found[i].counts, found[i].quality) for i in places]
            values = group_rewards(group, [before[i] for i in places], novelty, label_penalty)
            for i, value in zip(places, values, strict=True):
                rewards[i] = value
        if log_metric is not None and texts:
            log_metric("quality", sum(one.quality for one in found) / len(found))
            divergences = [kl_divergence(one.counts, row) for one, row in zip(found, before, strict=True)]
            log_metric("divergence", sum(divergences) / len(divergences))
            log_metric("words", sum(len(text.split()) for text in texts) / len(texts))
        return rewards

    return mint


def mindchat_reward(rate: Judge) -> RewardFunction:
    """MindChat's reward: the format reward plus the answer's rating, each from 0 to 1.

    She et al., *MindChat-R0* (UbiComp Companion 2025); where the paper has a judge, ``rate`` may be one,
    or predicted Q (:func:`quality_rating`). An output without an answer gets no points for a rating.

    Args:
        rate: Ratings of 1–5, brought to 0–1 as ``(rating − 1) / 4``.
    """

    def mindchat(
        completions: Sequence[Completion], *, turns: Sequence[Sequence[Any]], **_: Any
    ) -> list[float]:
        outputs = [text_of(completion) for completion in completions]
        answers = [parse_reply(output).text.strip() for output in outputs]
        ratings = rate([messages_of(one) for one in turns], answers)
        return [
            format_reward(output) + ((rating - LOWEST) / (HIGHEST - LOWEST) if answer else 0.0)
            for output, answer, rating in zip(outputs, answers, ratings, strict=True)
        ]

    return mindchat


def quality_rating(measure: Measure) -> Judge:
    """Predicted Q in place of a judge."""

    def rate(turns: Sequence[Turns], replies: Sequence[str]) -> list[float]:
        return [one.quality for one in measure(turns, replies)]

    return rate


def coherence_guard(likelihood: LogLikelihood, floor: float) -> RewardFunction:
    """Minus the nats a token by which a reply is less likely than ``floor`` under the untouched base."""

    def coherence(completions: Sequence[Completion], *, prompts: Sequence[str], **_: Any) -> list[float]:
        found = likelihood(prompts, [text_of(completion) for completion in completions])
        return [-incoherence(value, floor) for value in found]

    return coherence


def repetition(completions: Sequence[Completion], **_: Any) -> list[float]:
    """Minus the share of word 4-grams that occurred before in the reply."""
    return [-repeated_share(text_of(completion)) for completion in completions]


def contradiction(
    completions: Sequence[Completion], *, turns: Sequence[Sequence[Any]], **_: Any
) -> list[float]:
    """Minus 1 for a reply that contradicts the person's last message (models/training/contradiction.py)."""
    said = [last_user_text(messages_of(one)) for one in turns]
    return [
        -float(contradicts(message, text_of(completion)))
        for message, completion in zip(said, completions, strict=True)
    ]


def specificity(
    completions: Sequence[Completion], *, turns: Sequence[Sequence[Any]], **_: Any
) -> list[float]:
    """Minus the share of the person's specifics that a reply leaves out (models/specifics.py)."""
    told = [specifics(last_user_text(messages_of(one))) for one in turns]
    return [-missed(found, text_of(completion)) for found, completion in zip(told, completions, strict=True)]


def openings(completions: Sequence[Completion], *, key: Sequence[Hashable], **_: Any) -> list[float]:
    """Minus the share of replies to other prompts that begin with the same three words."""
    return [-share for share in shared_openings([text_of(one) for one in completions], key)]


def stock(completions: Sequence[Completion], *, key: Sequence[Hashable], **_: Any) -> list[float]:
    """Minus the mean share of replies to other prompts that say the same sentences."""
    return [-share for share in shared_sentences([text_of(one) for one in completions], key)]


def mood_guard(
    completions: Sequence[Completion], *, mood: Sequence[str] | None = None, **_: Any
) -> list[float]:
    """Minus how much of a reply is in another mood than what was said (models/training/mood_guard.py)."""
    known = mood or [""] * len(completions)
    return [-mood_clash(text_of(one), stated) for one, stated in zip(completions, known, strict=True)]


def unfinished(completions: Sequence[Completion], **_: Any) -> list[float]:
    """Minus 1 for a reply that is empty or was cut."""
    return [-float(is_unfinished(text_of(completion))) for completion in completions]


def groups(keys: Sequence[Hashable]) -> list[list[int]]:
    """Places of the replies to each prompt."""
    found: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return list(found.values())


def text_of(completion: Completion) -> str:
    """The reply's text, stripped."""
    if isinstance(completion, str):
        return completion.strip()
    return str(completion[-1]["content"]).strip() if completion else ""


def messages_of(turns: Sequence[Any]) -> list[ChatMessage]:
    """Messages from rows with ``role`` and ``content``."""
    return [
        turn if isinstance(turn, ChatMessage) else ChatMessage(turn["role"], turn["content"])
        for turn in turns
    ]


def counts_of(row: Sequence[int]) -> TacticCounts:
    """Tactic counts from ten numbers in the order of ``Tactic``; an empty row has none."""
    if len(row) == 0:  # verl gives arrays, whose truth is not their length
        return {}
    return {tactic: count for tactic, count in zip(Tactic, map(int, row), strict=True) if count}
