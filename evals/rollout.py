"""Rolls conversations out turn by turn over a pool of released replies, with own history."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from models.encoder import Vectors
from models.failure_checks import FailureValues
from models.novelty import TacticHistory, pooled_stickiness
from models.rerank import RankInput, RerankWeights, rerank
from models.restating import restated
from models.scorer import EARLIER_REPLIES, ReplyFeatures
from models.tactics import Tactic, TacticChances, certain, count_tactics
from models.training.metrics import mean_of
from models.training.mint_data import MintReply
from models.wording import read_wording, repeats_opening

Turn = Sequence[int]
"""Indices of the replies that can be chosen at one turn."""


class Wordings:
    """Compares released replies; each pair is compared once over all roll-outs."""

    def __init__(self, replies: Sequence[MintReply]) -> None:
        self._read = [read_wording(reply.text) for reply in replies]
        self._known: dict[tuple[int, int], float] = {}

    def similarity(self, a: int, b: int) -> float:
        """Similarity of two replies by index."""
        if (a, b) not in self._known:
            self._known[a, b] = self._read[a].similarity(self._read[b])
        return self._known[a, b]

    def repeats_opening(self, index: int, earlier: Sequence[int]) -> bool:
        """Whether a reply opens like an earlier one."""
        return repeats_opening(self._read[index], (self._read[i] for i in earlier))


@dataclass(frozen=True, slots=True)
class Pool:
    """Released replies and what a scorer says of them.

    Attributes:
        replies: The replies.
        tactics: Tactics of each sentence by the scorer.
        quality: Q by the scorer.
        penalties: Names of what each reply would be repaired for.
        wordings: Compares replies.
        conversations: The turns of each conversation, in order.
        vectors: Of each reply's sentences.
        center: Their mean.
        failures: What the checks for failures say of each reply.
        chances: How likely each reply carries each tactic; ``None`` where ``tactics`` are certain.
    """

    replies: Sequence[MintReply]
    tactics: Sequence[Sequence[frozenset[Tactic]]]
    quality: Sequence[float]
    penalties: Sequence[tuple[str, ...]]
    wordings: Wordings
    conversations: Sequence[Sequence[Turn]]
    vectors: Sequence[Vectors]
    center: Vectors
    failures: Sequence[FailureValues]
    chances: Sequence[TacticChances] | None = None

    def likely(self, index: int) -> TacticChances:
        """How likely a reply carries each tactic."""
        return certain(count_tactics(self.tactics[index])) if self.chances is None else self.chances[index]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Measured on the chosen replies, with the authors' tags and the judge's ratings.

    Attributes:
        stickiness: P(tactic in turn i | tactic in turn i−1) over all conversations.
        empathy: Mean aggregated empathy.
        words: Mean words a reply.
        repeated_openings: Share of replies after a conversation's first that open like an earlier one.
        wording: Mean of the largest similarity of wording to one of the last replies, same replies.
    """

    stickiness: float
    empathy: float
    words: float
    repeated_openings: float
    wording: float


Choice = Callable[[Turn, TacticHistory, Sequence[int]], int]
"""Picks one reply of a turn from the tactics and the replies chosen before."""


def turns_of(replies: Sequence[MintReply], systems: Sequence[str]) -> list[list[list[int]]]:
    """The turns of each conversation with the replies of some systems, in order.

    Turns at which none of the systems replied are left out, and replies without a rating too.
    """
    wanted = set(systems)
    found: dict[str, dict[int, list[int]]] = {}
    for index, reply in enumerate(replies):
        rated = reply.quality == reply.quality  # not nan
        if reply.system in wanted and rated and reply.text.strip():
            conversation, turn = reply.context
            found.setdefault(conversation, {}).setdefault(turn, []).append(index)
    return [[turns[number] for number in sorted(turns)] for _, turns in sorted(found.items())]


def roll_out(pool: Pool, choose: Choice) -> list[list[int]]:
    """Choose a reply at each turn of each conversation."""
    chosen: list[list[int]] = []
    for turns in pool.conversations:
        history, picked = TacticHistory(), list[int]()
        for turn in turns:
            index = choose(turn, history, picked)
            picked.append(index)
            history = history.with_turn(count_tactics(pool.tactics[index]))
        chosen.append(picked)
    return chosen


def by_weights(pool: Pool, weights: RerankWeights) -> Choice:
    """Choose as the app does, with the re-ranker."""

    def choose(turn: Turn, history: TacticHistory, earlier: Sequence[int]) -> int:
        recent = earlier[-EARLIER_REPLIES:]
        group = [_input(pool, index, recent) for index in turn]
        chosen = rerank(group, history, weights).chosen
        return turn[0] if chosen is None else chosen

    return choose


def at_random(rng: random.Random) -> Choice:
    """Choose any."""

    def choose(turn: Turn, history: TacticHistory, earlier: Sequence[int]) -> int:  # noqa: ARG001
        return rng.choice(turn)

    return choose


def outcome(pool: Pool, chosen: Sequence[Sequence[int]]) -> Outcome:
    """Judge what was chosen."""
    replies = pool.replies
    pairs = [
        (replies[before].turn_tactics, replies[after].turn_tactics)
        for conversation in chosen
        for before, after in pairwise(conversation)
    ]
    later = [
        (index, conversation[max(0, place - EARLIER_REPLIES) : place])
        for conversation in chosen
        for place, index in enumerate(conversation)
        if place
    ]
    flat = [replies[index] for conversation in chosen for index in conversation]
    words = pool.wordings
    return Outcome(
        stickiness=pooled_stickiness(pairs) or 0.0,
        empathy=mean_of(reply.quality for reply in flat),
        words=mean_of(float(len(reply.text.split())) for reply in flat),
        repeated_openings=mean_of(float(words.repeats_opening(i, past)) for i, past in later),
        wording=mean_of(max(words.similarity(i, one) for one in past) for i, past in later),
    )


def mean_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """Mean of several roll-outs."""
    rows = [asdict(one) for one in outcomes]
    return Outcome(**{name: mean_of(row[name] for row in rows) for name in rows[0]})


def systems_alone(pool: Pool, systems: Sequence[str]) -> Mapping[str, Outcome]:
    """Each system answering alone."""
    return {
        system: outcome(pool, [[turn[0] for turn in c] for c in turns_of(pool.replies, [system])])
        for system in systems
    }


def _input(pool: Pool, index: int, recent: Sequence[int]) -> RankInput:
    reply = pool.replies[index]
    tactics = tuple(pool.tactics[index])
    features = ReplyFeatures(
        sentences=reply.sentences,
        sentence_tactics=tactics,
        counts=count_tactics(tactics),
        quality=pool.quality[index],
        similarity=max((pool.wordings.similarity(index, past) for past in recent), default=0.0),
        restated=restated(pool.vectors[index], [pool.vectors[i] for i in recent], pool.center),
        repeated_opening=pool.wordings.repeats_opening(index, recent),
        failures=pool.failures[index],
        chances=pool.likely(index),
        previous=pool.likely(recent[-1]) if recent else None,
    )
    return RankInput(index, features, pool.penalties[index])
