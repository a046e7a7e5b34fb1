from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from models.e5_adapter import LINEAR, read_adapter
from models.head_file import read_head
from models.training.tunable_encoder import Batches, TunableEncoder, TunedShape
from models.training.tune_encoder import main
from models.training.tuning_data import TuningData, save

HIDDEN, WORDS, TACTICS = 32, 20, 10
CONVERSATIONS, CONTEXTS, REPLIES = 6, 12, 48
"""Four replies to each context, two contexts of each conversation; every text has two sentences."""


def weights(rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    """One layer of a random network with two heads."""
    shapes = {"qkv": (96, 32), "ao": (32, 32), "fi": (128, 32), "fo": (32, 128)}
    found: dict[str, Any] = {
        "emb.word": rng.normal(size=(WORDS, HIDDEN)),
        "emb.pos": rng.normal(size=(64, HIDDEN)),
        "emb.type": np.zeros(HIDDEN),
        "emb.ln.w": np.ones(HIDDEN),
        "emb.ln.b": np.zeros(HIDDEN),
        "heads": np.array(2.0),
    }
    for name, shape in shapes.items():
        found[f"l0.{name}.w"] = 0.2 * rng.normal(size=shape)
        found[f"l0.{name}.b"] = np.zeros(shape[0])
    for name in ("aln", "oln"):
        found |= {f"l0.{name}.w": np.ones(HIDDEN), f"l0.{name}.b": np.zeros(HIDDEN)}
    return {name: np.asarray(value, np.float32) for name, value in found.items()}


def pairs(label: NDArray[np.int64], names: Sequence[str], **arrays: NDArray[Any]) -> TuningData:
    """Made-up pairs of two sentences whose second begins with a token that tells the label.

    Args:
        label: Of each pair.
        names: Of the labels.
        arrays: What else the file holds.
    """
    rng = np.random.default_rng(0)
    rows = len(label)
    ids = rng.integers(len(names) % WORDS, WORDS, (rows, 6))
    ids[:, 3] = label % WORDS
    shared = {
        "ids": ids.reshape(-1).astype(np.int32),
        "owners": np.tile(np.array([0, 0, 0, 1, 1, 1], np.int16), rows),
        "starts": np.arange(0, 6 * rows + 1, 6),
        "sentences": np.full(rows, 2, np.int64),
        "label": label.astype(np.int64),
        "place": np.tile(np.array([0.1, 0.0], np.float32), (rows, 1)),
        "names": np.array(names),
        "data": np.array("made up"),
        "licence": np.array("none"),
    }
    return TuningData(shared | arrays, weights(rng))


@pytest.fixture
def data() -> TuningData:
    """Texts of 8 tokens: start, three words of each of two sentences, end."""
    rng = np.random.default_rng(0)
    texts = REPLIES + CONTEXTS
    rows = 2 * REPLIES
    return TuningData(
        {
            "ids": rng.integers(WORDS, size=8 * texts).astype(np.int32),
            "owners": np.tile(np.array([-1, 0, 0, 0, 1, 1, 1, -2], np.int16), texts),
            "starts": np.arange(texts + 1) * 8,
            "sentences": np.full(texts, 2),
            "tags": rng.integers(2, size=(rows, TACTICS)).astype(np.uint8),
            "counted": np.ones(2 * texts, np.bool_),
            "aligned": np.ones(REPLIES, np.bool_),
            "ratings": rng.uniform(1, 5, size=(REPLIES, 7)).astype(np.float32),
            "context": np.repeat(np.arange(CONTEXTS), 4),
            "conversation": np.repeat(np.arange(CONVERSATIONS), 2),
            "conversations": np.array([f"c{i}" for i in range(CONVERSATIONS)]),
            "numbers": rng.normal(size=(REPLIES, 5)).astype(np.float32),
            "echo_numbers": rng.normal(size=(CONTEXTS, 7)).astype(np.float32),
            "shared": rng.uniform(size=(REPLIES, CONTEXTS, 2)).astype(np.float16),
            "digests": np.array([f"{i:016x}" for i in range(REPLIES)]),
        },
        weights(rng),
    )


def vectors(data: TuningData, texts: list[int], first: int = 0) -> NDArray[np.float32]:
    torch.manual_seed(0)
    encoder = TunableEncoder(data.weights, TunedShape(1, first, 4)).eval()
    for change in encoder.b.values():
        torch.nn.init.normal_(change)
    with torch.no_grad():
        return encoder(Batches(data, torch.device("cpu")).of(np.array(texts))).sentences.numpy()


def with_another_second_sentence(data: TuningData) -> TuningData:
    ids = data.arrays["ids"].copy()
    ids[4:7] = (ids[4:7] + 1) % WORDS
    return TuningData({**data.arrays, "ids": ids}, data.weights)


def test_a_sentence_sees_the_other_one(data: TuningData) -> None:
    before = vectors(data, [0])
    assert not np.allclose(before[0], vectors(with_another_second_sentence(data), [0])[0], atol=1e-3)


def test_only_layers_from_the_first_on_change(data: TuningData) -> None:
    untuned = TunableEncoder(data.weights, TunedShape(1, 0, 4)).eval()
    with torch.no_grad():
        plain = untuned(Batches(data, torch.device("cpu")).of(np.array([0]))).sentences.numpy()
    assert np.allclose(vectors(data, [0], first=1), plain, atol=1e-6)
    assert not np.allclose(vectors(data, [0], first=0), plain, atol=1e-3)


def test_company_in_a_batch_changes_no_vector(data: TuningData) -> None:
    assert np.allclose(vectors(data, [3]), vectors(data, [7, 3])[2:], atol=1e-6)


def test_the_recipe_writes_adapter_heads_and_held_out_predictions(data: TuningData, tmp_path: Path) -> None:
    save(data, tmp_path / "tuning.npz")
    out = tmp_path / "out"
    main(
        [str(tmp_path / "tuning.npz"), "--output", str(out), "--layers", "1", "--rank", "4", "--folds", "2",
         "--trials", "1:0:1e-3", "--trial-epochs", "1", "--steps", "2", "--device", "cpu", "--name", "tiny"]
    )  # fmt: skip
    adapter = read_adapter(out / "adapter.safetensors")
    assert (adapter.name, adapter.layers, adapter.first) == ("tiny", 1, 0)
    for name in LINEAR:
        tuned = adapter.merged(0, name, data.weights[f"l0.{name}.w"])
        assert not np.array_equal(tuned, data.weights[f"l0.{name}.w"])
    assert read_head(out / "tactics.safetensors", "tiny").forward(np.zeros((3, 32), np.float32)).shape == (
        3,
        10,
    )
    with np.load(out / "held_out.npz") as held_out:
        assert sorted(set(held_out["fold"].tolist())) == [0, 1]
        assert np.isfinite(held_out["probabilities"]).all()


def test_without_time_no_fold_is_begun(data: TuningData, tmp_path: Path) -> None:
    save(data, tmp_path / "tuning.npz")
    main(
        [str(tmp_path / "tuning.npz"), "--output", str(tmp_path), "--layers", "1", "--rank", "4",
         "--steps", "1", "--trials", "1:0:1e-3", "--trial-epochs", "1", "--device", "cpu", "--budget-s", "0"]
    )  # fmt: skip
    assert (tmp_path / "adapter.safetensors").exists()
    assert not (tmp_path / "held_out.npz").exists()
