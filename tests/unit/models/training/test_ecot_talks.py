"""Conversations composed for the small Chinese model."""

from models.ecot_form import read_ecot
from models.format_reward import format_reward
from models.profiles import load_profiles
from models.prompts import build_prompt
from models.training.ecot_book import read_book
from models.training.ecot_samples import figures_of, held_out_requests
from models.training.ecot_talks import MOST_TURNS, PROFILE, Composer, unseen_conversations

BOOK = read_book()
COMPOSER = Composer(BOOK, 4)
EXAMPLES = [COMPOSER.example() for _ in range(300)]


def test_every_output_has_the_full_format_reward_and_reads_back_as_it_was_written() -> None:
    for example in EXAMPLES:
        reading = read_ecot(example.output)
        assert format_reward(example.output) > 1 - 1e-9
        assert reading.answer == example.answer
        assert dict(reading.sections) == {
            "situation": example.situation,
            "motivation": example.motivation,
            "strategy": example.strategy,
        }


def test_a_prompt_is_the_one_of_the_application() -> None:
    plain = next(one for one in EXAMPLES if not one.notes and one.emotion is None and one.risk_level == 2)
    built = build_prompt(load_profiles()[PROFILE], plain.turns, [], 2, "zh")
    assert plain.prompt == [{"role": one.role, "content": one.content} for one in built]


def test_earlier_answers_stand_in_the_prompt_without_their_thoughts() -> None:
    assert all("<thinking>" not in turn.content for one in EXAMPLES for turn in one.turns)


def test_conversations_have_one_to_six_turns() -> None:
    lengths = {(len(one.turns) + 1) // 2 for one in EXAMPLES}
    assert lengths == set(range(1, MOST_TURNS + 1))


def test_the_same_seed_composes_the_same() -> None:
    first, second = Composer(BOOK, 9), Composer(BOOK, 9)
    assert [first.example() for _ in range(20)] == [second.example() for _ in range(20)]


def test_the_message_to_be_answered_is_one_kept_apart_when_that_is_asked() -> None:
    composer = Composer(BOOK, 5, held_out=True)
    for example in (composer.example() for _ in range(100)):
        last = example.turns[-1].content
        assert not any(last == text or last.startswith(text) for text in BOOK.texts), last


def test_held_out_prompts_are_of_two_kinds() -> None:
    requests = held_out_requests(BOOK, 7, 1)
    assert {kind: len(found) for kind, found in requests.items()} == {"wording": 7, "topic": 7}
    unseen = {text for lines in BOOK.unseen.values() for texts in lines.values() for text in texts}
    assert all(one[-1].content in unseen for one in unseen_conversations(BOOK))


def test_figures_tell_form_and_language() -> None:
    whole = "<thinking><situation>甲</situation><motivation>乙</motivation><strategy>丙</strategy></thinking>"
    figures = figures_of([f"{whole}<answer>我在ok</answer>", "没有标签"])
    assert figures == {
        "replies": 2,
        "full_reward": 0.5,
        "mean_reward": 0.5,
        "usable": 0.5,
        "chinese": 0.5,
    }
