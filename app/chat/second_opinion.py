"""The optional judge of the crisis layers: asked beside the turn, never waited for longer than its limit."""

import asyncio
import logging
from dataclasses import replace
from typing import Protocol

from app.logs import log_without_text
from app.metrics import Metrics
from models.risk_judge import Opinion
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, RiskMatch
from safety.session_risk import with_finding

_log = logging.getLogger(__name__)
LAYER = "judge"


class Judge(Protocol):
    """What is needed of ``models.risk_judge.RiskJudge``."""

    async def judge(self, text: str) -> Opinion:
        """An opinion on one message; raises when there is none."""
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class SecondOpinion:
    """Asks the judge and adds what it says to an assessment, by maximum; never raises.

    Args:
        judge: Whom to ask.
        metrics: Counts failures by layer.
        timeout_s: Seconds after which the turn goes on without an opinion.
    """

    def __init__(self, judge: Judge, metrics: Metrics, timeout_s: float) -> None:
        self._judge = judge
        self._metrics = metrics
        self._timeout_s = timeout_s
        self._last_failure: str | None = None
        self._asked = False

    def status(self) -> str:
        """``not asked yet``, ``ok``, or why the last question had no answer."""
        if self._last_failure is not None:
            return f"failed ({self._last_failure})"
        return "ok" if self._asked else "not asked yet"

    async def add(self, text: str, assessment: RiskAssessment) -> RiskAssessment:
        """The assessment with the judge's opinion; a failure is named in it and counts as caution."""
        try:
            opinion = await asyncio.wait_for(self._judge.judge(text), self._timeout_s)
        except Exception as error:
            log_without_text(_log, "the crisis judge did not answer", error)
            self._metrics.layer_failures.labels(LAYER).inc()
            self._last_failure, self._asked = type(error).__name__, True
            failed = (*assessment.failed_layers, LAYER)
            return replace(assessment, level=max(assessment.level, RiskLevel.LOW), failed_layers=failed)
        self._last_failure, self._asked = None, True
        return raised(assessment, RiskLevel[opinion.level.upper()], RiskCategory(opinion.category), len(text))

    async def close(self) -> None:
        """Free the judge's connections."""
        await self._judge.close()


def raised(
    assessment: RiskAssessment, level: RiskLevel, category: RiskCategory, length: int
) -> RiskAssessment:
    """The assessment with one more finding, which may raise it and its session and never lowers them."""
    if level is RiskLevel.NONE:
        return assessment
    return with_finding(assessment, RiskMatch(level, category, LAYER, f"judge.{category.value}", 0, length))
