from pathlib import Path

import numpy as np
import pytest

from evals.held_out import measure, read_quality, write_quality
from models.encoder import LazyEncoder
from models.training.mint_data import MintData, MintReply


def data(*texts: str) -> MintData:
    replies = tuple(MintReply(("c", 1), "x", text, (text,), (frozenset(),), (4.0,) * 7) for text in texts)
    return MintData(replies, {})


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    quality = np.array([1.25, 4.5], np.float32)
    write_quality(tmp_path / "new" / "kept.npz", data("Why?", "How?"), quality, "cross-fit", 3)
    found, source = read_quality(tmp_path / "new" / "kept.npz", data("Why?", "How?"), 3)
    assert (found.tolist(), source) == ([1.25, 4.5], "cross-fit")


@pytest.mark.parametrize(("texts", "seed"), [(("How?", "Why?"), 3), (("Why?",), 3), (("Why?", "How?"), 4)])
def test_what_is_kept_of_other_replies_or_another_seed_is_refused(
    tmp_path: Path, texts: tuple[str, ...], seed: int
) -> None:
    write_quality(tmp_path / "kept.npz", data("Why?", "How?"), np.ones(2, np.float32), "cross-fit", 3)
    with pytest.raises(ValueError, match="is not of these replies"):
        read_quality(tmp_path / "kept.npz", data(*texts), seed)


def test_an_untuned_encoder_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.held_out.mint_vectors", lambda *_: None)
    encoder = LazyEncoder("e5", 384, lambda: pytest.fail("nothing needs to be embedded"))
    with pytest.raises(ValueError, match="only Q is kept"):
        measure(data("Why?"), encoder, tmp_path, 0, tmp_path / "kept.npz")
