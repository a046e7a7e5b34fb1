"""Replies whose later sentences were chosen for the message."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.message_kind import ADDRESSED, UNSURE
from models.training.closer_replies import (
    CLOSER_KINDS,
    LIGHT_KINDS,
    LIGHT_SOURCE,
    closer_examples,
    light_examples,
    light_talks,
    read_closer,
)
from models.training.echoed_file import EchoedTalk, Parts, read_echoed
from models.training.echoed_replies import read_pools

CLOSER, POOLS = read_closer(), read_pools()
NAMES = ("u3", "u1", "p1", "q2", "q4")
SAID = Parts("he sold the flat", "hurt", "He sold the flat.", ("sad",), "", NAMES)


def _examples(*parts: Parts, versions: int = 60) -> list[Any]:
    return closer_examples(0, versions, talks=[EchoedTalk("a:1", parts)])


def test_only_chosen_sentences_follow_and_what_says_it_back_is_given() -> None:
    known = [one for one in _examples(SAID) if f": {UNSURE}." not in one.code]
    chosen = {CLOSER["hurt"][name] for name in NAMES}
    pool = POOLS["hurt"]
    feelings = {s for part in ("plain", "like plain", "like feeling") for s in pool[part]}
    for one in known:
        assert one.given == SAID.echo
        rest = one.reply.removeprefix(f"{SAID.echo} ")
        for sentence in (*chosen, *(s.format(feel="sad") for s in feelings)):
            rest = rest.replace(sentence, "")
        assert not rest.strip()
    assert any(CLOSER["hurt"]["u3"] in one.reply for one in known)


def test_the_first_chosen_comes_most_often() -> None:
    replies = [one.reply for one in _examples(SAID, versions=300)]
    counts = [sum(CLOSER["hurt"][name] in reply for reply in replies) for name in ("q2", "q4")]
    assert counts[0] > 1.4 * counts[1] > 0


def test_a_conversation_does_not_say_a_chosen_sentence_twice() -> None:
    again = Parts("and the cat", "hurt", "And the cat.", (), "", ("u3", "q2"))
    sold = Parts("he sold the flat", "hurt", "He sold the flat.", (), "", ("u3", "q2"))
    first, second = _examples(sold, again, versions=1)
    said = first.reply.removeprefix("He sold the flat. ")
    assert CLOSER["hurt"]["q2"] in said
    assert CLOSER["hurt"]["q2"] not in second.reply


def test_conversations_without_choices_are_left_to_the_other_recipe() -> None:
    assert not _examples(SAID, Parts("and the cat", "hurt", "And the cat.", (), ""))
    (hello,) = _examples(Parts("hello", "hello", "", (), ""), versions=1)
    assert not hello.given


def test_kinds_that_are_left_out_are_answered_in_general() -> None:
    dog = Parts("the dog got a haircut", "small", "The dog got a haircut.", (), "", ("u7", "q7"))
    talks = [EchoedTalk("a:1", (dog, SAID))]
    examples = closer_examples(0, 30, talks=talks, kinds=LIGHT_KINDS)
    known = [one for one in examples if f": {UNSURE}." not in one.code]
    first = [one for one in known if len(one.turns) == 1]
    second = [one for one in known if len(one.turns) == 3]
    assert {one.given for one in first} == {dog.echo}
    assert {one.given for one in second} == {""}
    own = {sentence for name, sentence in CLOSER["hurt"].items() if name in NAMES}
    general = {sentence for part in POOLS["hurt"].values() for sentence in part}
    assert not any(sentence in one.reply for one in second for sentence in own - general)
    assert not closer_examples(0, 30, talks=[EchoedTalk("a:2", (SAID,))], kinds=LIGHT_KINDS)
    assert len(closer_examples(0, 30, talks=[EchoedTalk("a:2", (SAID,))], kinds=LIGHT_KINDS, others=1.0)) == 1


def test_the_light_recipe_learns_closer_replies_and_some_of_all_others() -> None:
    examples = light_examples(0)
    closer = [one for one in examples if one.given]
    assert {one.source for one in examples} == {LIGHT_SOURCE}
    assert {kind for kind in LIGHT_KINDS if any(f"message: {kind}." in one.code for one in closer)} == {
        *LIGHT_KINDS
    }
    assert not any(f"message: {kind}." in one.code for one in closer for kind in ("grief", "hurt", "torn"))
    assert len(closer) > 4_000
    assert len(examples) - len(closer) > 4_000


def test_a_better_first_sentence_is_learned_too() -> None:
    talk = next(one for one in light_talks(0) if len(one.parts) == 1 and one.parts[0].kind == "small")
    said = talk.parts[0].said
    found = [one for one in light_examples(0, firsts={said: "A better one."}) if one.turns[0].content == said]
    assert found
    assert all(one.reply.startswith("A better one. ") and not one.given for one in found)


def test_an_unknown_name_is_told_with_its_row() -> None:
    with pytest.raises(ValueError, match=r"a:1.*q999.*hurt"):
        _examples(Parts("he sold it", "hurt", "He sold it.", (), "", ("q999",)), versions=30)


def test_a_name_without_a_part_is_refused(tmp_path: Path) -> None:
    (tmp_path / "closer.yaml").write_text(json.dumps({"hurt": {"x1": "That hurts."}}))
    with pytest.raises(ValueError, match="x1"):
        read_closer(tmp_path)


def test_every_kind_can_be_answered_closer_and_every_choice_is_known() -> None:
    assert set(CLOSER) == set(CLOSER_KINDS)
    assert not set(CLOSER) & set(ADDRESSED)
    chosen = [(parts.kind, name) for talk in read_echoed() for parts in talk.parts for name in parts.fits]
    assert len(chosen) > 10_000
    assert all(name in CLOSER[kind] for kind, name in chosen)
    assert all("{" not in sentence for named in CLOSER.values() for sentence in named.values())
