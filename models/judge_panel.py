"""Several judges on one text: the mean of what they say, and how far they are apart."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models.judge import Verdict
from models.judge_rubrics import Rubric


@dataclass(frozen=True, slots=True)
class PanelScore:
    """What a panel says of one text.

    Attributes:
        grades: Mean over judges of each item, on the rubric's scale.
        spread: Standard deviation between judges of each item (population's; 0 with one judge).
        score: The rubric's one number, mean over judges.
        score_spread: Its standard deviation between judges.
        silent: Judges that gave no grades, by name.
    """

    grades: dict[str, float]
    spread: dict[str, float]
    score: float
    score_spread: float
    silent: tuple[str, ...] = ()


def panel_score(verdicts: Mapping[str, Verdict], rubric: Rubric) -> PanelScore | None:
    """Combine verdicts by judge, each judge weighing the same; ``None`` when all were silent."""
    means = {name: verdict.means() for name, verdict in verdicts.items()}
    given = [mean for mean in means.values() if mean is not None]
    if not given:
        return None
    by_item = {item.name: np.array([mean[item.name] for mean in given]) for item in rubric.items}
    scores = np.array([rubric.score(mean) for mean in given])
    return PanelScore(
        {name: float(values.mean()) for name, values in by_item.items()},
        {name: float(values.std()) for name, values in by_item.items()},
        float(scores.mean()),
        float(scores.std()),
        tuple(name for name, mean in means.items() if mean is None),
    )
