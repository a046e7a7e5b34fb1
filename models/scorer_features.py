"""What is measured on one candidate reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.failure_checks import FailureValues
from models.tactics import Tactic, TacticChances, certain


@dataclass(frozen=True, slots=True)
class ReplyFeatures:
    """What was measured on one candidate.

    Attributes:
        sentences: Its sentences.
        sentence_tactics: The tactics of each sentence.
        counts: Number of sentences that carry each tactic.
        chances: How likely it carries each tactic at all, 0 to 1, where the tagger says so; see
            :meth:`likely`.
        previous: The same of the conversation's last reply, where there is one: a yes or no for each tactic,
            which is what is stored, throws away how sure the tagger was.
        quality: Predicted Q, 1–5.
        similarity: Largest similarity of wording to one of the conversation's earlier replies,
            0–1; see :class:`models.wording.Wording`.
        repeated_opening: Whether it opens with the same words as one of them.
        restated: How much of it says again what an earlier reply said, 0–1; see
            :mod:`models.restating`.
        missed: How much of the person's specifics it leaves out, 0–1; see :mod:`models.specifics`.
        guidance: Whether it points to safety; see :mod:`models.guidance`.
        strategy: Which of ESConv's strategies it follows, where that head is used.
        unfit: How little a reader is expected to find that it fits, 0–1; 0 where nobody can tell, see
            :mod:`models.answers`.
        failures: What speaks for each kind of failure, the conversation before left out of account.
    """

    sentences: tuple[str, ...]
    sentence_tactics: tuple[frozenset[Tactic], ...]
    counts: Mapping[Tactic, int] = field(default_factory=dict[Tactic, int])
    quality: float = 1.0
    similarity: float = 0.0
    repeated_opening: bool = False
    restated: float = 0.0
    missed: float = 0.0
    guidance: bool = False
    strategy: str | None = None
    unfit: float = 0.0
    failures: FailureValues = field(default_factory=FailureValues)
    chances: TacticChances | None = None
    previous: TacticChances | None = None

    def likely(self) -> TacticChances:
        """:attr:`chances`, or 1 for each tactic that was found where there are none."""
        if self.chances is not None:
            return self.chances
        return certain(self.counts)
