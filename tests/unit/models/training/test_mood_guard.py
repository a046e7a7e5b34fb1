"""Replies in another mood than what was said cost something, others nothing."""

import pytest

from models.training.echo_file import read_echoes
from models.training.mood_guard import AGAINST, mood_clash
from models.training.rewards import mood_guard
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN, read_scenes
from models.training.scene_replies import echo_examples, scene_examples

SUPPORT = read_scenes().support
PAIN, JOY = "Your dad left, and that must hurt.", "You passed, and you must be proud!"


@pytest.mark.parametrize(
    ("first", "support", "mood", "clash"),
    [
        (PAIN, HARD, HARD, 0.0),
        (PAIN, GOOD, HARD, 0.5),
        (JOY, HARD, HARD, 0.5),
        (JOY, GOOD, HARD, 1.0),
        (JOY, GOOD, GOOD, 0.0),
        (JOY, HARD, GOOD, 0.5),
        ("It is Tuesday.", GOOD, GOOD, 0.5),
        ("Your bus is late, and you may be annoyed.", LIGHT, LIGHT, 0.0),
        ("Your bus is late, and you must feel lonely and afraid.", LIGHT, LIGHT, 0.5),
        ("Your bus is late, and you may be annoyed.", HARD, LIGHT, 0.5),
        ("The kettle is on.", PLAIN, PLAIN, 0.0),
        ("The kettle is on.", HARD, PLAIN, 0.5),
        (JOY, GOOD, "", 0.0),
    ],
)
def test_first_sentence_and_support_are_compared_with_the_mood(
    first: str, support: str, mood: str, clash: float
) -> None:
    only = next(
        one
        for one in SUPPORT[support]["v"]
        if not any(one in kinds.get("v", ()) for name, kinds in SUPPORT.items() if name != support)
    )
    assert mood_clash(f"{first} {only}", mood) == clash


def test_an_empty_reply_and_an_unknown_mood_cost_nothing() -> None:
    assert mood_clash("", HARD) == 0.0
    assert mood_guard([PAIN], key=["a"]) == [0.0]
    assert mood_guard([JOY, JOY], mood=[HARD, GOOD]) == [-0.5, 0.0]


def test_hardly_any_reply_that_is_learned_clashes_with_its_own_mood() -> None:
    examples = scene_examples(3) + echo_examples(3, None, read_echoes()[::7])
    costs = [mood_clash(one.reply, one.mood) for one in examples]
    assert {one.mood for one in examples} == set(AGAINST)
    assert sum(costs) < 0.01 * len(costs)
