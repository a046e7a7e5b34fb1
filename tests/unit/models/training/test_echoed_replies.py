"""Replies composed from a sentence that says the message back and sentences of its kind."""

import json
import random
from pathlib import Path
from string import Formatter

import pytest

from evals.embedded_model import CONTEXTS, FRESH
from models.message_kind import ADDRESSED, ANY_HEAVY, HEAVY, KINDS, TOLD, UNSURE
from models.training.echoed_file import EchoedTalk, Parts, read_echoed
from models.training.echoed_replies import compose, echoed_examples, read_pools
from models.training.sample_chat import read_contexts
from models.training.scene_book import GOOD, HARD

POOLS = read_pools()
SAID = Parts("he sold the flat", "hurt", "He sold the flat.", ("homesick", "sad"), "What did he say?")


def _replies(parts: Parts, n: int = 40) -> list[str]:
    draws = (random.Random(i) for i in range(n))  # noqa: S311  # repeatable, not secret
    return [compose(parts, POOLS, rng, set()) for rng in draws]


def test_every_reply_begins_with_what_was_said() -> None:
    assert all(reply.startswith("He sold the flat. ") for reply in _replies(SAID))


def test_feelings_are_only_named_where_they_are_known() -> None:
    assert any("homesick and sad" in reply for reply in _replies(SAID))
    unknown = Parts(SAID.said, "hurt", SAID.echo, (), SAID.question)
    assert not any("homesick" in reply or "{" in reply or "feel ." in reply for reply in _replies(unknown))


def test_questions_are_its_own_or_of_its_kind() -> None:
    endings = {reply.rpartition(". ")[2] for reply in _replies(SAID)}
    assert SAID.question in endings
    assert len(endings) > 5


@pytest.mark.parametrize("kind", ADDRESSED)
def test_what_is_said_to_the_listener_is_answered_and_not_said_back(kind: str) -> None:
    replies = _replies(Parts("are you a bot", kind, "", (), ""))
    firsts = POOLS[kind]["first"]
    assert all(any(reply.startswith(first) for first in firsts) for reply in replies)
    assert ("?" in "".join(replies)) == (kind != "thanks" or any("?" in first for first in firsts))


def test_less_than_the_kind_is_told_now_and_then_and_answered_by_what_is_told() -> None:
    talk = [EchoedTalk(f"a:{i}", (SAID,)) for i in range(400)]
    examples = echoed_examples(0, versions=1, talks=talk)
    unsure = [one for one in examples if f": {UNSURE}." in one.code]
    heavy = [one for one in examples if f": {ANY_HEAVY}." in one.code]
    assert 20 < len(unsure) < 90
    assert 20 < len(heavy) < 90
    assert not any(one.learn_code for one in (*unsure, *heavy))
    assert all(one.learn_code for one in examples if ": hurt." in one.code)
    own = [sentence for part in ("plain", "understanding", "question") for sentence in POOLS["hurt"][part]]
    assert not any(sentence in one.reply for one in (*unsure, *heavy) for sentence in own)
    assert all(f"Feelings: {'homesick' if one in heavy else 'none'}" in one.code for one in (*heavy, *unsure))


def test_a_conversation_does_not_say_a_sentence_twice() -> None:
    talk = EchoedTalk("a:1", tuple(Parts(f"m{i}", "low", f"E{i}.", (), "") for i in range(5)))
    examples = echoed_examples(0, versions=1, talks=[talk])
    sentences = [s for example in examples for s in example.reply.split(". ")[1:]]
    assert len(sentences) == len(set(sentences))
    assert [turn.content for turn in examples[1].turns] == ["m0", examples[0].reply, "m1"]


def test_moods_are_those_of_scenes_and_the_same_seed_gives_the_same() -> None:
    first, again, other = (echoed_examples(seed) for seed in (0, 0, 1))
    assert first == again != other
    assert {HARD, GOOD} <= {example.mood for example in first}


def test_every_kind_has_its_parts_and_only_feelings_are_filled_in() -> None:
    assert {*KINDS, ANY_HEAVY, UNSURE} == set(POOLS)
    assert all("like question" in POOLS[kind] for kind in HEAVY)
    for parts in POOLS.values():
        for name, sentences in parts.items():
            for sentence in sentences:
                fields = {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}
                assert fields == ({"feel"} if name.removeprefix("like ") == "feeling" else set())


def test_every_kind_is_learned() -> None:
    found = {parts.kind for talk in read_echoed() for parts in talk.parts}
    assert found == set(KINDS)
    assert {*TOLD} < found


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
        {"turns": ["hi"], "items": [{"kind": "odd", "echo": "Hi.", "feel": [], "q": ""}]},
        {"turns": ["hi"], "items": [{"kind": "hurt", "echo": " ", "feel": [], "q": ""}]},
    ],
)
def test_a_bad_row_is_named(row: object, tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(ValueError, match="row 1"):
        read_echoed(tmp_path)
