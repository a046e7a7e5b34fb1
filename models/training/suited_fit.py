r"""Learns which sentences of a list suit a message, from what readers chose, on the shipped reader of kinds.

    python -m models.training.suited_fit

A logistic regression for each kind of message and part of a reply (a word of understanding, a question) says
of each sentence of ``models/training/echoed/closer.yaml`` how likely a reader chooses it. A sentence is
offered from the lowest chance at which the likeliest one that the message speaks for had been chosen often
enough in messages that were not learned from (five folds by conversation). Readers named two or three
sentences of some sixty, so more of them suit. Two CPU cores: a minute.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from models.class_head import sigmoid
from models.encoder import KINDS_ENCODER, Encoder
from models.head_file import write_head
from models.message_kind import FOLDER, kind_inputs, readable
from models.strategy import own_encoder
from models.suited_sentences import SUITED_FILE, spoken_for
from models.training.closer_replies import LIGHT_KINDS, Closer, read_closer
from models.training.echoed_file import EchoedTalk, Parts, read_echoed
from models.training.temperature import confident_from

_LIGHT, _OTHERS = 0.6, 0.75
"""Share of the likeliest sentences that readers chose: of understanding for light kinds, where a word that is
nearly right does no harm, and of all others and of questions."""
LEAST = 0.4
"""Chance below which no sentence is offered, however often it would be right."""
RARELY = 3
"""Choices below which a sentence is left out."""
FEWEST = 25
"""Messages with a sure enough sentence, below which a part of a kind offers none."""
_FOLDS, _DECAY, _STEPS, _RATE = 5, 0.1, 200, 0.02

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Choices:
    """Messages of one kind with what was chosen.

    Attributes:
        inputs: Of the head of kinds, ``(messages, features)``.
        chosen: Whether a sentence was, ``(messages, sentences)``.
        folds: Of each message.
    """

    inputs: Floats
    chosen: Floats
    folds: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A regression of one part of a kind, and from which chance its sentences are offered.

    Attributes:
        weights: ``(features, sentences)``.
        bias: ``(sentences,)``.
        base: Share of the messages for which a sentence was chosen, ``(sentences,)``.
        threshold: Above 1 where none is sure enough.
        figures: Shares of messages that were not learned from.
    """

    weights: Floats
    bias: Floats
    base: Floats
    threshold: float
    figures: dict[str, float]


def fit(inputs: Floats, chosen: Floats) -> tuple[Floats, Floats]:
    """Weights and biases of a regression for each sentence, kept small.

    Args:
        inputs: Standardized, ``(messages, features)``.
        chosen: 0 or 1, ``(messages, sentences)``.
    """
    library: Any = torch
    given, wanted = library.from_numpy(inputs), library.from_numpy(chosen)
    weights = torch.zeros(inputs.shape[1], chosen.shape[1], requires_grad=True)
    bias = library.from_numpy(np.log(chosen.mean(axis=0) + 0.003).astype(np.float32)).requires_grad_()
    optimiser: Any = torch.optim.Adam([weights, bias], lr=_RATE)
    for _ in range(_STEPS):
        optimiser.zero_grad()
        loss: Any = F.binary_cross_entropy_with_logits(given @ weights + bias, wanted, reduction="sum")
        loss = loss / len(wanted) + _DECAY * (weights**2).sum()
        loss.backward()
        optimiser.step()
    return weights.detach().numpy(), bias.detach().numpy()


def fitted(choices: Choices, precision: float) -> Fitted:
    """The regression of all messages, with a threshold from those kept apart in turn.

    Args:
        choices: Of one part of a kind.
        precision: Share of the likeliest sentences that must have been chosen.
    """
    found = np.zeros_like(choices.chosen)
    for fold in range(_FOLDS):
        apart = choices.folds == fold
        weights, bias = fit(choices.inputs[~apart], choices.chosen[~apart])
        chances = sigmoid(choices.inputs[apart] @ weights + bias)
        found[apart] = spoken_for(chances, _base(choices.chosen[~apart]))
    first = found.argmax(axis=1)
    rows = np.arange(len(first))
    chances = found[rows, first]
    right = (choices.chosen[rows, first] > 0) & (chances > 0)
    least = max(LEAST, math.floor(confident_from(chances, right, precision) * 1e4) / 1e4)
    sure = chances >= least
    figures = {
        "messages": len(first),
        "chosen": round(float(right.mean()), 4),
        "most_often_chosen": round(float(_base(choices.chosen).max()), 4),
        "offered": round(float(sure.mean()), 4),
        "offered_chosen": round(float(right[sure].mean()), 4) if sure.any() else 0.0,
    }
    return Fitted(
        *fit(choices.inputs, choices.chosen),
        base=_base(choices.chosen),
        threshold=least if sure.sum() >= FEWEST else 1.01,
        figures=figures,
    )


def _base(chosen: Floats) -> Floats:
    """Share of the messages for which each sentence was chosen."""
    return chosen.mean(axis=0, dtype=np.float32)


def messages(talks: Sequence[EchoedTalk]) -> list[tuple[Parts, tuple[str, ...], int]]:
    """Messages with chosen sentences, what was said up to them, and the number of their conversation."""
    return [
        (parts, tuple(one.said for one in talk.parts[: at + 1]), number)
        for number, talk in enumerate(talks)
        for at, parts in enumerate(talk.parts)
        if parts.fits and readable([parts.said])
    ]


def learn(encoder: Encoder, talks: Sequence[EchoedTalk], closer: Closer) -> tuple[dict[str, Any], ...]:
    """Tensors and facts of the head.

    Args:
        encoder: Tuned for kinds.
        talks: Conversations with choices.
        closer: The sentences, by kind and name.
    """
    rows = messages(talks)
    inputs = np.stack([kind_inputs(encoder, said) for _, said, _ in rows]).astype(np.float32)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + np.float32(1e-6)
    # At least the median: what hardly differs between messages is not to be blown up.
    scale = np.maximum(scale, np.float32(np.median(scale)))
    standard = (inputs - mean) / scale
    sentences: list[list[str]] = []
    parts: dict[tuple[str, str], Fitted] = {}
    for kind, named in closer.items():
        own = [at for at, (said, _, _) in enumerate(rows) if said.kind == kind]
        counts = Counter(name for at in own for name in rows[at][0].fits)
        folds = np.array([rows[at][2] % _FOLDS for at in own])
        for part, letter in (("understanding", "u"), ("question", "q")):
            names = [name for name in named if name[0] == letter and counts[name] >= RARELY]
            chosen = np.array([[name in rows[at][0].fits for name in names] for at in own], np.float32)
            light = letter == "u" and kind in (*LIGHT_KINDS, "normal")
            one = fitted(Choices(standard[own], chosen, folds), _LIGHT if light else _OTHERS)
            sys.stdout.write(f"{kind} {part} {one.threshold} {json.dumps(one.figures)}\n")
            sys.stdout.flush()
            sentences += [[kind, named[name]] for name in names]
            parts[kind, part] = one
    tensors = {
        "mean": mean,
        "scale": scale,
        "w0": np.concatenate([one.weights for one in parts.values()], axis=1),
        "b0": np.concatenate([one.bias for one in parts.values()]),
        "base": np.concatenate([one.base for one in parts.values()]),
    }
    facts = {
        "encoder": KINDS_ENCODER,
        "sentences": sentences,
        "thresholds": {
            kind: [parts[kind, "understanding"].threshold, parts[kind, "question"].threshold]
            for kind in closer
        },
        "kept_apart": {f"{kind} {part}": one.figures for (kind, part), one in parts.items()},
        "data": "sentences that readers chose for imagined messages, written for Hearken",
        "licence": "Apache-2.0",
    }
    return tensors, facts


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn and write."""
    parser = argparse.ArgumentParser(prog="python -m models.training.suited_fit", description=__doc__)
    parser.add_argument("--output", type=Path, default=FOLDER / SUITED_FILE)
    options = parser.parse_args(arguments)
    encoder = own_encoder(FOLDER / "head.safetensors", KINDS_ENCODER)
    tensors, facts = learn(encoder, read_echoed(), read_closer())
    write_head(options.output, tensors, facts)
    sys.stdout.write(f"{len(facts['sentences'])} sentences in {options.output}\n")


if __name__ == "__main__":
    main()
