"""Pairs from replies that were read."""

import json
import random
from functools import partial
from pathlib import Path

import pytest

from evals.embedded_model import CONTEXTS, FRESH
from models.answers import VERDICTS
from models.chat_model import ChatMessage
from models.training.echoed_file import Parts
from models.training.preference_rows import read_pairs
from models.training.read_pairs import main, pairs_of, rows_of, with_written
from models.training.read_replies import SOURCES, ReadMessage, read_messages
from models.training.sample_chat import read_contexts

RNG = partial(random.Random, 0)
DATA = sorted(Path("evals/data").glob("embedded_replies_read*.jsonl"))


def _replies(**verdicts: str) -> list[tuple[str, int]]:
    return [(text, VERDICTS.index(verdict)) for text, verdict in verdicts.items()]


def test_a_better_reply_is_preferred_and_those_furthest_apart_come_first() -> None:
    pairs = pairs_of(_replies(a="fits", b="partly", c="misses"), RNG())

    assert pairs[0] == ("a", "c")
    assert set(pairs) == {("a", "c"), ("a", "b"), ("b", "c")}


def test_replies_that_are_alike_make_no_pair() -> None:
    assert pairs_of(_replies(a="partly", b="partly"), RNG()) == []


def test_no_more_pairs_than_asked_for() -> None:
    replies = _replies(**{f"good{i}": "fits" for i in range(4)}, **{f"bad{i}": "misses" for i in range(4)})

    assert len(pairs_of(replies, RNG(), most=5)) == 5


def test_the_recipe_reads_what_is_written(tmp_path: Path) -> None:
    main([*map(str, DATA), "--output", str(tmp_path / "out" / "dpo.jsonl")])

    assert len(read_pairs(tmp_path / "out" / "dpo.jsonl")) > 300


def test_messages_that_something_is_measured_on_are_left_out() -> None:
    measured = {
        _plain(said) for file in (CONTEXTS, *FRESH) for script in read_contexts(file) for said in script
    }

    learned = {
        _plain(turn["content"])
        for row in rows_of(DATA, SOURCES, 0)
        for turn in row["prompt"]
        if turn["role"] == "user"
    }

    assert not measured & learned


def _by_firsts(*judged: tuple[str, str], said: str = "we won the cup") -> ReadMessage:
    texts = [(f"{first} How lovely!", first, VERDICTS.index(verdict)) for first, verdict in judged]
    return ReadMessage(
        "a-1",
        "kept_apart",
        (ChatMessage("user", said),),
        tuple((text, verdict) for text, _, verdict in texts),
        {text: first for text, first, _ in texts},
        "Kind of message: good. Feelings: none named.",
    )


def test_where_no_first_sentence_fits_the_written_one_is_preferred() -> None:
    message = _by_firsts(("I won the cup.", "misses"), ("A cup.", "partly"))
    written = {"we won the cup": Parts("we won the cup", "good", "You won the cup!", (), "")}
    found = with_written(message, written)
    assert found.replies[-1] == ("You won the cup! How lovely!", VERDICTS.index("fits"))
    assert found.firsts[found.replies[-1][0]] == "You won the cup!"
    fitting = _by_firsts(("You won.", "fits"))
    assert with_written(fitting, written) is fitting
    assert with_written(message, {}) is message


def test_both_replies_go_on_in_the_same_words_behind_judged_first_sentences() -> None:
    rows = [row for row in rows_of(DATA, ("kept_apart",), 0) if "code" in row]
    assert len(rows) > 1000
    for row in rows[:200]:
        chosen, rejected = row["chosen"][0]["content"], row["rejected"][0]["content"]
        assert chosen != rejected
        assert chosen.rpartition(". ")[2] == rejected.rpartition(". ")[2]
        assert row["code"].startswith("Kind of message: ")


def test_neither_length_nor_a_cut_reply_is_preferred(tmp_path: Path) -> None:
    firsts = {
        "You won the cup!": "fits",
        "You have won the cup after all of these years, and so has everybody you know!": "fits",
        "You won a cut!": "fits",
        "I won the cup!": "misses",
    }
    replies = [
        {"text": f"{first} How{' […]' if 'cut' in first else ' nice.'}", "first": first, "verdict": verdict}
        for first, verdict in firsts.items()
    ]
    file = tmp_path / "read.jsonl"
    file.write_text(json.dumps({"source": "x", "message": "won the cup", "replies": replies}) + "\n", "utf-8")

    (row,) = rows_of([file], ("x",), 0, longest=1.3)
    assert row["chosen"][0]["content"] == "You won the cup! How nice."
    assert row["rejected"][0]["content"] == "I won the cup! How nice."
    assert len(rows_of([file], ("x",), 0)) == 2


def _plain(message: str) -> str:
    return message.lower().rstrip(".!")


def test_what_a_person_said_just_before_belongs_to_the_message(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    turns = [["user", "lost my job"], ["assistant", "Oh no."], ["user", "to a robot"]]
    row = {"source": "x", "turns": turns, "replies": [{"text": "A robot!", "verdict": "fits"}]}
    file.write_text(json.dumps(row) + "\n")

    (found,) = read_messages(file)

    assert found.asked == "lost my job to a robot"
    assert found.replies == (("A robot!", VERDICTS.index("fits")),)
    assert read_messages(file, ("y",)) == []


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    file.write_text('{"source": "x", "message": "m", "replies": [{"text": "t", "verdict": "good"}]}\n')

    with pytest.raises(ValueError, match="row 1"):
        rows_of([file], ("x",), 0)


def test_nothing_to_learn_from_ends_kindly(tmp_path: Path) -> None:
    file = tmp_path / "read.jsonl"
    file.write_text('{"source": "x", "message": "m", "replies": []}\n')

    with pytest.raises(SystemExit, match="no pair"):
        main([str(file), "--sources", "x", "--output", str(tmp_path / "dpo.jsonl")])
