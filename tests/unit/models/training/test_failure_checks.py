import json
from pathlib import Path

import numpy as np
import pytest

from models.training.failure_checks import fit
from models.training.failure_pairs import FAILURES, PAIRS_FOLDER, read_pairs

SECOND_SET = PAIRS_FOLDER.with_name("failures_second_set")


def test_the_sign_that_tells_gets_the_weight() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(0.0, 1.0, (40, 2, 3))
    values[:, 0, 1] = 0.8
    values[:, 1, 1] = 0.2
    _, weights = fit(values)
    assert weights.argmax() == 1
    assert (weights >= 0).all()


def test_a_sign_that_speaks_against_the_failure_gets_no_weight() -> None:
    values = np.zeros((20, 2, 2))
    values[:, 0, 0] = values[:, 1, 1] = 1.0
    assert fit(values)[1][1] == 0.0


def test_values_of_clear_pairs_lie_on_both_sides_of_a_half() -> None:
    values = np.tile(np.array([[[0.9], [0.1]]]), (30, 1, 1))
    bias, weights = fit(values)
    failed, fine = (1 / (1 + np.exp(-(bias + x * weights[0]))) for x in (0.9, 0.1))
    assert failed > 0.7
    assert fine < 0.3


@pytest.mark.parametrize("failure", FAILURES)
def test_each_set_has_sixty_pairs_in_both_languages_and_keeps_two_fifths_apart(failure: str) -> None:
    pairs = read_pairs(failure)
    assert len(pairs) >= 60
    for lang in ("en", "zh"):
        own = [pair.kept_apart for pair in pairs if pair.lang == lang]
        assert len(own) >= 20
        assert sum(own) == round(0.4 * len(own))


@pytest.mark.parametrize("folder", [PAIRS_FOLDER, SECOND_SET])
@pytest.mark.parametrize("failure", FAILURES)
def test_pairs_are_whole_and_end_with_the_person(failure: str, folder: Path) -> None:
    pairs = read_pairs(failure, folder)
    assert len({pair.id for pair in pairs}) == len({pair.turns for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert pair.turns[-1].role == "user"
        assert pair.failed.strip() != pair.fine.strip()
        assert pair.failed.strip()
        assert pair.fine.strip()


@pytest.mark.parametrize("failure", FAILURES)
def test_the_second_set_repeats_no_message_of_the_first(failure: str) -> None:
    first, second = ({pair.turns for pair in read_pairs(failure, one)} for one in (PAIRS_FOLDER, SECOND_SET))
    assert not first & second


def test_the_order_of_a_file_does_not_change_what_is_kept_apart(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (PAIRS_FOLDER / "tone.jsonl").read_text("utf-8").splitlines()]
    (tmp_path / "tone.jsonl").write_text("\n".join(json.dumps(row) for row in reversed(rows)), "utf-8")
    apart = {pair.id for pair in read_pairs("tone", tmp_path) if pair.kept_apart}
    assert apart == {pair.id for pair in read_pairs("tone") if pair.kept_apart}


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read .*tone\.jsonl"):
        read_pairs("tone", tmp_path)
