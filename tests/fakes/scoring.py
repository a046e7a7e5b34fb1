"""A scorer and a toxicity check without weights, for tests of what is done with their results."""

from collections.abc import Sequence

from models.chat_model import ChatMessage
from models.scorer import ReplyFeatures
from models.tactics import Tactic
from safety.toxicity import ToxicityVerdict


class FakeScorer:
    """Quality is written at the start of each reply: ``4.5 I hear you.`` has quality 4.5."""

    def __init__(self) -> None:
        self.contexts: list[list[ChatMessage]] = []
        self.facts: list[tuple[str, ...]] = []

    def warm_up(self) -> None:
        return

    def features(
        self,
        context: Sequence[ChatMessage],
        replies: Sequence[str],
        earlier: Sequence[str] = (),
        facts: Sequence[str] = (),
    ) -> list[ReplyFeatures]:
        del earlier
        self.contexts.append(list(context))
        self.facts.append(tuple(facts))
        return [self._one(reply) for reply in replies]

    def _one(self, reply: str) -> ReplyFeatures:
        head = reply.split(" ", 1)[0]
        quality = float(head) if head.replace(".", "", 1).isdigit() else 3.0
        tactic = Tactic.QUESTIONING if reply.endswith("?") else Tactic.VALIDATION
        return ReplyFeatures((reply,), (frozenset({tactic}),), {tactic: 1}, quality)


class FakeToxicity:
    """Blocks every text that contains the word ``toxicword``."""

    def check(self, texts: Sequence[str]) -> list[ToxicityVerdict]:
        return [
            ToxicityVerdict(blocked="toxicword" in text, score=float("toxicword" in text), label="toxicity")
            for text in texts
        ]

    def status(self) -> str:
        return "fake"
