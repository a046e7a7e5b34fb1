from pathlib import Path

import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.tactics import Tactic
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import MintData, MintReply, reply_digest

QUESTION, ADVICE = Tactic.QUESTIONING, Tactic.ADVICE
CHANCES = {QUESTION: 0.7, ADVICE: 0.2}


def reply(conversation: str, number: int, tactic: Tactic) -> MintReply:
    return MintReply(
        (conversation, number), "4B", f"Sentence {number}.", (f"Sentence {number}.",), (frozenset({tactic}),),
        (3.0,) * 7,
    )  # fmt: skip


@pytest.fixture
def data() -> MintData:
    replies = [reply(f"c{i % 2}", i, QUESTION if i % 4 < 2 else ADVICE) for i in range(8)]
    histories = {one.context: (ChatMessage("user", "I am tired."),) for one in replies}
    return MintData(tuple(replies), histories)


@pytest.fixture
def tuned(data: MintData, tmp_path: Path) -> Path:
    """What the tuning writes: one fold for each conversation, right predictions of questions."""
    rows = [
        [CHANCES[QUESTION] if tactic in one.tactics[0] else CHANCES[ADVICE] for tactic in Tactic]
        for one in data.replies
    ]
    np.savez_compressed(
        tmp_path / "tuning.npz",
        allow_pickle=False,
        digests=np.array([reply_digest(one) for one in data.replies]),
        sentences=np.ones(len(data.replies), np.int64),
        probabilities=np.array(rows, np.float16),
        fold=np.array([0, 1]),
        conversations=np.array(["c0", "c1"]),
    )
    return tmp_path / "tuning.npz"


def test_tags_are_those_above_the_thresholds_of_the_other_folds(data: MintData, tuned: Path) -> None:
    found = HeldOutTags.from_tuning(tuned, data)
    assert found.thresholds.shape == (2, 10)
    for one in data.replies:
        assert found.tactics(one) == [one.tactics[0]]


def test_a_reply_that_was_not_among_them_is_unknown(data: MintData, tuned: Path) -> None:
    found = HeldOutTags.from_tuning(tuned, data)
    assert found.tactics(reply("c0", 99, QUESTION)) is None


def test_what_was_written_is_read_again(data: MintData, tuned: Path, tmp_path: Path) -> None:
    HeldOutTags.from_tuning(tuned, data).save(tmp_path / "kept.npz")
    found = HeldOutTags.read(tmp_path / "kept.npz")
    assert [found.tactics(one) for one in data.replies] == [[one.tactics[0]] for one in data.replies]


def test_a_fold_takes_no_thresholds_from_its_own_sentences(data: MintData, tuned: Path) -> None:
    found = HeldOutTags.from_tuning(tuned, data)
    other = [one for one in data.replies if one.context[0] == "c1"]
    assert np.array_equal(found.thresholds[0], found.best_thresholds(MintData(tuple(other), data.histories)))


def test_whole_replies_are_read_by_weights_of_the_other_folds(
    data: MintData, tuned: Path, tmp_path: Path
) -> None:
    found = HeldOutTags.from_tuning(tuned, data)
    assert found.presence.shape == (2, 10, 3)
    other = MintData(tuple(one for one in data.replies if one.context[0] == "c1"), data.histories)
    assert np.array_equal(found.presence[0], found.best_presence(other))
    found.save(tmp_path / "kept.npz")
    assert HeldOutTags.read(tmp_path / "kept.npz").tagged(data.replies[0]) == found.tagged(data.replies[0])


def test_a_file_from_before_is_read_by_its_thresholds(data: MintData, tuned: Path, tmp_path: Path) -> None:
    HeldOutTags.from_tuning(tuned, data).save(tmp_path / "kept.npz")
    with np.load(tmp_path / "kept.npz") as file:
        before = {name: file[name] for name in file.files if name != "presence"}
    before["thresholds"][:] = 0.7
    np.savez_compressed(tmp_path / "before.npz", allow_pickle=False, **before)
    tagged = HeldOutTags.read(tmp_path / "before.npz").tagged(data.replies[0])
    assert tagged is not None
    assert tagged.chances[QUESTION] == pytest.approx(0.5, abs=0.01)
