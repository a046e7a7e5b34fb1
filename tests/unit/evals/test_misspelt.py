"""Spelling is spoiled as fingers do it: still readable, the same for the same seed, never emptied."""

import random
from difflib import SequenceMatcher

from evals.misspelt import misspelt

TEXT = "I took all of them about twenty minutes ago, and now I'm scared. Don't tell my mother."


def _spoiled(text: str, seed: int) -> str:
    return misspelt(text, random.Random(seed))  # noqa: S311  # repeatable, not secret


def test_the_same_seed_spoils_alike() -> None:
    assert _spoiled(TEXT, 3) == _spoiled(TEXT, 3)


def test_messages_are_spoiled_and_still_readable() -> None:
    found = [_spoiled(TEXT, seed) for seed in range(60)]
    alike = [SequenceMatcher(None, TEXT.lower(), one.lower()).ratio() for one in found]
    assert sum(one != TEXT for one in found) >= 57
    assert min(alike) > 0.7


def test_every_kind_of_slip_occurs() -> None:
    found = {_spoiled("took", seed).lower() for seed in range(400)}
    assert {"took", "otok", "tok"} <= found
    assert any(len(one) == 5 for one in found)


def test_numbers_marks_and_other_scripts_stay() -> None:
    assert _spoiled("14:40 🙂 我没事", 1) == "14:40 🙂 我没事"
    assert _spoiled("I", 1).lower() == "i"
