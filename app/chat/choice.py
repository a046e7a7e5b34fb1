"""From sampled candidates to the one that is shown: clean, check, score, rank."""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.chat.reply_faults import ReplyFaults
from app.logs import log_without_text
from app.metrics import Metrics
from models.chat_model import Candidate, ChatMessage
from models.cleanup import CleanReply, clean_reply
from models.novelty import TacticHistory
from models.rerank import Ranking, RankInput, RerankWeights, rerank
from models.scorer import ReplyFeatures
from models.style_effects import effect_of
from models.styles import Style
from safety.levels import RiskLevel
from safety.reply_check import check_reply
from safety.toxicity import ToxicityVerdict

_log = logging.getLogger(__name__)


class Scorer(Protocol):
    """What the chooser needs of ``models.scorer.ReplyScorer``."""

    def features(
        self,
        context: Sequence[ChatMessage],
        replies: Sequence[str],
        earlier: Sequence[str] = (),
        facts: Sequence[str] = (),
    ) -> list[ReplyFeatures]:
        """Measure candidates; see there."""
        ...


class Toxicity(Protocol):
    """What the chooser needs of ``safety.toxicity.ToxicityChecker``."""

    def check(self, texts: Sequence[str]) -> list[ToxicityVerdict]:
        """One verdict for each text."""
        ...


class Faults(Protocol):
    """What the chooser needs of ``app.chat.reply_faults.ReplyFaults``."""

    def find(self, replies: Sequence[str], level: RiskLevel) -> list[tuple[str, ...]]:
        """Kinds of fault in each reply; never raises."""
        ...


_NOT_SCORED = ReplyFeatures(sentences=(), sentence_tactics=())


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """A candidate with everything that was found out about it.

    Attributes:
        candidate: As it was sampled.
        text: The text after cleaning; this is what would be shown.
        penalties: Names of faults that cost points.
        blocked: Why it must never be shown, or ``None``.
        features: Scores, or ``None`` for a blocked one.
    """

    candidate: Candidate
    text: str
    penalties: tuple[str, ...]
    blocked: str | None
    features: ReplyFeatures | None


@dataclass(frozen=True, slots=True)
class Choice:
    """All judged candidates and their ranking; ``ranking.chosen`` is ``None`` if none may be shown."""

    judged: tuple[JudgedCandidate, ...]
    ranking: Ranking

    @property
    def chosen(self) -> JudgedCandidate | None:
        """The candidate to show."""
        index = self.ranking.chosen
        return None if index is None else self.judged[index]


class ReplyChooser:
    """Judges candidates in a worker thread, so that the event loop stays free."""

    def __init__(
        self,
        scorer: Scorer,
        toxicity: Toxicity,
        weights: RerankWeights,
        metrics: Metrics,
        faults: Faults | None = None,
    ) -> None:
        self._scorer = scorer
        self._toxicity = toxicity
        self._weights = weights
        self._metrics = metrics
        self._faults = faults or ReplyFaults(None)
        self._one_at_a_time = asyncio.Semaphore(1)

    async def choose(
        self,
        candidates: Sequence[Candidate],
        context: Sequence[ChatMessage],
        history: TacticHistory,
        earlier: Sequence[str],
        level: RiskLevel,
        style: Style = Style.BALANCED,
        facts: Sequence[str] = (),
    ) -> Choice:
        """Pick the candidate that is most empathic and repeats this conversation least.

        Args:
            candidates: As sampled, in index order.
            context: The conversation's turns up to the person's message.
            history: Tactic counts of the replies shown earlier, oldest first.
            earlier: Texts of the replies shown earlier, oldest first.
            level: Risk level of the turn; at risk, safety outweighs novelty.
            style: How the person wants to be answered; at risk it does not count.
            facts: What is remembered of the person.
        """
        async with self._one_at_a_time:
            return await asyncio.to_thread(
                self._choose, candidates, context, history, earlier, level, style, facts
            )

    def _choose(
        self,
        candidates: Sequence[Candidate],
        context: Sequence[ChatMessage],
        history: TacticHistory,
        earlier: Sequence[str],
        level: RiskLevel,
        style: Style,
        facts: Sequence[str],
    ) -> Choice:
        start = time.perf_counter()
        cleaned = [clean_reply(candidate.text, candidate.finish_reason) for candidate in candidates]
        asked = next((turn.content for turn in reversed(context) if turn.role == "user"), "")
        blocked = self._blocked(candidates, cleaned, level, asked)
        checked = time.perf_counter()
        usable = [index for index, reason in enumerate(blocked) if reason is None]
        features = self._features(context, [cleaned[index].text for index in usable], earlier, facts)
        by_index = dict(zip(usable, features, strict=True))
        scored = time.perf_counter()
        at_risk = level >= RiskLevel.MODERATE
        weights = self._weights if at_risk else effect_of(style).weigh(self._weights)
        ranking = rerank(
            [
                RankInput(
                    index,
                    by_index.get(index, _NOT_SCORED),
                    cleaned[index].penalties,
                    blocked[index],
                    1.0 if candidate.form is None else candidate.form.reward,
                )
                for index, candidate in enumerate(candidates)
            ],
            history,
            weights,
            int(level),
        )
        self._metrics.observe("check", checked - start)
        self._metrics.observe("score", scored - checked)
        self._metrics.observe("rank", time.perf_counter() - scored)
        judged = tuple(
            JudgedCandidate(candidate, clean.text, clean.penalties, blocked[index], by_index.get(index))
            for index, (candidate, clean) in enumerate(zip(candidates, cleaned, strict=True))
        )
        return Choice(judged, ranking)

    def _features(
        self,
        context: Sequence[ChatMessage],
        replies: Sequence[str],
        earlier: Sequence[str],
        facts: Sequence[str],
    ) -> list[ReplyFeatures]:
        """Scores; without a working scorer all are alike, and the first that may be shown is."""
        try:
            return self._scorer.features(context, replies, earlier, facts)
        except Exception as error:
            log_without_text(_log, "replies are not scored", error)
            self._metrics.layer_failures.labels("scorer").inc()
            return [ReplyFeatures((reply,), (frozenset(),)) for reply in replies]

    def _blocked(
        self, candidates: Sequence[Candidate], cleaned: Sequence[CleanReply], level: RiskLevel, asked: str
    ) -> list[str | None]:
        """Reason for each candidate that must never be shown."""
        reasons: list[str | None] = []
        texts = [clean.text for clean in cleaned]
        verdicts = self._toxicity.check(texts)
        faults = self._faults.find(texts, level)
        for candidate, clean, toxic, found in zip(candidates, cleaned, verdicts, faults, strict=True):
            if candidate.form is not None and candidate.form.dropped is not None:
                reasons.append(f"form:{candidate.form.dropped}")
                continue
            if not clean.text:
                reasons.append("empty")
                continue
            named = tuple(dict.fromkeys((*check_reply(clean.text, level, asked).reasons, *found)))
            if named:
                reasons.append("reply_check:" + ",".join(named))
            else:
                reasons.append(f"toxicity:{toxic.label}" if toxic.blocked else None)
        return reasons
