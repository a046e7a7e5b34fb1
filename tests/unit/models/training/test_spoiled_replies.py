"""What Q learns from beside ratings: spoiled replies, their features, and that the head takes the lesson."""

import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.training import quality_head
from models.training.mint_data import MintData, MintReply, by_context
from models.training.quality_head import AGGREGATE, fit_quality
from models.training.quality_rows import MintVectors, QualityRows, quality_rows, reader
from models.training.spoiled_replies import OURS, Spoiled, spoil
from models.training.spoiled_rows import SpoiledRows, SpoiledVectors, spoiled_rows
from tests.fakes.encoder import FakeEncoder
from tests.fakes.heads import tactic_head


@pytest.fixture(scope="module")
def data() -> MintData:
    replies = tuple(
        MintReply(
            (f"c{conversation}", 1),
            f"system {number}",
            f"Reply {number} of {conversation}. It has a second sentence.",
            (f"Reply {number} of {conversation}.", "It has a second sentence."),
            (frozenset(), frozenset()),
            (3.0 + number,) * 7,
        )
        for conversation in range(3)
        for number in range(2)
    )
    histories = {
        (f"c{conversation}", 1): (ChatMessage("user", f"I am person {conversation}."),)
        for conversation in range(3)
    }
    return MintData(replies, histories)


@pytest.fixture(scope="module")
def spoiled(data: MintData) -> Spoiled:
    return spoil(data, seed=1)


def _rows(data: MintData, spoiled: Spoiled) -> tuple[QualityRows, SpoiledRows]:
    encoder = FakeEncoder()
    said = {key: encoder.encode_sentences([[h[-1].content]])[0] for key, h in data.histories.items()}
    read = reader(tactic_head())
    vectors = MintVectors(encoder.encode_sentences([list(r.sentences) for r in data.replies]), said)
    made = SpoiledVectors(spoiled, _Texts(encoder))
    return quality_rows(data, vectors, read, 0), spoiled_rows(made, read)


class _Texts(dict[tuple[str, ...], np.ndarray]):
    """Embeds what is asked for."""

    def __init__(self, encoder: FakeEncoder) -> None:
        super().__init__()
        self._encoder = encoder

    def __missing__(self, sentences: tuple[str, ...]) -> np.ndarray:
        self[sentences] = self._encoder.encode_sentences([list(sentences)])[0]
        return self[sentences]


def test_the_same_seed_spoils_alike(data: MintData, spoiled: Spoiled) -> None:
    assert spoil(data, seed=1) == spoiled
    assert spoil(data, seed=2) != spoiled


def test_the_worse_reply_is_another_text_or_answers_somebody_else(spoiled: Spoiled) -> None:
    for pair in spoiled.pairs:
        assert pair.margin > 0
        assert (pair.better.sentences, pair.better.said) != (pair.worse.sentences, pair.worse.said)


def test_worthless_replies_are_rated_as_such(spoiled: Spoiled) -> None:
    assert {one.rating for one in spoiled.worthless} >= {1.3, 1.4, 1.5, 1.6, 2.2}
    assert all(1.0 <= one.rating < 2.5 and one.reply.sentences for one in spoiled.worthless)


def test_nothing_of_a_conversation_kept_apart_is_learned(data: MintData, spoiled: Spoiled) -> None:
    _, rows = _rows(data, spoiled)
    assert {"c0", "c1", "c2", OURS} == set(rows.pair_of)
    left = rows.without(["c0", "c2"])
    assert {"c1", OURS} == set(left.pair_of)
    assert set(left.worthless_of) <= {"c1", OURS}
    assert len(left.better) == len(left.worse) == len(left.margins) < len(rows.margins)


def test_the_head_learns_that_spoiled_replies_are_worse(
    data: MintData, spoiled: Spoiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated, made = _rows(data, spoiled)

    def fall() -> float:
        head = fit_quality(rated, made, sorted(by_context(data.replies)))
        better, worse = (head.forward(rows)[:, AGGREGATE] for rows in (made.better, made.worse))
        return float(np.mean(better - worse))

    taught = fall()
    monkeypatch.setattr(quality_head, "SPOILED_WEIGHT", 0.0)
    assert taught > fall() + 0.02
