import pytest

from models.training.folds import conversation_folds


def test_parts_are_of_equal_size() -> None:
    folds = conversation_folds([f"c{n}" for n in range(10)], 5, seed=0)
    assert sorted(list(folds.values()).count(part) for part in range(5)) == [2] * 5


def test_order_and_repetition_do_not_matter() -> None:
    names = [f"c{n}" for n in range(7)]
    assert conversation_folds(names, 3, 1) == conversation_folds([*reversed(names), "c3"], 3, 1)


def test_too_few_conversations_are_refused() -> None:
    with pytest.raises(ValueError, match="2 conversations"):
        conversation_folds(["a", "b"], 5, 0)
