"""The head that tells replies that fit, with a made-up encoder and as it is shipped."""

from pathlib import Path

import numpy as np
import pytest

from models.answers import FOLDER, VERDICTS, AnswerReader, asked, load_answers
from models.chat_model import ChatMessage
from models.encoder import ANSWERS
from models.head_file import Head, HeadError
from models.strategy import ADAPTER
from tests.fakes.pair_encoder import DIM, PairEncoder


def _pairs() -> PairEncoder:
    """Gives a reply that shares its first word with the message the vector of ones, any other zeros."""
    return PairEncoder(
        ANSWERS, lambda said, reply: float(said.split()[0].lower() == reply.split()[0].lower())
    )


@pytest.fixture
def head() -> Head:
    inputs = 2 * DIM + 2
    weights = np.zeros((inputs, len(VERDICTS)), np.float32)
    weights[:DIM] = [-5.0, 0.0, 5.0]
    tensors = {
        "mean": np.zeros(inputs, np.float32),
        "scale": np.ones(inputs, np.float32),
        "w0": weights,
        "b0": np.array([10.0, 0.0, -10.0], np.float32),
    }
    return Head(tensors, {"names": list(VERDICTS), "temperature": 1.0})


def _said(*texts: str) -> list[ChatMessage]:
    return [ChatMessage("user" if i % 2 == 0 else "assistant", text) for i, text in enumerate(texts)]


def test_a_reply_that_misses_is_unfit_and_one_that_fits_is_not(head: Head) -> None:
    found = AnswerReader(_pairs(), head).unfit(["Rain all day.", "My cat."], _said("rain again"))
    assert found == pytest.approx([0.0, 1.0], abs=1e-3)


def test_what_was_said_just_before_is_read_as_well(head: Head) -> None:
    encoder = _pairs()
    context = _said("lost my job", "Oh no.", "to a robot")
    AnswerReader(encoder, head).unfit(["A robot!"], context)
    assert encoder.seen == [("lost my job to a robot", "A robot!")]
    assert asked(context[:1]) == "lost my job"


@pytest.mark.parametrize("said", ["我失业了", " "])
def test_what_can_not_be_told_counts_for_nothing(said: str, head: Head) -> None:
    encoder = _pairs()
    assert AnswerReader(encoder, head).unfit(["Oh.", "Ah."], _said(said)) == [0.0, 0.0]
    assert encoder.seen == []


def test_no_replies_no_values(head: Head) -> None:
    assert AnswerReader(_pairs(), head).unfit([], _said("hi")) == []


def test_another_kind_of_head_is_refused(head: Head) -> None:
    with pytest.raises(HeadError, match="misses, partly, fits"):
        AnswerReader(_pairs(), Head(head.tensors, {"names": ["a", "b"]}))


def test_a_missing_encoder_is_named(tmp_path: Path) -> None:
    (tmp_path / "head.safetensors").write_bytes((FOLDER / "head.safetensors").read_bytes())
    with pytest.raises(HeadError, match=ADAPTER):
        load_answers(tmp_path)


def test_the_shipped_head_tells_a_reply_to_something_else() -> None:
    context = _said("my dog died on tuesday, i still hear him at the door")
    fitting = (
        "Your dog died on Tuesday, and you still hear him at the door. That must hurt, and it's okay to say "
        "so. What do you miss most about him?"
    )
    other = (
        "You got the job and the flat in one week! You have every reason to feel happy. How will you "
        "celebrate it?"
    )
    best, worst = load_answers().unfit([fitting, other], context)
    assert best < 0.5 < worst
