"""What counts as contradicting a person, and what must not."""

import pytest

from models.training.contradiction import contradicts
from models.training.dialogue_file import read_dialogues

FLIPPED = [
    ("I can't sleep.", "You can sleep now, so let us talk."),
    ("I don’t have friends here", "It helps that you have friends here."),
    ("I love my job", "I know you don't love it."),
    ("I'm lonely.", "You're not lonely."),
    ("I never cry.", "It hurts that you cry."),
]
CHEERED = [
    ("My grandma died in spring.", "I'm so glad you're going through this!"),
    ("I got fired today", "Congratulations on the new start!"),
    ("I'm struggling a lot", "That's great! What else?"),
    ("My husband wants a divorce", "You must be so excited."),
]
DISPUTED = [
    ("He hit me", "That didn't happen."),
    ("Everyone ignores me", "You're overreacting."),
    ("I feel sad", "You don't really feel sad."),
]
HARMLESS = [
    ("I can't sleep.", "You can't sleep, and that wears you out."),
    ("I can't sleep.", "What would help you sleep?"),
    ("I can't sleep.", "If you sleep badly for long, a doctor can help."),
    ("I can't sleep.", "I hope you sleep better tonight."),
    ("My cat is missing", "I'm glad you reached out."),
    ("I failed my exam and I'm ashamed", "I'm glad that you told me."),
    ("I passed the exam I was so scared of!", "Congratulations! I'm so happy for you."),
    ("I feel alone", "You're not alone in this."),
    ("I have to be strong", "You don't have to be strong here."),
    ("I love her but I don't trust her", "You love her, and trust is gone."),
    ("Hello there", "Hello! What is on your mind?"),
    ("我睡不着", "你能睡着。"),
]


@pytest.mark.parametrize(("said", "reply"), [*FLIPPED, *CHEERED, *DISPUTED])
def test_flips_cheers_and_disputes_are_found(said: str, reply: str) -> None:
    assert contradicts(said, reply)


@pytest.mark.parametrize(("said", "reply"), HARMLESS)
def test_harmless_replies_do_not_contradict(said: str, reply: str) -> None:
    assert not contradicts(said, reply)


def test_replies_written_by_hand_hardly_ever_set_it_off() -> None:
    examples = read_dialogues()
    found = [e for e in examples if contradicts(e.turns[-1].content, e.reply)]
    assert len(examples) > 100
    assert len(found) / len(examples) <= 0.02, [(e.turns[-1].content, e.reply) for e in found]
