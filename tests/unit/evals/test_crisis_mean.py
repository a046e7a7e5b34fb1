"""Thresholds of the mean are chosen on messages that neither member has learned from."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from evals import crisis_mean
from evals.crisis_examples import Example
from evals.crisis_mean import chosen_limits
from evals.crisis_split import HAND_WRITTEN
from evals.crisis_thresholds import Judged, limit_facts
from evals.crisis_trial import CrisisTexts, Trial
from safety.crisis_head import CrisisLimits
from safety.levels import RiskCategory, RiskLevel


def _run(folder: Path, unseen: Sequence[int], check: Sequence[int]) -> Path:
    """What a run leaves, with made-up chances of the levels."""
    folder.mkdir()
    rows = {"unseen": np.array(unseen, np.int64), "check": np.array(check, np.int64)}
    chances = {f"{name}_chances": np.full((len(own), 4), 0.25, np.float32) for name, own in rows.items()}
    np.savez(folder / "trial.npz", allow_pickle=False, **rows, **chances)
    return folder


def test_a_trial_knows_what_it_had_seen(tmp_path: Path) -> None:
    texts = CrisisTexts([_example(f"english:{i}") for i in range(6)], list("abcdef"), 4)
    trial = Trial.read(_run(tmp_path / "run", [1, 3], [4, 5]), texts)
    assert (trial.unseen, trial.check) == ([1, 3], [4, 5])
    assert trial.seen(texts) == [0, 2]
    assert texts.of([5, 0])[1] == ["f", "a"]


def test_a_run_on_other_data_is_refused(tmp_path: Path) -> None:
    texts = CrisisTexts([_example("english:1")] * 6, list("abcdef"), 4)
    with pytest.raises(SystemExit, match="other data"):
        Trial.read(_run(tmp_path / "run", [1], [5]), texts)


@pytest.mark.parametrize("unseen", [[], [2]], ids=["no trial", "others"])
def test_members_whose_trials_kept_other_messages_apart_are_refused(
    tmp_path: Path, unseen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = CrisisTexts([_example("english:1")] * 6, list("abcdef"), 4)
    monkeypatch.setattr(CrisisTexts, "read", lambda _folder: texts)
    first = _run(tmp_path / "a", unseen, [4, 5])
    second = _run(tmp_path / "b", [1] if unseen else [], [4, 5])
    with pytest.raises(SystemExit, match="kept the same messages apart"):
        crisis_mean.main([str(first), str(second)])


def _example(group: str, level: RiskLevel = RiskLevel.NONE) -> Example:
    return Example("a text", level, RiskCategory.NONE, group, HAND_WRITTEN)


def test_each_language_has_the_lowest_threshold_that_keeps_the_limits() -> None:
    calm = [_example(f"guarded_english:{i}") for i in range(20)]
    chinese = np.arange(20) >= 10
    cards = np.where(chinese, 0.3, 0.2).astype(np.float32)
    everyday = Judged(calm, chinese, np.where(chinese, 0.1, 0.5).astype(np.float32))
    limits, facts = chosen_limits(Judged(calm, chinese, cards), everyday)
    assert (limits.card, limits.chinese) == (0.51, 0.31)
    assert facts["validation_en"]["everyday"] == 0


def test_limits_are_read_as_they_are_written() -> None:
    limits = CrisisLimits(0.4, 0.6, 0.7, 0.5)
    assert CrisisLimits.of_facts(limit_facts(limits)) == limits
