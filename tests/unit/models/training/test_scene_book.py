"""Scenes are read from their files, and what doesn't fit is refused with its place."""

from pathlib import Path

import pytest

from models.training.dialogue_file import TALK_FOLDER, read_dialogues
from models.training.scene_book import SceneBook, read_scenes
from models.training.scene_replies import scene_examples, supported_examples

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
v: What you feel makes sense.
s: I'm here to listen.
q: What hurts most?
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
    assert dog.follow_ups[0].said == ["i keep hearing the paws", "still hear him"]
    assert set(greeting.sentences) == {"o", "q"}
    assert set(found.support) == {"v", "s", "q"}


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
    replies = [
        e.reply for seed in range(20) for e in scene_examples(seed, book(tmp_path)) if "new_job" in e.group
    ]
    assert all("here to listen" not in reply and "hurts" not in reply for reply in replies)
    assert all(reply.endswith("Who knows already?") for reply in replies)


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


def test_later_replies_answer_what_came_next(tmp_path: Path) -> None:
    later = [e for seed in range(9) for e in scene_examples(seed, book(tmp_path)) if len(e.turns) > 1]
    assert later
    for example in later:
        assert example.reply.startswith("You still hear the paws.")
        assert example.reply.endswith("What do you do then?")


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
    found = supported_examples(talks, 1, book(tmp_path))
    assert [e.reply for e in found] == [
        "She left you after nine years, in one short message. "
        "What you feel makes sense. I'm here to listen. What hurts most?"
    ]


def test_the_shipped_scenes_can_be_read_and_differ_from_each_other() -> None:
    shipped = read_scenes()
    names = [scene.name for scene in shipped.scenes]
    assert len(names) == len(set(names)) > 300
    assert {"v", "s", "q"} <= shipped.support.keys()
    assert len(supported_examples(read_dialogues(TALK_FOLDER), 7, shipped)) > 1000
