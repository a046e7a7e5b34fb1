"""Counters and timings for operators, without any message text, in Prometheus form."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

StageObserver = Callable[[str, float], None]
"""Told the name of a stage and its seconds."""
_STAGE_BUCKETS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """All metrics of one application, in a registry of its own.

    Args:
        also: Told the duration of each stage too, for benchmarks.
    """

    def __init__(self, also: StageObserver | None = None) -> None:
        self._also = also
        self.registry = CollectorRegistry()
        self.turns = Counter("hearken_turns", "Turns by how they ended.", ["outcome"], registry=self.registry)
        self.fallbacks = Counter(
            "hearken_fallbacks",
            "Written replies shown instead of a model's.",
            ["reason"],
            registry=self.registry,
        )
        self.second_draws = Counter(
            "hearken_second_draws",
            "Requests repeated without thinking because the first gave nothing but thoughts.",
            registry=self.registry,
        )
        self.format_repeats = Counter(
            "hearken_format_repeats",
            "Samples asked for once more because no candidate kept its form.",
            registry=self.registry,
        )
        self.model_fallbacks = Counter(
            "hearken_model_fallbacks",
            "Turns of the first model because the one of the conversation's language failed.",
            ["reason"],
            registry=self.registry,
        )
        self.blocked = Counter(
            "hearken_blocked_candidates",
            "Candidates never shown, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.risk_levels = Counter(
            "hearken_risk_assessments", "Messages by risk level.", ["level"], registry=self.registry
        )
        self.referrals = Counter(
            "hearken_referrals", "Helpline cards sent to a page.", ["level"], registry=self.registry
        )
        self.layer_failures = Counter(
            "hearken_safety_layer_failures",
            "Safety layers that raised an error.",
            ["layer"],
            registry=self.registry,
        )
        self.stage_seconds = Histogram(
            "hearken_turn_stage_seconds",
            "Time spent in one stage of a turn.",
            ["stage"],
            buckets=_STAGE_BUCKETS,
            registry=self.registry,
        )
        self.turns_running = Gauge("hearken_turns_running", "Turns going on now.", registry=self.registry)

    def observe(self, stage: str, seconds: float) -> None:
        """Record the duration of one stage."""
        self.stage_seconds.labels(stage).observe(seconds)
        if self._also is not None:
            self._also(stage, seconds)

    def render(self) -> bytes:
        """The registry in Prometheus text form."""
        return generate_latest(self.registry)
