"""Replies composed from a sentence that says the message back and sentences of its mood."""

import json
import random
from pathlib import Path
from string import Formatter

import pytest
import yaml

from evals.embedded_model import CONTEXTS, FRESH
from models.training.echoed_file import ECHOED_FOLDER, MOODS, EchoedTalk, Parts, read_echoed
from models.training.echoed_replies import compose, echoed_examples
from models.training.sample_chat import read_contexts
from models.training.scene_book import GOOD, HARD

POOLS = yaml.safe_load((ECHOED_FOLDER / "sentences.yaml").read_text("utf-8"))
SAID = Parts("he sold the flat", "hard", "He sold the flat.", ("angry", "sad"), "What did he say?")


def _replies(parts: Parts, n: int = 40) -> list[str]:
    draws = (random.Random(i) for i in range(n))  # noqa: S311  # repeatable, not secret
    return [compose(parts, POOLS, rng, set()) for rng in draws]


def test_every_reply_begins_with_what_was_said() -> None:
    assert all(reply.startswith("He sold the flat. ") for reply in _replies(SAID))


def test_feelings_are_only_named_where_they_are_known() -> None:
    assert any("angry and sad" in reply for reply in _replies(SAID))
    unknown = Parts(SAID.said, "hard", SAID.echo, (), SAID.question)
    assert not any("angry" in reply or "{" in reply or "feel ." in reply for reply in _replies(unknown))


def test_questions_are_its_own_or_of_its_mood_and_missing_where_none_fits() -> None:
    endings = {reply.rpartition(". ")[2] for reply in _replies(SAID)}
    assert SAID.question in endings
    assert len(endings) > 5
    goodbye = Parts("bye", "light", "Goodbye, and take care.", (), "")
    assert not any("?" in reply for reply in _replies(goodbye))


def test_a_question_to_the_listener_gets_its_answer_and_nothing_from_the_pools() -> None:
    asked = Parts("are you a bot", "ask", "I'm Hearken, a program.", ("curious",), "What made you ask?")
    assert set(_replies(asked)) == {"I'm Hearken, a program. What made you ask?"}


def test_a_conversation_does_not_say_a_sentence_twice() -> None:
    talk = EchoedTalk("a:1", tuple(Parts(f"m{i}", "hard", f"E{i}.", (), "") for i in range(5)))
    examples = echoed_examples(0, versions=1, talks=[talk])
    sentences = [s for example in examples for s in example.reply.split(". ")[1:]]
    assert len(sentences) == len(set(sentences))
    assert [turn.content for turn in examples[1].turns] == ["m0", examples[0].reply, "m1"]


def test_moods_are_those_of_scenes_and_the_same_seed_gives_the_same() -> None:
    first, again, other = (echoed_examples(seed) for seed in (0, 0, 1))
    assert first == again != other
    assert {HARD, GOOD} <= {example.mood for example in first}


def test_every_mood_has_every_part_and_only_feelings_are_filled_in() -> None:
    assert {*MOODS} - {"ask"} == set(POOLS)
    for parts in POOLS.values():
        for name, sentences in parts.items():
            for sentence in sentences:
                fields = {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}
                assert fields == ({"feel"} if name == "feeling" else set())


def test_nothing_that_is_measured_on_is_learned_from() -> None:
    def plain(text: str) -> str:
        return text.lower().strip().rstrip(".!")

    measured = {plain(said) for file in (CONTEXTS, *FRESH) for talk in read_contexts(file) for said in talk}
    learned = {plain(parts.said) for talk in read_echoed() for parts in talk.parts}
    assert not {text for text in measured & learned if len(text.split()) > 3}


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"turns": [], "items": []},
        {"turns": ["hi"], "items": []},
        {"turns": ["hi"], "items": [{"mood": "odd", "echo": "Hi.", "feel": [], "q": ""}]},
        {"turns": ["hi"], "items": [{"mood": "hard", "echo": " ", "feel": [], "q": ""}]},
    ],
)
def test_a_bad_row_is_named(row: object, tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(ValueError, match="row 1"):
        read_echoed(tmp_path)
