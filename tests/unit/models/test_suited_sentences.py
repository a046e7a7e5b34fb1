"""Sentences that suit one message, with made-up heads and as they are shipped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.encoder import KINDS_ENCODER
from models.head_file import Head, HeadError, read_head, write_head
from models.later_sentences import read_book
from models.message_kind import FOLDER, KINDS, MessageReading, load_kinds
from models.suited_sentences import NONE_SUITED, SUITED_FILE, Suited, SuitedHead, read_suited, spoken_for
from models.training.closer_replies import read_closer
from models.weights import DEFAULT_ADAPTER

SENTENCES = [
    ["small", "Soup is a comfort."],
    ["small", "Cats do as they please."],
    ["small", "What is it called?"],
    ["good", "What a day!"],
]


def _head(*outputs: float, thresholds: dict[str, list[float]] | None = None) -> Head:
    tensors = {
        "mean": np.zeros(2, np.float32),
        "scale": np.ones(2, np.float32),
        "w0": np.zeros((2, len(outputs)), np.float32),
        "b0": np.array(outputs, np.float32),
        "base": np.full(len(outputs), 0.1, np.float32),
    }
    facts: dict[str, Any] = {"encoder": KINDS_ENCODER, "sentences": SENTENCES}
    return Head(tensors, facts | {"thresholds": thresholds or {"small": [0.6, 0.6], "good": [0.6, 0.6]}})


def _suited(kind: str, *outputs: float) -> Suited:
    return SuitedHead(_head(*outputs)).suited(kind, np.zeros(2, np.float32))


def test_what_is_sure_enough_is_offered_by_its_part() -> None:
    assert _suited("small", 3, -3, 3, 3) == Suited(("Soup is a comfort.",), ("What is it called?",))
    assert _suited("good", 3, -3, 3, 3) == Suited(("What a day!",))


def test_the_best_comes_first_and_another_one_only_if_it_is_near() -> None:
    assert _suited("small", 2, 3, -3, 3).understanding == ("Cats do as they please.", "Soup is a comfort.")
    assert _suited("small", 1, 5, -3, 3).understanding == ("Cats do as they please.",)


def test_what_is_unsure_and_kinds_without_a_list_have_none() -> None:
    assert _suited("small", 0, 0, 0, 3) == NONE_SUITED
    assert _suited("grief", 3, 3, 3, 3) == NONE_SUITED


def test_what_is_likely_for_any_message_of_the_kind_is_not_offered() -> None:
    head = _head(2, 3, -3, 3)
    often = np.array([0.1, 0.9, 0.1, 0.1], np.float32)
    found = SuitedHead(Head({**head.tensors, "base": often}, head.facts)).suited(
        "small", np.zeros(2, np.float32)
    )
    assert found.understanding == ("Soup is a comfort.",)
    assert spoken_for(np.array([0.8, 0.95], np.float32), often[:2]).tolist() == pytest.approx([0.8, 0.0])


def test_a_head_with_other_outputs_than_sentences_is_refused() -> None:
    with pytest.raises(HeadError, match="another number"):
        SuitedHead(_head(1, 2))


def test_a_file_is_read_if_it_is_there(tmp_path: Path) -> None:
    assert read_suited(tmp_path / SUITED_FILE, KINDS_ENCODER) is None
    head = _head(3, -3, 3, 3)
    write_head(tmp_path / SUITED_FILE, head.tensors, head.facts)
    found = read_suited(tmp_path / SUITED_FILE, KINDS_ENCODER)
    assert found is not None
    assert found.suited("good", np.zeros(2, np.float32)) == Suited(("What a day!",))
    with pytest.raises(HeadError, match="trained for"):
        read_suited(tmp_path / SUITED_FILE, "another")
    (tmp_path / SUITED_FILE).write_bytes(b"broken")
    with pytest.raises(HeadError):
        read_suited(tmp_path / SUITED_FILE, KINDS_ENCODER)


def test_a_file_without_weights_is_refused(tmp_path: Path) -> None:
    head = _head(3, -3, 3, 3)
    kept = {name: value for name, value in head.tensors.items() if name != "scale"}
    write_head(tmp_path / SUITED_FILE, kept, head.facts)
    with pytest.raises(HeadError, match="lacks weights"):
        read_suited(tmp_path / SUITED_FILE, KINDS_ENCODER)


def test_the_shipped_head_says_sentences_of_the_list_for_kinds_that_there_are() -> None:
    facts = read_head(FOLDER / SUITED_FILE, KINDS_ENCODER).facts
    closer = read_closer()
    assert len(facts["sentences"]) > 1_000
    assert all(text in closer[kind].values() for kind, text in facts["sentences"])
    assert set(facts["thresholds"]) == set(closer) <= set(KINDS)


@pytest.mark.parametrize(
    ("said", "kind", "suited"),
    [
        ("making leek soup, it's pouring outside", "small", "Food like that is a comfort."),
        ("my cat is sitting in the sink again", "small", "Animals do exactly as they please."),
        ("I'm on the bus, the man opposite is knitting", "small", "Trains and buses are good places"),
        ("my results are back and it's benign!!", "good", "You can breathe out now."),
    ],
)
def test_the_shipped_reader_offers_what_suits(said: str, kind: str, suited: str) -> None:
    reading = load_kinds().read([said])
    assert reading is not None
    assert reading.kind == kind
    assert any(suited in text for text in reading.suited.understanding)


def test_a_reply_says_what_suits_behind_what_is_general_and_then_asks() -> None:
    book = read_book(DEFAULT_ADAPTER)
    assert book is not None
    suited = Suited(("Old friends pick up right where they left off.",), ("What did you talk about?",))
    steps = [(one.step, one.last) for one in book.later(MessageReading("good", (), suited))]
    assert {(1, False), (2, False), (3, True)} == {*steps}
    assert {(1, False), (2, False), (3, False), (4, True)} == {
        (one.step, one.last) for one in book.later(MessageReading("grief", (), suited))
    }
    small = book.later(MessageReading("small", (), suited))
    assert {(one.step, one.last) for one in small} == {(1, False), (2, True)}
    assert [one.text for one in small if one.last] == ["What did you talk about?"]


def test_only_a_question_that_suits_takes_the_place_of_the_general_ones() -> None:
    book = read_book(DEFAULT_ADAPTER)
    assert book is not None
    found = book.later(MessageReading("good", (), Suited((), ("What did you talk about?",))))
    assert [one.text for one in found if one.last] == ["What did you talk about?"]
    assert {one.step for one in found} == {0}
    assert sum(not one.last for one in found) > 3


def test_what_suits_is_not_said_twice_in_a_conversation() -> None:
    book = read_book(DEFAULT_ADAPTER)
    assert book is not None
    suited = Suited(("Old friends pick up right where they left off.",), ("What did you talk about?",))
    said = ["How lovely! Old friends pick up right where they left off. What did you talk about?"]
    found = book.later(MessageReading("good", (), suited), said)
    assert found == book.later(MessageReading("good"), said)
