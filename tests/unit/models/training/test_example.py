from models.chat_model import ChatMessage
from models.training.example import Example, is_held_out, limit_openings, limit_per_context, split_by_group


def example(group: str, reply: str = "Hello there.", said: str = "hi") -> Example:
    return Example("s", group, (ChatMessage("user", said),), reply)


def test_no_conversation_is_on_both_sides_of_a_split() -> None:
    examples = [example(f"g{number % 40}") for number in range(200)]
    train, valid = split_by_group(examples, 0.2)
    assert not {e.group for e in train} & {e.group for e in valid}
    assert len(train) + len(valid) == 200


def test_the_share_held_out_is_about_the_share_asked_for() -> None:
    assert 0.12 < sum(is_held_out(f"group {number}", 0.15) for number in range(4000)) / 4000 < 0.18


def test_a_frequent_opening_is_cut_to_its_share() -> None:
    examples = [example("g", f"I see that, number {n}.") for n in range(50)]
    examples += [example("g", f"Word{n} is here.") for n in range(50)]
    kept = limit_openings(examples, 0.1, seed=1)
    assert sum(e.reply.startswith("I see") for e in kept) == 10
    assert len(kept) == 60


def test_a_context_keeps_at_most_the_given_number_of_replies() -> None:
    examples = [example("g", f"Reply {n}.", "same") for n in range(20)] + [example("g", "Other.", "other")]
    assert len(limit_per_context(examples, 5, seed=1)) == 6
