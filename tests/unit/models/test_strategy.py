from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.class_head import averaged
from models.encoder import STRATEGIES, Vectors
from models.head_file import Head, HeadError, write_head
from models.strategy import (
    ADAPTER,
    MESSAGE_WORDS,
    StrategyReader,
    load_strategy_reader,
    paired,
    place_numbers,
    strategy_inputs,
)
from models.word_grams import BUCKETS, word_grams
from tests.fakes.encoder import FakeEncoder

HELLO = [ChatMessage("user", "hello")]
NAMES = ("Question", "Information", "Others")
FACTS = {
    "encoder": "fake",
    "head": "strategies",
    "strategies": list(NAMES),
    "features": ["text", "place"],
    "words": 0.0,
    "temperature": 1.0,
}


def head(words: float = 0.0) -> Head:
    """The network prefers Question for a first reply and Others later; the n-grams know the word "study"."""
    weights = np.zeros((10, 3), np.float32)
    weights[9] = [2.0, 0.0, 0.0]
    grams = np.zeros((BUCKETS, 3), np.float32)
    grams[list(word_grams("study"))] = [0.0, 50.0, 0.0]
    tensors = {
        "mean": np.zeros(10, np.float32),
        "scale": np.ones(10, np.float32),
        "w0": weights,
        "b0": np.array([0.0, 0.0, 1.0], np.float32),
        "gram_idf": np.ones(BUCKETS, np.float32),
        "grams": grams,
        "gram_bias": np.zeros(3, np.float32),
    }
    return Head(tensors, {**FACTS, "words": words})


def test_the_place_in_the_conversation_counts() -> None:
    reader = StrategyReader(FakeEncoder(), head())
    assert reader.read(["And then?"], HELLO, earlier=0) == ["Question"]
    assert reader.read(["And then?"], HELLO, earlier=3) == ["Others"]


def test_words_count_where_the_recipe_chose_them() -> None:
    reader = StrategyReader(FakeEncoder(), head(words=0.5))
    assert reader.read(["A study says so.", "I see."], HELLO, earlier=3) == ["Information", "Others"]


def test_probabilities_add_up_to_one_and_no_reply_has_none() -> None:
    reader = StrategyReader(FakeEncoder(), head(words=0.5))
    assert reader.probabilities(["A study says so."], "hello", 1).sum() == pytest.approx(1.0, abs=1e-5)
    assert reader.probabilities([], "hello", 1).shape == (0, 3)


def test_averaging_takes_its_share_of_each() -> None:
    sure, unsure = np.array([[3.0, 0.0]], np.float32), np.array([[0.0, 0.0]], np.float32)
    assert np.diff(averaged(sure, unsure, 0.25)).item() == pytest.approx(-2.25)


def test_the_place_is_capped() -> None:
    assert place_numbers(0) == [0.0, 1.0]
    assert place_numbers(200) == [1.0, 0.0]


def test_inputs_stand_in_the_order_that_is_named() -> None:
    text, context = np.full(2, 1, np.float32), np.full(2, 2, np.float32)
    assert strategy_inputs(("context", "text"), text, context, 0, "Hi.").tolist() == [2, 2, 1, 1]


def test_another_kind_of_head_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "head.safetensors"
    write_head(file, {"mean": np.zeros(2, np.float32)}, {"encoder": "fake", "head": "emotions"})
    with pytest.raises(HeadError, match="strategies"):
        load_strategy_reader(FakeEncoder(), file)


def test_a_written_head_reads_the_same(tmp_path: Path) -> None:
    file = tmp_path / "head.safetensors"
    made = head(words=0.5)
    write_head(file, made.tensors, made.facts)
    again = load_strategy_reader(FakeEncoder(), file)
    expected = StrategyReader(FakeEncoder(), made).probabilities(["A study."], "hello", 2)
    assert again.probabilities(["A study."], "hello", 2) == pytest.approx(expected)


def test_a_head_with_an_encoder_of_its_own_needs_it_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "head.safetensors"
    made = head()
    write_head(file, made.tensors, {**made.facts, "encoder": STRATEGIES})
    with pytest.raises(HeadError, match=r"adapter\.safetensors"):
        load_strategy_reader(FakeEncoder(), file)
    (tmp_path / ADAPTER).write_bytes(b"read at the first use")
    assert load_strategy_reader(FakeEncoder(), file).names == NAMES


def test_such_an_encoder_reads_the_reply_behind_its_message() -> None:
    class Pairs(FakeEncoder):
        read: ClassVar[list[Sequence[str]]] = []

        def encode_sentences(self, texts: Sequence[Sequence[str]]) -> list[Vectors]:
            self.read.extend(texts)
            return super().encode_sentences(texts)

    made = Head(head().tensors, {**FACTS, "pairs": True})
    reader = StrategyReader(Pairs(), made)
    assert reader.read(["And then?", ""], [ChatMessage("user", " hello\n there")], earlier=0) == [
        "Question",
        "Question",
    ]
    assert Pairs.read == [("hello there", "And then?"), ("hello there", ".")]


def test_a_long_message_never_pushes_the_reply_out() -> None:
    message, reply = paired("word " * 900 + "end", "I see.")
    assert message.endswith(" end")
    assert len(message.split()) == MESSAGE_WORDS
    assert reply == "I see."
