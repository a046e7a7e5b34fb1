"""What kind of message it is and what it voices, with a made-up encoder and as it is shipped."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from models.encoder import KINDS_ENCODER
from models.head_file import Head, HeadError
from models.message_kind import (
    ADDRESSED,
    ANY_HEAVY,
    HEAVY,
    KINDS,
    UNSURE,
    KindReader,
    MessageReading,
    Opinion,
    load_kinds,
    mixed,
    readable,
    told_kind,
)
from tests.fakes.pair_encoder import DIM, PairEncoder

FEELINGS = ("sad", "proud", "torn")


def _encoder() -> PairEncoder:
    return PairEncoder(KINDS_ENCODER, lambda *_: 1.0)


def _head(kind: str, feelings: Sequence[float] = (-9.0, -9.0, -9.0), sure: float = 9.0) -> Head:
    inputs = 2 * DIM + 2
    outputs = np.array([*(sure if one == kind else 0.0 for one in KINDS), *feelings], np.float32)
    tensors = {
        "mean": np.zeros(inputs, np.float32),
        "scale": np.ones(inputs, np.float32),
        "w0": np.zeros((inputs, len(outputs)), np.float32),
        "b0": outputs,
    }
    facts = {
        "names": list(KINDS),
        "marks": list(FEELINGS),
        "thresholds": [0.5, 0.9, 1.0],
        "temperature": 1.0,
        "opinion_share": 0.5,
    }
    return Head(tensors, facts)


def _chances(**given: float) -> np.ndarray:
    rest = (1 - sum(given.values())) / (len(KINDS) - len(given))
    return np.array([given.get(kind, rest) for kind in KINDS], np.float32)


def test_the_newest_message_is_read_behind_the_one_before() -> None:
    encoder = _encoder()
    found = KindReader(encoder, _head("good")).read(["hi", "i lost", "i won"])
    assert found == MessageReading("good")
    assert encoder.seen == [("i lost", "i won")]


def test_only_sure_feelings_are_named_the_surest_first_and_two_at_most() -> None:
    found = KindReader(_encoder(), _head("torn", (1.0, 3.0, 9.0))).read(["x"])
    assert found == MessageReading("torn", ("proud", "sad"))
    unsure = KindReader(_encoder(), _head("torn", (-1.0, 2.0, 9.0))).read(["x"])
    assert unsure == MessageReading("torn")


@pytest.mark.parametrize("said", [[], [""], ["..."], ["我失业了"]])
def test_what_can_not_be_read_has_no_kind(said: list[str]) -> None:
    encoder = _encoder()
    assert KindReader(encoder, _head("good")).read(said) is None
    assert not readable(said)
    assert encoder.seen == []


def _opinion(feelings: Sequence[float] = (0.0, 0.0, 0.0), **chances: float) -> Opinion:
    return Opinion(_chances(**chances), np.array(feelings, np.float32))


def test_another_opinion_counts_beside_the_encoder() -> None:
    reader = KindReader(_encoder(), _head("good", sure=3.5))
    assert reader.read(["x"]) == MessageReading("good")
    assert reader.read(["x"], _opinion(grief=0.97)) == MessageReading("grief")


def test_feelings_are_the_mean_of_both() -> None:
    reader = KindReader(_encoder(), _head("torn", (9.0, 2.2, 9.0)))
    one = reader.read(["x"], _opinion((0.0, 0.95, 1.0)))
    other = reader.read(["x"], _opinion((0.1, 0.0, 1.0)))
    assert one is not None
    assert one.feelings == ("proud",)
    assert other is not None
    assert other.feelings == ("sad",)


def test_a_kind_that_is_likely_enough_is_told() -> None:
    assert told_kind(_chances(good=0.6)) == "good"
    assert told_kind(_chances(hurt=0.6)) == "hurt"
    assert told_kind(_chances(who=0.9)) == "who"


def test_pain_without_a_sure_kind_is_told_as_pain() -> None:
    assert told_kind(_chances(hurt=0.3, fear=0.3, low=0.3)) == ANY_HEAVY
    assert told_kind(_chances(hurt=0.4, annoyed=0.4)) == ANY_HEAVY


def test_joy_without_a_sure_kind_is_told_as_the_likelier_of_its_kinds() -> None:
    assert told_kind(_chances(good=0.4, small=0.45)) == "small"
    assert told_kind(_chances(how=0.45, normal=0.4)) == "how"


def test_pain_or_joy_is_left_open_where_it_is() -> None:
    assert told_kind(_chances(hurt=0.45, good=0.45)) == UNSURE
    assert told_kind(_chances()) == UNSURE


def test_two_readers_are_mixed_by_their_share() -> None:
    one, other = np.array([[0.9, 0.1]]), np.array([[0.2, 0.8]])
    assert mixed(one, other, 0.0) == pytest.approx(one)
    assert mixed(one, other, 1.0) == pytest.approx(other)
    assert mixed(one, other, 0.5)[0] == pytest.approx([0.6, 0.4], abs=0.01)
    assert mixed(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), 0.5).sum() == pytest.approx(1.0)


def test_another_kind_of_head_is_refused() -> None:
    head = _head("good")
    with pytest.raises(HeadError, match="kinds"):
        KindReader(_encoder(), Head(head.tensors, {"names": ["a"]}))


def test_a_missing_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeadError):
        load_kinds(tmp_path)


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("we won the county final and my nan cried with joy", {"good"}),
        ("are you a real person", {"who"}),
        ("thank you, that helped, good night", {"thanks"}),
        ("my grandmother died on sunday", {"grief"}),
        ("I'm so nervous about the interview tomorrow", {"fear"}),
        ("nobody invited me, again", {"hurt", "lonely", ANY_HEAVY}),
    ],
)
def test_plain_messages_are_read_as_what_they_are(said: str, kinds: set[str]) -> None:
    found = load_kinds().read([said])
    assert found is not None
    assert found.kind in kinds


def test_the_groups_are_apart_and_whole() -> None:
    assert len(set(KINDS)) == len(KINDS)
    assert {*HEAVY, *ADDRESSED} < set(KINDS)
    assert not {ANY_HEAVY, UNSURE} & set(KINDS)
