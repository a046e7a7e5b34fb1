"""Chooses the reply to show: a pure function from candidates and history to a ranking.

Every term of the objective is in points of Q (1–5), so a weight says how many points of predicted
empathy one full unit of that term is worth::

    total = quality * Q
          + novelty * scaled D_KL       from the last turn's tactics, 0–1 within the group
          + conversation * scaled D_KL  from all turns' tactics, older ones decayed, 0–1 within the group
          - reuse * average tactics     of the last turn that are likely to come back
          - tactics * expected tactics  of the reply, each of which can come back next turn
          - repetition * wording        repeated from an earlier reply, 0–1
          - restated * 0–1              said before in other words (models/restating.py)
          - opening * 0 or 1            same opening words as an earlier reply
          - premature * 0–1             advice before anything was understood (models/conduct.py)
          - validation * 0–1            only agrees, or validates once more (the same)
          - missed * 0–1                the person's specifics left out (models/specifics.py)
          - invented * 0–1              details that the person never told (models/inventions.py)
          - unfit * 0–1                 doesn't answer what was said (models/answers.py; embedded model)
          - generic * 0–1               could have been given to anybody (models/generic_reply.py)
          - tone * 0–1                  in another tone than the person's (models/tone.py)
          - length * 0–1                words beyond length_from; only in a brief style (models/styles.yaml)
          + guidance * 0 or 1           only at risk: points to safety (models/guidance.py)
          - form * (1 - reward)         where outputs have a form (models/format_reward.py)
          - the penalties' points

``unfit`` counts at every level and, as penalties do, before a loss of quality is measured: empathy for
something that was never said is worth nothing. At risk quality, guidance, penalties and this are all that
counts: safety outweighs novelty. D_KL is MINT's novelty reward; on released replies it hardly lowers
stickiness, because long replies hold nearly all tactics in other shares. ``reuse`` is what stickiness
counts, and does (evals/results/rerank_*.json).

A candidate can only be preferred for these terms while its quality after penalties (at risk: with the
points for guidance) is within ``max_quality_loss`` of the best one, whatever the weights are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from models.cleanup import Penalty
from models.conduct import over_validation, premature_advice
from models.novelty import TacticHistory, kl_divergence, reuse
from models.scorer_features import ReplyFeatures
from models.sentences import word_count
from models.tactics import Tactic, TacticChances, certain

_ROUNDING = 1e-9

PENALTY_POINTS: Mapping[str, float] = MappingProxyType(
    {
        Penalty.LEAKED_REASONING: 0.3,
        Penalty.ROLE_MARKER: 0.3,
        Penalty.SEVERAL_REPLIES: 0.5,
        Penalty.VISIBLE_LABEL: 0.5,
        Penalty.LIST: 0.5,
        Penalty.PLACEHOLDER: 0.5,
        Penalty.UNFINISHED: 0.5,
    }
)
"""Default points of Q each repair costs; what was repaired often reads worse than it scores."""


TERMS: Mapping[str, int] = MappingProxyType(
    {
        "novelty": 1,
        "conversation": 1,
        "reuse": -1,
        "tactics": -1,
        "repetition": -1,
        "opening": -1,
        "premature": -1,
        "validation": -1,
        "restated": -1,
        "missed": -1,
        "invented": -1,
        "unfit": -1,
        "generic": -1,
        "tone": -1,
        "length": -1,
        "guidance": 1,
    }
)
"""Terms beside quality and penalties, and whether they add (1) or take off (-1); the weight of each is the
attribute of :class:`RerankWeights` of the same name."""


@dataclass(frozen=True, slots=True)
class RerankWeights:
    """Weights of the objective, in points of Q.

    Attributes:
        quality: Factor on predicted Q.
        novelty: Points for the most novel candidate of the group over the least novel.
        conversation: The same against all turns so far, older ones weighing less.
        decay: Weight of a turn for each turn since, 0–1.
        reuse: Points lost for each (average) tactic of the last turn that the reply uses again.
        chosen: How often chosen replies carry each tactic, for ``reuse``; ``None`` for what was measured.
        tactics: Points lost for each tactic that the reply is expected to carry.
        repetition: Points lost by a verbatim repetition of an earlier reply.
        repetition_from: Similarity of wording below which nothing counts as repeated.
        restated: Points lost by a reply that says nothing that was not said before.
        opening: Points lost by opening with the same words as an earlier reply.
        premature: Points lost by advice before anything was understood.
        validation: Points lost by a reply that only agrees, or validates once more.
        missed: Points lost by a reply that takes up none of the person's specifics.
        invented: Points lost by two details that the person never told, or more; one costs half.
        unfit: Points lost by a reply that surely misses what was said; half for one that fits in part.
        generic: Points lost by a reply that could have been given to anybody.
        tone: Points lost by a reply in another tone than the person's.
        length: Points lost by a reply of twice ``length_from`` words or more.
        length_from: Words (Chinese: 1.6 characters each) up to which a reply is not long.
        guidance: Points of a reply that points to safety, from ``risk_from`` on.
        penalties: Points lost for each named repair; ``default_penalty`` for others.
        default_penalty: Points for a penalty that is not in ``penalties``.
        form: Points lost by an output with format reward 0, counted among the penalties.
        max_quality_loss: Most points of quality that may be given up for the other terms.
        risk_from: Risk level from which safety guidance counts, and novelty and manners do not.
    """

    quality: float = 1.0
    novelty: float = 0.05
    conversation: float = 0.05
    decay: float = 0.6
    reuse: float = 0.7
    chosen: Mapping[Tactic, float] | None = None
    tactics: float = 0.0
    repetition: float = 0.3
    repetition_from: float = 0.3
    restated: float = 0.2
    opening: float = 0.05
    premature: float = 0.2
    validation: float = 0.05
    missed: float = 0.05
    invented: float = 0.6
    unfit: float = 6.0
    generic: float = 0.05
    tone: float = 0.1
    length: float = 0.0
    length_from: int = 40
    guidance: float = 0.5
    penalties: Mapping[str, float] = field(default_factory=lambda: PENALTY_POINTS)
    default_penalty: float = 0.3
    form: float = 0.5
    max_quality_loss: float = 0.6
    risk_from: int = 2


@dataclass(frozen=True, slots=True)
class RankInput:
    """One candidate.

    Attributes:
        index: Its index in the group.
        features: What the scorer found.
        penalties: Names from :func:`models.cleanup.clean_reply` and other checks.
        blocked: Why it must never be shown, or ``None``.
        reward: Format reward of the output, 0–1; 1 where there is no such form to keep.
    """

    index: int
    features: ReplyFeatures
    penalties: tuple[str, ...] = ()
    blocked: str | None = None
    reward: float = 1.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a candidate stands where it stands; all terms in points of Q.

    Attributes:
        index: Index of the candidate.
        total: Value of the objective.
        quality: Predicted Q, 1–5.
        divergence: D_KL from the last supporter turn, natural log, at most 5.
        terms: Points added (over 0) or taken off (under 0) by each of :data:`TERMS`.
        penalties: Points taken off by name.
        eligible: Whether its quality is close enough to the best to be chosen.
        excluded: Why it can't be shown (``blocked: …`` or ``empty``), or ``None``.
    """

    index: int
    total: float
    quality: float
    divergence: float
    terms: Mapping[str, float]
    penalties: Mapping[str, float]
    eligible: bool
    excluded: str | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The outcome.

    Attributes:
        order: Indices of the candidates that can be shown, best first.
        chosen: The first of them, or ``None`` when none can be shown.
        explanations: One for each candidate, in the order they came.
    """

    order: tuple[int, ...]
    chosen: int | None
    explanations: tuple[Explanation, ...]


def rerank(
    candidates: Sequence[RankInput],
    history: TacticHistory,
    weights: RerankWeights | None = None,
    risk: int = 0,
) -> Ranking:
    """Rank candidates by the objective of this module.

    Args:
        candidates: The group, each with its features.
        history: Tactics of this conversation's earlier supporter turns.
        weights: Weights; the defaults when ``None``.
        risk: Risk level of this turn (0 none … 3 imminent).

    Returns:
        The ranking; blocked and empty candidates are never in ``order``. Equal totals keep the
        order of the group.
    """
    weights = weights or RerankWeights()
    calm = risk < weights.risk_from
    excluded = [_exclusion(candidate) for candidate in candidates]
    usable = [i for i, reason in enumerate(excluded) if reason is None]
    last = [_divergence(candidate, history.last()) for candidate in candidates]
    whole = [_divergence(candidate, history.decayed(weights.decay)) for candidate in candidates]
    terms = [
        _terms(candidate, weights, calm, history, novelty, conversation)
        for candidate, novelty, conversation in zip(
            candidates, _scaled(last, usable), _scaled(whole, usable), strict=True
        )
    ]
    floor = max((terms[i].net for i in usable), default=0.0) - weights.max_quality_loss - _ROUNDING
    explanations = tuple(
        _explain(candidate, terms[i], last[i], floor, excluded[i], weights)
        for i, candidate in enumerate(candidates)
    )
    ranked = sorted(usable, key=lambda i: (not explanations[i].eligible, -explanations[i].total, i))
    order = tuple(candidates[i].index for i in ranked)
    return Ranking(order, order[0] if order else None, explanations)


@dataclass(frozen=True, slots=True)
class _Sum:
    net: float
    terms: Mapping[str, float]
    penalties: Mapping[str, float]

    def total(self) -> float:
        return sum(self.terms.values()) - sum(self.penalties.values())


def _terms(
    candidate: RankInput,
    weights: RerankWeights,
    calm: bool,
    history: TacticHistory,
    novelty: float,
    conversation: float,
) -> _Sum:
    units = _units(candidate.features, weights, history) | {"novelty": novelty, "conversation": conversation}
    counts = {name: name == "unfit" or (name == "guidance") != calm for name in TERMS}
    # Adding 0 makes an empty loss 0 and not -0.
    points = {
        name: sign * getattr(weights, name) * units[name] * counts[name] + 0.0 for name, sign in TERMS.items()
    }
    penalties = _points(candidate, weights)
    net = candidate.features.quality - sum(penalties.values()) + points["guidance"] + points["unfit"]
    return _Sum(net, points, penalties)


def _units(features: ReplyFeatures, weights: RerankWeights, history: TacticHistory) -> dict[str, float]:
    """How much of each term a reply has, but for those that depend on the group."""
    return {
        "reuse": reuse(features.likely(), _before(features, history), weights.chosen),
        "tactics": sum(features.likely().values()),
        "repetition": _wording(features.similarity, weights.repetition_from),
        "opening": float(features.repeated_opening),
        "premature": premature_advice(features, history),
        "validation": over_validation(features, history),
        "restated": features.restated,
        "missed": features.missed,
        "invented": features.failures.invented,
        "unfit": features.unfit,
        "generic": features.failures.generic,
        "tone": features.failures.tone,
        "length": _length(features, weights.length_from),
        "guidance": float(features.guidance),
    }


def _before(features: ReplyFeatures, history: TacticHistory) -> TacticChances:
    """How likely the last reply carried each tactic: by the scorer, else by its stored counts."""
    return certain(history.last() or {}) if features.previous is None else features.previous


def _explain(
    candidate: RankInput,
    found: _Sum,
    divergence: float,
    floor: float,
    excluded: str | None,
    weights: RerankWeights,
) -> Explanation:
    quality = candidate.features.quality
    return Explanation(
        index=candidate.index,
        total=weights.quality * quality + found.total(),
        quality=quality,
        divergence=divergence,
        terms=found.terms,
        penalties=found.penalties,
        eligible=excluded is None and found.net >= floor,
        excluded=excluded,
    )


def _points(candidate: RankInput, weights: RerankWeights) -> dict[str, float]:
    points = {str(name): weights.penalties.get(name, weights.default_penalty) for name in candidate.penalties}
    lost = weights.form * (1.0 - candidate.reward)
    return points | ({"form": lost} if lost > 0 else {})


def _exclusion(candidate: RankInput) -> str | None:
    if candidate.blocked is not None:
        return f"blocked: {candidate.blocked}"
    return None if candidate.features.sentences else "empty"


def _divergence(candidate: RankInput, before: Mapping[Tactic, float] | None) -> float:
    """0 before the first turn, and (as in MINT's code) for a reply without tactics."""
    counts = candidate.features.counts
    return kl_divergence(counts, before) if before and any(counts.values()) else 0.0


def _scaled(values: Sequence[float], usable: Sequence[int]) -> list[float]:
    """Min-max within the candidates that can be shown; all 0 when they are alike."""
    within = [values[i] for i in usable]
    low, high = min(within, default=0.0), max(within, default=0.0)
    if high - low < 1e-9:
        return [0.0] * len(values)
    return [min(max((value - low) / (high - low), 0.0), 1.0) for value in values]


def _wording(similarity: float, start: float) -> float:
    return min(max((similarity - start) / max(1.0 - start, 1e-9), 0.0), 1.0)


def _length(features: ReplyFeatures, usual: int) -> float:
    words = sum(word_count(sentence) for sentence in features.sentences)
    return min(max(words / usual - 1.0, 0.0), 1.0)
