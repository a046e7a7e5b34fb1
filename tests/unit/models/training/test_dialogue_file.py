from collections import Counter
from pathlib import Path

import pytest

from models.chat_model import ChatMessage
from models.training.dialogue_file import DIALOGUE_FOLDER, TALK_FOLDER, read_dialogues
from models.training.example import opening


def read(tmp_path: Path, text: str) -> list[tuple[int, str, int]]:
    (tmp_path / "talk.txt").write_text(text, "utf-8")
    return [(len(e.turns), e.reply, e.risk_level) for e in read_dialogues(tmp_path)]


def test_every_reply_becomes_an_example_with_the_turns_before_it(tmp_path: Path) -> None:
    text = "# note\n==\nyou: hi\nhearken: Hello.\nyou: bad day\nhearken [moderate]: Are you safe?\n"
    assert read(tmp_path, text) == [(1, "Hello.", 0), (3, "Are you safe?", 2)]


def test_a_new_conversation_starts_without_history(tmp_path: Path) -> None:
    assert read(tmp_path, "==\nyou: a\nhearken: A.\n==\nyou: b\nhearken: B.\n")[1] == (1, "B.", 0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("==\nhearken: first\n", 2),
        ("==\nyou: a\nyou: b\n", 3),
        ("you: a\n", 1),
        ("==\nyou: a\nhearken [extreme]: b\n", 3),
        ("==\nsomeone: a\n", 2),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(ValueError, match=rf"talk\.txt, line {line}"):
        read(tmp_path, text)


@pytest.mark.parametrize("folder", [DIALOGUE_FOLDER, TALK_FOLDER])
def test_the_shipped_dialogues_end_with_a_persons_message_before_each_reply(folder: Path) -> None:
    examples = read_dialogues(folder)
    assert all(example.turns[-1].role == "user" for example in examples)
    assert {example.source for example in examples} == {folder.name}


def test_talks_say_nothing_twice_and_do_not_fall_into_one_opening() -> None:
    replies = [example.reply for example in read_dialogues(TALK_FOLDER)]
    openings = Counter(opening(reply, words=3) for reply in replies)
    assert len(set(replies)) == len(replies)
    assert max(openings.values()) <= 0.03 * len(replies)


def test_the_shipped_crisis_replies_hold_no_digits() -> None:
    replies = [example.reply for example in read_dialogues() if example.risk_level > 0]
    assert replies
    assert not any(character.isdigit() for reply in replies for character in reply)


def test_contexts_alternate() -> None:
    for example in [*read_dialogues(), *read_dialogues(TALK_FOLDER)]:
        roles = [turn.role for turn in example.turns]
        assert roles == [("user", "assistant")[place % 2] for place in range(len(roles))]
        assert isinstance(example.turns[0], ChatMessage)
