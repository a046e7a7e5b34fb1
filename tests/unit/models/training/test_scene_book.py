"""Scenes are read from their files, and what doesn't fit is refused with its place."""

from pathlib import Path

import pytest

from models.sentences import split_sentences
from models.training.dialogue_file import TALK_FOLDER, read_dialogues
from models.training.echo_file import read_echoes
from models.training.scene_book import GOOD, HARD, LIGHT, PLAIN, SceneBook, read_scenes
from models.training.scene_replies import (
    PER_ECHO,
    echo_examples,
    mood_of,
    scene_examples,
    supported_examples,
)

SCENES = """# a comment
[[dog_died]]
slot name: Biscuit | Luna
you: my dog {name} died
x: {name} died, and the house must feel empty and sad.
you: we had to say goodbye to {name}
e: How sad and lonely this must be.
o: Your dog {name} is gone.
f: It hurts because every walk had {name} in it.
v: Missing a dog this much makes sense.
w: It shows how close you two were.
q: What was {name} like?
next: i keep hearing the paws
next: still hear him
x: You still hear him, and that must feel tender and lonely.
say: You still hear the paws. That can feel cruel. What do you do then?

[[new_job]]
mood: good
you: i got the job!!
x: You got the job, and you must feel proud and relieved!
e: What happy news!
o: You got it!
v: This joy is earned.
w: It shows what you worked for.
q: Who knows already?

[[greeting]]
you: hello
o: Hello, good that you're here.
q: What is on your mind?
"""

SUPPORT = """[[support]]
e: That sounds painful.
v: What you feel makes sense.
s: I'm here to listen.
q: What hurts most?
[[support_good]]
v: Enjoy it fully.
q: Who knows?
[[support_plain]]
v: There is room for it.
q: And then?
"""


def folder(tmp_path: Path, scenes: str = SCENES) -> Path:
    (tmp_path / "some.txt").write_text(scenes, "utf-8")
    (tmp_path / "support.txt").write_text(SUPPORT, "utf-8")
    return tmp_path


def book(tmp_path: Path, scenes: str = SCENES) -> SceneBook:
    return read_scenes(folder(tmp_path, scenes))


def test_a_scene_has_what_its_lines_say(tmp_path: Path) -> None:
    found = book(tmp_path)
    dog, job, greeting = found.scenes
    assert (dog.name, dog.good, job.good) == ("some/dog_died", False, True)
    assert [len(told.echoes) for told in dog.told] == [1, 0]
    assert dog.slots == {"name": ["Biscuit", "Luna"]}
    said = dog.follow_ups[0].said
    assert [one.text for one in said] == ["i keep hearing the paws", "still hear him"]
    assert [len(one.echoes) for one in said] == [0, 1]
    assert set(greeting.sentences) == {"o", "q"}
    assert {mood: set(kinds) for mood, kinds in found.support.items()} == {
        "support": {"e", "v", "s", "q"},
        "support_good": {"v", "q"},
        "support_plain": {"v", "q"},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("you: hello", "line 1: expected"),
        ("[[a]]\nwhat is this", "line 2: expected"),
        ("[[a]]\nyou: my {pet}", "line 2: slot pet is not known"),
        ("[[a]]\nx: Hello.", "line 2: nothing before it"),
        ("[[a]]\nsay: Hello.", "line 2: nothing before it"),
        ("[[a]]\nyou: hi\no: Hi.\nq: So?\n[[a]]\n", "line 5: a second scene a"),
        ("[[a]]\nyou: hi\no: Hi.\n", "scene some/a: needs lines 'you', 'o' and 'q'"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        book(tmp_path, text)


def test_a_message_and_its_reply_have_the_same_name_in_them(tmp_path: Path) -> None:
    examples = [e for e in scene_examples(1, book(tmp_path)) if "dog_died" in e.group]
    for example in examples:
        said = example.turns[0].content.lower()
        name = "biscuit" if "biscuit" in said else "luna"
        other = {"biscuit": "luna", "luna": "biscuit"}[name]
        assert other not in example.reply.lower()
        assert "{" not in said + example.reply


def test_good_news_meets_no_comfort(tmp_path: Path) -> None:
    found = book(tmp_path)
    replies = [e.reply for seed in range(20) for e in scene_examples(seed, found) if "new_job" in e.group]
    assert all("listen" not in reply and "hurts" not in reply and "painful" not in reply for reply in replies)
    assert {reply.split(". ")[-1].split("! ")[-1] for reply in replies} <= {
        "Who knows already?",
        "Who knows?",
    }


def test_a_first_sentence_is_only_used_for_its_own_message(tmp_path: Path) -> None:
    for seed in range(20):
        for example in scene_examples(seed, book(tmp_path)):
            if "goodbye" in example.turns[0].content.lower() and len(example.turns) == 1:
                assert "house must feel empty" not in example.reply


def test_a_scene_without_feelings_gets_its_own_sentences_only(tmp_path: Path) -> None:
    for seed in range(20):
        for example in scene_examples(seed, book(tmp_path)):
            if "greeting" in example.group:
                assert example.reply == "Hello, good that you're here. What is on your mind?"


def test_the_same_seed_builds_the_same(tmp_path: Path) -> None:
    found = book(tmp_path)
    assert scene_examples(3, found) == scene_examples(3, found)
    assert scene_examples(3, found) != scene_examples(4, found)


def test_later_replies_take_up_what_came_next(tmp_path: Path) -> None:
    found = book(tmp_path)
    later = [e for seed in range(9) for e in scene_examples(seed, found) if len(e.turns) > 1]
    assert later
    for example in later:
        assert example.turns[-1].content.lower() == "still hear him"
        assert example.reply.startswith("You still hear him, and that must feel tender and lonely. ")


def test_support_follows_the_first_sentence_of_hard_talks_only(tmp_path: Path) -> None:
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "some.txt").write_text(
        "==\nyou: she left\nhearken: She left you after nine years, in one short message. That is cruel.\n"
        "==\nyou: i won\nhearken: You won the race after all these months of training! How lovely.\n"
        "==\nyou: who are you\nhearken: I'm a program that listens to what you want to say. Ask me.\n"
        "==\nyou: hm\nhearken: What is it that you would like to tell me about today?\n",
        "utf-8",
    )
    talks = read_dialogues(tmp_path / "talks")
    replies = {e.reply for seed in range(30) for e in supported_examples(talks, seed, book(tmp_path))}
    first = "She left you after nine years, in one short message."
    assert replies == {
        f"{first} What you feel makes sense. I'm here to listen. What hurts most?",
        f"{first} That sounds painful. I'm here to listen. What hurts most?",
        f"{first} That sounds painful. What you feel makes sense. What hurts most?",
    }


@pytest.mark.parametrize(
    ("sentence", "mood"),
    [
        ("She blocked you, and that must feel hurtful and final.", HARD),
        ("You passed, and you must feel proud and relieved!", GOOD),
        ("The surgery is over, and you must feel relieved and still worried.", HARD),
        ("It is Tuesday, and the kettle is on.", PLAIN),
    ],
)
def test_something_hard_in_a_first_sentence_wins(sentence: str, mood: str) -> None:
    assert mood_of(sentence) == mood


def test_echoes_are_read_with_what_was_said_before(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(
        "# comment\n\nyou: i won\nx: You won, and you must be proud!\n"
        "before: we fought\nyou: she blocked me\nx: She blocked you, and that must hurt.\n",
        "utf-8",
    )
    won, blocked = read_echoes(tmp_path)
    assert (won.before, won.said, won.place) == ("", "i won", "some:4")
    assert blocked.before == "we fought"
    (tmp_path / "scenes").mkdir()
    found = echo_examples(3, book(tmp_path / "scenes"), [won, blocked])
    assert {e.reply.split("! ")[0] for e in found[:PER_ECHO]} == {"You won, and you must be proud"}
    assert [turn.role for turn in found[-1].turns] == ["user", "assistant", "user"]
    assert found[-1].reply.startswith("She blocked you, and that must hurt. ")


def test_a_file_of_echoes_can_state_the_mood_of_its_messages(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text(
        "# comment\nmood: light\n\nyou: bus late\nx: Your bus is late, and you may be annoyed.\n", "utf-8"
    )
    (tmp_path / "glad.txt").write_text(
        "mood: good\nyou: scan is clear\nx: After such fear the scan is clear.\n", "utf-8"
    )
    glad, small = read_echoes(tmp_path)
    assert (small.mood, glad.mood) == ("light", "good")
    shipped = read_scenes()
    light, good = (
        {e.reply for seed in range(9) for e in echo_examples(seed, shipped, [one])} for one in (small, glad)
    )
    for replies, mood in ((light, LIGHT), (good, GOOD)):
        known = {sentence for kind in shipped.support[mood].values() for sentence in kind}
        assert all(set(split_sentences(reply)[1:]) <= known for reply in replies)


@pytest.mark.parametrize(
    "text",
    [
        *("x: Hello.", "you: a\nyou: b\nx: c", "hello", "before: a\nx: c"),
        *("mood: odd", "mood: good\nmood: good", "you: a\nx: b\nmood: good"),
    ],
)
def test_echoes_out_of_order_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "some.txt").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"some\.txt, line \d"):
        read_echoes(tmp_path)


def test_the_shipped_scenes_can_be_read_and_differ_from_each_other() -> None:
    shipped = read_scenes()
    names = [scene.name for scene in shipped.scenes]
    assert len(names) == len(set(names)) > 300
    assert {"e", "v", "s", "q"} <= shipped.support[HARD].keys()
    assert len(supported_examples(read_dialogues(TALK_FOLDER), 7, shipped)) > 1000
