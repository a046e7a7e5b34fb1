"""Risk levels and categories: the words all layers of the safety part share."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

SPARE_CLASSIFIER = "classifier_second"
"""Names the classifier's second member among failed layers; the first goes on working then."""


class RiskLevel(IntEnum):
    """How urgent a message or a conversation is; layers combine by ``max``."""

    NONE = 0
    LOW = 1
    MODERATE = 2
    IMMINENT = 3

    @property
    def label(self) -> str:
        """Lower-case name, as stored and shown."""
        return self.name.lower()


class RiskCategory(StrEnum):
    """What the risk is about; it decides which helplines are shown."""

    NONE = "none"
    SUICIDE = "suicide"
    SELF_HARM = "self_harm"
    ABUSE = "abuse"
    CHILD_SAFETY = "child_safety"
    EATING_DISORDER = "eating_disorder"
    HARM_TO_OTHERS = "harm_to_others"
    PSYCHOSIS = "psychosis"
    MEDICAL_EMERGENCY = "medical_emergency"
    SUBSTANCE = "substance"
    GAMBLING = "gambling"
    THIRD_PARTY = "third_party"


@dataclass(frozen=True, slots=True)
class RiskMatch:
    """One finding of one layer.

    Attributes:
        level: The level this finding alone argues for.
        category: What it is about.
        layer: ``rules``, ``classifier``, ``session``, ``judge`` or ``echo`` (of a sampled reply).
        rule: Stable id of the rule or class.
        start: First character of the span in the original text.
        end: One past its last character.
    """

    level: RiskLevel
    category: RiskCategory
    layer: str
    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SessionRisk:
    """What a conversation has shown so far; stored with the session, rebuilt from SQL.

    Attributes:
        level: The level the session stands at (falls slowly).
        category: Category of the finding that raised it.
        score: Accumulated weak signals, 0 when calm; at least 0.
        calm_turns: Turns in a row without any sign; a suspicion of the classifier alone starts above 0, see
            :func:`safety.session_risk.update`.
        stressor: A recent loss (job, relationship, bereavement) was mentioned.
    """

    level: RiskLevel = RiskLevel.NONE
    category: RiskCategory = RiskCategory.NONE
    score: float = 0.0
    calm_turns: int = 0
    stressor: bool = False


@dataclass(frozen=True, slots=True)
class RiskAssessment:
    """The verdict on one message in its conversation.

    Attributes:
        level: Level of this turn: the maximum of all layers; the helpline card follows it.
        category: Category of the strongest finding.
        matches: All findings, strongest first.
        session: The session's risk after this message.
        failed_layers: Layers that raised an error; their failure counts as caution, but for
            :data:`SPARE_CLASSIFIER`, whose work goes on without it.
    """

    level: RiskLevel
    category: RiskCategory
    matches: tuple[RiskMatch, ...]
    session: SessionRisk
    failed_layers: tuple[str, ...] = ()

    @property
    def layer(self) -> str:
        """Layer of the strongest finding, or ``none``."""
        return self.matches[0].layer if self.matches else "none"

    @property
    def is_in_full(self) -> bool:
        """Whether no layer failed whose work was left undone."""
        return set(self.failed_layers) <= {SPARE_CLASSIFIER}
