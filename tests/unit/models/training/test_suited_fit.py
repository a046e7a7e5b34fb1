"""Learning which sentences of a list suit a message."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.encoder import KINDS_ENCODER
from models.head_file import Head, read_head, write_head
from models.message_kind import kind_inputs
from models.suited_sentences import SuitedHead
from models.training import suited_fit
from models.training.echoed_file import EchoedTalk, Parts
from models.training.suited_fit import Choices, fit, fitted, learn, main, messages
from tests.fakes.pair_encoder import PairEncoder

CLOSER = {
    "small": {
        "u1": "Soup!",
        "u2": "Cats!",
        "u9": "Nobody chose this.",
        "q1": "Which soup?",
        "q2": "Whose cat?",
    }
}


def _talks() -> list[EchoedTalk]:
    """Sixty messages about soup or cats, a few of both sorts with no choice."""
    soup = [Parts(f"soup {n}", "small", "Soup.", (), "", ("u1", "q1")) for n in range(30)]
    cats = [Parts(f"a cat {n}", "small", "A cat.", (), "", ("u2", "q2")) for n in range(30)]
    other = Parts("hm", "small", "Hm.", (), "")
    return [EchoedTalk(f"a:{n}", (one, other)) for n, one in enumerate([*soup, *cats])]


def _encoder() -> PairEncoder:
    return PairEncoder(KINDS_ENCODER, lambda _, text: 1.0 if "soup" in text else -1.0)


def test_only_messages_with_choices_are_learned() -> None:
    talks = [
        EchoedTalk("a:1", (Parts("x", "small", "X.", (), ""), Parts("y", "small", "Y.", (), "", ("u1",))))
    ]
    ((parts, said, number),) = messages(talks)
    assert (parts.said, said, number) == ("y", ("x", "y"), 0)


def test_a_regression_tells_what_was_chosen() -> None:
    inputs = np.repeat([[1.0], [-1.0]], 40, axis=0).astype(np.float32)
    chosen = np.repeat([[1.0, 0.0], [0.0, 1.0]], 40, axis=0).astype(np.float32)
    weights, _ = fit(inputs, chosen)
    assert weights[0, 0] > 0.5 > -0.5 > weights[0, 1]


def test_a_threshold_is_chosen_on_messages_kept_apart_and_few_are_not_enough() -> None:
    rng = np.random.default_rng(0)
    inputs = np.repeat([[1.0], [-1.0]], 50, axis=0).astype(np.float32)
    chosen = np.repeat([[1.0, 0.0], [0.0, 1.0]], 50, axis=0).astype(np.float32)
    found = fitted(Choices(inputs, chosen, np.arange(100) % 5), 0.65)
    assert found.threshold < 0.99
    assert found.figures["offered_chosen"] == 1.0
    noise = (rng.random((100, 8)) < 0.1).astype(np.float32)
    assert (
        fitted(
            Choices(rng.normal(size=(100, 3)).astype(np.float32), noise, np.arange(100) % 5), 0.9
        ).threshold
        > 1
    )


def test_the_head_offers_what_was_chosen_for_such_messages() -> None:
    encoder = _encoder()
    tensors, facts = learn(encoder, _talks(), CLOSER)
    assert ["small", "Nobody chose this."] not in facts["sentences"]
    head = SuitedHead(Head(tensors, facts))
    suited = head.suited("small", kind_inputs(encoder, ["soup again"]))
    assert (suited.understanding, suited.questions) == (("Soup!",), ("Which soup?",))
    assert head.suited("small", kind_inputs(encoder, ["my cat"])).understanding == ("Cats!",)


def test_a_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def encoder(*_: Any) -> PairEncoder:
        return _encoder()

    monkeypatch.setattr(suited_fit, "own_encoder", encoder)
    monkeypatch.setattr(suited_fit, "read_echoed", _talks)
    monkeypatch.setattr(suited_fit, "read_closer", lambda: CLOSER)
    main(["--output", str(tmp_path / "suited.safetensors")])
    head = read_head(tmp_path / "suited.safetensors", KINDS_ENCODER)
    write_head(tmp_path / "again.safetensors", head.tensors, head.facts)
    assert [text for _, text in head.facts["sentences"]] == ["Soup!", "Cats!", "Which soup?", "Whose cat?"]
