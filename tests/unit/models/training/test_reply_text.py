import pytest

from models.sentences import split_sentences
from models.training.reply_text import REPLY_WORDS, has_list, learnable_reply, plain_text, shorten

GOOD = "Losing a job you cared about hurts a lot. You gave them eleven years. What was your work like?"


def test_a_short_plain_reply_stays_as_it_is() -> None:
    assert learnable_reply(GOOD) == GOOD


def test_quotes_dashes_emoji_and_markup_become_plain() -> None:
    assert plain_text("It’s *hard* — really “hard” 💛.") == 'It\'s hard, really "hard".'


@pytest.mark.parametrize("text", ["1. Breathe\n2. Walk", "Try this:\n- rest", "# Steps\nRest."])
def test_lists_and_headings_are_found(text: str) -> None:
    assert has_list(text)


@pytest.mark.parametrize(
    "bad",
    [
        "As an AI language model, I have no feelings. How can I help?",
        "Call 555-123-4567 today. They will help you a lot, I am sure.",
        "I apologize for the confusion. Please tell me what happened today.",
        "In my practice I see this often. You could try to write it down.",
    ],
)
def test_refusals_numbers_and_advertising_are_not_learned(bad: str) -> None:
    assert learnable_reply(bad) is None


def test_an_invented_life_is_left_out() -> None:
    text = "I've been there too, believe me. " + GOOD
    assert learnable_reply(text) == GOOD


def test_sentences_marked_to_drop_are_left_out() -> None:
    text = "That is my story as well, you know. " + GOOD
    assert learnable_reply(text, [True, False, False, False]) == GOOD


def test_a_worn_opening_is_dropped_when_the_rest_stands_alone() -> None:
    assert learnable_reply("It sounds like you are sad. " + GOOD) == GOOD


def test_a_reply_that_would_begin_in_the_middle_is_refused() -> None:
    text = "You're not alone. But that was never the question for you here. You can rest for a while now."
    assert learnable_reply(text) is None


def test_a_long_reply_ends_at_a_sentence_and_keeps_its_question() -> None:
    long = (
        " ".join(["You carried this for many years without any help at all."] * 9) + " What would help now?"
    )
    kept = shorten(split_sentences(long))
    assert kept[-1] == "What would help now?"
    assert sum(len(part.split()) for part in kept) <= REPLY_WORDS + 22
