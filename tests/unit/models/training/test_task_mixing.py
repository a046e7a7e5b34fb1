"""How often each data set is drawn, and that the sequence hangs on nothing but its arguments."""

import itertools
from collections import Counter

import pytest

from models.training.task_mixing import draws, mixing_probabilities, shuffled_rows


def test_the_probability_grows_with_the_square_root_of_the_size() -> None:
    found = mixing_probabilities({"a": 100, "b": 400, "c": 900}, 0.5)
    assert found == pytest.approx({"a": 1 / 6, "b": 2 / 6, "c": 3 / 6})


@pytest.mark.parametrize(("exponent", "expected"), [(1.0, 0.1), (0.0, 0.5)])
def test_exponent_one_is_by_size_and_zero_alike(exponent: float, expected: float) -> None:
    assert mixing_probabilities({"a": 10, "b": 90}, exponent)["a"] == pytest.approx(expected)


def test_an_empty_data_set_is_never_drawn() -> None:
    assert mixing_probabilities({"a": 0, "b": 9}, 0.0) == {"a": 0.0, "b": 1.0}


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="every data set is empty"):
        mixing_probabilities({"a": 0}, 0.5)


def test_draws_follow_the_probabilities() -> None:
    batches = itertools.islice(draws({"a": 100, "b": 400}, 0.5, 30, seed=1), 300)
    counts: Counter[str] = Counter()
    for batch in batches:
        counts.update({name: len(rows) for name, rows in batch.items()})
    assert sum(counts.values()) == 9000
    assert counts["a"] / 9000 == pytest.approx(1 / 3, abs=0.02)


def test_every_row_comes_once_before_any_comes_again() -> None:
    rows = list(itertools.islice(shuffled_rows(7, "seed"), 14))
    assert sorted(rows[:7]) == sorted(rows[7:]) == list(range(7))


def test_the_same_seed_draws_the_same_and_another_one_does_not() -> None:
    def first(seed: int) -> list[object]:
        return list(itertools.islice(draws({"a": 50, "b": 9}, 0.5, 8, seed), 5))

    assert first(1) == first(1)
    assert first(1) != first(2)
