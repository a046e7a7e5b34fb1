from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals import reader_mix
from evals.held_out import FOLDS, Measured
from evals.reader_mix import ReaderShare, on_scale, with_readers
from models.chat_model import ChatMessage
from models.encoder import LazyEncoder
from models.tactics import Tactic
from models.training.folds import conversation_folds
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import MintData, MintReply, reply_digest

QUESTION, ADVICE = Tactic.QUESTIONING, Tactic.ADVICE
RATINGS = (2.0, 3.0, 4.0, 5.0)
ENCODER = LazyEncoder("e5-mint", 768, lambda: pytest.fail("nothing needs to be embedded"))


def reply(conversation: str, rating: float) -> MintReply:
    tags = frozenset({QUESTION if rating > 3 else ADVICE})
    return MintReply((conversation, 1), f"s{rating}", "Why?", ("Why?",), (tags,), (1.0,) * 6 + (rating,))


@pytest.fixture
def data() -> MintData:
    replies = tuple(reply(f"c{i}", rating) for i in range(10) for rating in RATINGS)
    return MintData(replies, {one.context: (ChatMessage("user", "I am tired."),) for one in replies})


def probabilities(data: MintData, wrong: int) -> Any:
    """Right but for one in three replies, where the wrong tactic is the likelier one."""
    rows = [[0.9 if tactic in one.tactics[0] else 0.1 for tactic in Tactic] for one in data.replies]
    for number in range(wrong, len(rows), 3):
        rows[number] = [0.4 if value > 0.5 else 0.6 for value in rows[number]]
    return np.array(rows, np.float32)


def write(path: Path, data: MintData, quality: Any, tags: Any, seed: int = 0) -> Path:
    folds = conversation_folds(data.conversations, FOLDS, seed)
    np.savez_compressed(
        path,
        allow_pickle=False,
        quality=quality,
        ratings=np.repeat(np.asarray(quality, np.float32)[:, None], 6, axis=1),
        probabilities=tags,
        digests=np.array([reply_digest(one) for one in data.replies]),
        sentences=np.ones(len(data.replies), np.int16),
        fold=np.array([folds[name] for name in data.conversations]),
        conversations=np.array(data.conversations),
    )
    return path


@pytest.fixture
def measured(data: MintData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measured:
    """The heads confuse the two best replies, and read one in three sentences wrong."""
    judged = np.array([one.quality for one in data.replies], np.float32)
    quality = np.where(judged == 4, 5.0, np.where(judged == 5, 4.6, judged)).astype(np.float32)
    kept = write(tmp_path / "heads.npz", data, quality, probabilities(data, 0))
    HeldOutTags.from_tuning(kept, data).save(tmp_path / "held_out.npz")
    monkeypatch.setattr(reader_mix, "adapter_file", lambda _: tmp_path / "adapter.safetensors")
    empty = np.zeros((1, 384), np.float32)
    return Measured([()] * len(data.replies), quality, [empty] * len(data.replies), empty[0], "cross-fit")


@pytest.fixture
def file(data: MintData, tmp_path: Path) -> Path:
    """The reader has the order right, on another scale, and reads another third wrong."""
    judged = np.array([one.quality for one in data.replies], np.float32)
    return write(tmp_path / "reader.npz", data, 2.5 + judged / 4, probabilities(data, 1))


def test_each_is_right_where_the_other_is_wrong_and_their_mean_everywhere(
    data: MintData, measured: Measured, file: Path
) -> None:
    found, scores = with_readers(data, measured, ENCODER, ReaderShare((file,)), seed=0)
    assert scores["quality"]["readers"]["spearman"] == pytest.approx(1.0)
    assert scores["quality"]["heads"]["first_choice"] == 4.0
    assert scores["quality"]["mean"]["first_choice"] == 5.0
    # Two tactics of ten occur; of the others F1 for present is 0.
    assert scores["tags_macro_f1"]["mean"] == pytest.approx((2 * 1.0 + 8 * 0.5) / 10)
    assert max(scores["tags_macro_f1"][name] for name in ("heads", "readers")) < 0.59
    assert [list(tags) for tags in found.tactics] == [list(one.tactics) for one in data.replies]
    assert found.vectors is measured.vectors


def test_several_readers_count_alike(data: MintData, measured: Measured, tmp_path: Path) -> None:
    """One puts 5 before 4, the other two 4 before 5 by less in sum: their mean has the order of the first."""
    judged = np.array([one.quality for one in data.replies], np.float32)
    sure, unsure = judged.copy(), judged.copy()
    sure[judged == 5], sure[judged == 4] = 5.0, 1.0
    unsure[judged == 5], unsure[judged == 4] = 4.0, 4.2
    files = tuple(
        write(tmp_path / f"{number}.npz", data, quality, probabilities(data, 1))
        for number, quality in enumerate((sure, unsure, unsure))
    )
    share = ReaderShare(files, 1.0, 1.0)
    scores = with_readers(data, measured, ENCODER, share, seed=0)[1]
    assert [one["first_choice"] for one in scores["each"]] == [5.0, 4.0, 4.0]
    assert scores["quality"]["mean"] == scores["quality"]["readers"]
    assert scores["quality"]["mean"]["first_choice"] == 5.0


def test_what_is_learned_does_without_a_reader_that_is_wrong_about_the_best(
    data: MintData, measured: Measured, file: Path, tmp_path: Path
) -> None:
    judged = np.array([one.quality for one in data.replies], np.float32)
    wrong = np.where(judged == 4, 5.0, np.where(judged == 5, 3.0, judged)).astype(np.float32)
    files = (file, write(tmp_path / "wrong.npz", data, wrong, probabilities(data, 1)))
    found, scores = with_readers(data, measured, ENCODER, ReaderShare(files, stacked=True), seed=0)
    assert scores["quality"]["readers"]["first_choice"] == 4.0
    assert scores["quality"]["stacked"]["first_choice"] == 5.0
    assert found.quality[2] < found.quality[3]


def test_a_weight_of_nothing_keeps_the_order_of_the_heads(
    data: MintData, measured: Measured, file: Path
) -> None:
    found, scores = with_readers(data, measured, ENCODER, ReaderShare((file,), 0.0, 0.0), seed=0)
    assert scores["quality"]["mean"] == scores["quality"]["heads"]
    assert found.quality[2] > found.quality[3]


def test_predictions_of_other_folds_are_refused(data: MintData, measured: Measured, tmp_path: Path) -> None:
    judged = np.array([one.quality for one in data.replies], np.float32)
    other = write(tmp_path / "other.npz", data, judged, probabilities(data, 1), seed=1)
    with pytest.raises(ValueError, match="not by the folds of these heads"):
        with_readers(data, measured, ENCODER, ReaderShare((other,)), seed=0)


def test_an_encoder_without_kept_probabilities_is_refused(
    data: MintData, measured: Measured, file: Path
) -> None:
    with pytest.raises(ValueError, match="only a tuned encoder"):
        with_readers(data, measured, LazyEncoder("e5", 384, lambda: ENCODER), ReaderShare((file,)), 0)


def test_a_fold_is_scaled_by_the_others() -> None:
    fold = np.array([0, 0, 1, 1])
    judged = np.array([2.0, 4.0, 1.0, 1.5], np.float32)
    raw = np.array([0.0, 1.0, 0.0, 1.0], np.float32)
    assert on_scale(raw, judged, fold).tolist() == pytest.approx([1.0, 1.5, 2.0, 4.0])
