"""What :mod:`evals.crisis_tune` left of one member: what it said of texts that it had not learned from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.crisis_examples import Example
from evals.crisis_thresholds import Judged, judged
from evals.crisis_training import Array, fit_words
from evals.crisis_tuning_data import CATEGORIES, crisis_examples, folded_texts
from safety.crisis_head import CrisisHead
from safety.risk import load_assessor


@dataclass(frozen=True, slots=True)
class CrisisTexts:
    """The examples in the order that all runs have; from ``learned`` on they are kept apart."""

    examples: Sequence[Example]
    folded: Sequence[str]
    learned: int

    @classmethod
    def read(cls, folder: Path) -> "CrisisTexts":
        """As :mod:`evals.crisis_tuning_data` packs them, from the folder with the everyday texts."""
        assessor = load_assessor()
        examples, learned = crisis_examples(folder, assessor)
        return cls(examples, folded_texts(examples, assessor), learned)

    def of(self, rows: Sequence[int]) -> tuple[list[Example], list[str]]:
        """Examples of some rows, and their folded texts."""
        return [self.examples[i] for i in rows], [self.folded[i] for i in rows]

    def words(self, rows: Sequence[int]) -> dict[str, Array]:
        """The half of a head that reads words, fitted on some rows."""
        examples, folded = self.of(rows)
        return fit_words(folded, examples)

    def judged(self, rows: Sequence[int], chances: Array) -> Judged:
        """What probabilities ``(rows, levels)`` say of some rows."""
        return judged(*self.of(rows), chances)


@dataclass(frozen=True, slots=True)
class Trial:
    """What one run said: its trial of ``unseen`` rows, the final model of everyday texts (``check``).

    Attributes:
        unseen: Rows that the trial had not seen; none where a model went on from an earlier one.
        unseen_chances: Of the levels, ``(rows, levels)``, by the encoder alone.
        check: Rows kept from the final model too.
        check_chances: Of the levels, ``(rows, levels)``, by the encoder alone.
    """

    unseen: list[int]
    unseen_chances: Array
    check: list[int]
    check_chances: Array

    @classmethod
    def read(cls, folder: Path, texts: CrisisTexts) -> "Trial":
        """Read the folder of a run.

        Raises:
            SystemExit: It was made from other data.
        """
        with np.load(folder / "trial.npz") as file:
            trial: dict[str, NDArray[Any]] = dict(file)
        if not np.array_equal(trial["check"], np.arange(texts.learned, len(texts.examples))):
            raise SystemExit(f"{folder} was made from other data: tune again")
        names = ("unseen", "unseen_chances", "check", "check_chances")
        unseen, unseen_chances, check, check_chances = (trial[name] for name in names)
        return cls(unseen.tolist(), unseen_chances, check.tolist(), check_chances)

    def seen(self, texts: CrisisTexts) -> list[int]:
        """Rows that the trial learned from."""
        return np.setdiff1d(np.arange(texts.learned), self.unseen).tolist()


def word_mixed(meaning: Array, words: Mapping[str, Array], share: float, folded: Sequence[str]) -> Array:
    """Probabilities of the levels from those of a tuned encoder and from the words of folded texts."""
    return CrisisHead(words, CATEGORIES, share).mixed(np.log(meaning + 1e-6), folded)
