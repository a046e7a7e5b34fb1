"""Can the emotion head find rare emotions without losing common ones?

    python -m evals.emotion_variants --data ../shared/data --json evals/results/emotion_variants.json

Variants: the shipped head; the same with its logits adjusted, z − τ·log(share of the class), for several τ
(Menon et al. 2021, "Long-tail learning via logit adjustment", equation 9); heads trained anew with class
weights. Of those whose accuracy and weighted F1 on the 5 % of GoEmotions' training file that are kept apart
lie at most ``--most-lost`` under the shipped head's, the one with the best macro-F1 there is chosen.
GoEmotions' dev file chooses nothing; all are measured on it.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from evals.provenance import provenance, write_results
from models.class_head import calibrated
from models.emotion import CLASSES, EMOTIONS
from models.encoder import TUNED, load_encoder
from models.head_file import HEADS_FOLDER, Array, Head, read_head
from models.training.class_scores import class_scores
from models.training.class_training import train_head
from models.training.emotion_strategy_config import Trial
from models.training.emotion_strategy_data import Examples, emotion_examples, with_one_emotion

SHIPPED = "shipped"
FIGURES = ("accuracy", "weighted_f1", "macro_f1")


def adjusted(head: Head, shares: Array, strength: float) -> Head:
    """A head whose outputs are z − τ·log π.

    Args:
        head: Outputs z.
        shares: π, share of each class in training, ``(classes,)``.
        strength: τ; 0 changes nothing, 1 weighs all classes alike.
    """
    last = max(name for name in head.tensors if name.startswith("b"))
    moved: Array = (head.tensors[last] - np.float32(strength) * np.log(shares)).astype(np.float32)
    return Head({**head.tensors, last: moved}, head.facts)


def class_shares(train: Examples) -> Array:
    """Share of each class in the targets."""
    counts = np.maximum(train.targets.sum(axis=0), 1.0)
    return (counts / counts.sum()).astype(np.float32)


def chosen(scores: Mapping[str, Mapping[str, Any]], most_lost: float) -> str:
    """The variant with the best macro-F1 among those that lose little of the rest.

    Args:
        scores: Of each variant, with :data:`SHIPPED` among them.
        most_lost: Of accuracy and of weighted F1, as a share.
    """
    base = scores[SHIPPED]
    allowed = [
        name
        for name, own in scores.items()
        if all(own[key] >= base[key] - most_lost for key in ("accuracy", "weighted_f1"))
    ]
    return max(allowed, key=lambda name: scores[name]["macro_f1"])


def emotion_scores(examples: Examples, head: Head) -> dict[str, Any]:
    """Scores on the texts with exactly one of the 27 emotions."""
    one = with_one_emotion(examples)
    found = calibrated(head, head.forward(one.inputs)[:, : len(EMOTIONS)])
    return class_scores(one.truth, found, EMOTIONS)


def variants(
    head: Head, train: Examples, strengths: Sequence[float], weights: Sequence[float], networks: int
) -> dict[str, Head]:
    """All heads by name."""
    shares = class_shares(train)
    found = {SHIPPED: head}
    found |= {f"logits adjusted, τ = {tau:g}": adjusted(head, shares, tau) for tau in strengths}
    for weight in weights:
        trial = Trial.model_validate({**head.facts["trial"], "name": "weighted", "class_weight": weight})
        tensors = train_head(train, trial, networks, int(head.facts["seed"]))
        found[f"class weights, a = {weight:g}"] = Head(tensors, {})
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the variants, choose, measure, write."""
    given = _parser().parse_args(arguments)
    torch.set_num_threads(1)
    head = read_head(HEADS_FOLDER / f"emotions-{TUNED}" / "head.safetensors", TUNED)
    examples = emotion_examples(given.data / "goemotions", load_encoder(TUNED, threads=1), given.cache)
    networks = int(head.facts["networks"])
    made = variants(head, examples["train"], given.strength, given.class_weight, networks)
    valid = {name: emotion_scores(examples["valid"], own) for name, own in made.items()}
    dev = {name: emotion_scores(examples["test"], own) for name, own in made.items()}
    results: dict[str, Any] = {
        "classes": len(CLASSES) - 1,
        "most_lost": given.most_lost,
        "chosen": chosen(valid, given.most_lost),
        "variants": {
            name: {"valid": {key: valid[name][key] for key in FIGURES}, "dev": dev[name]} for name in made
        },
    }
    for name in made:
        row = [
            f"{side} " + " ".join(f"{own[name][key]:.4f}" for key in FIGURES)
            for side, own in (("valid", valid), ("dev", dev))
        ]
        print(f"{name:28}", *row)
    print("chosen:", results["chosen"])
    if given.json is not None:
        about = provenance(seed=int(head.facts["seed"]), data="GoEmotions, training file and dev file")
        write_results(given.json, results, about)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.emotion_variants", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--strength", type=float, nargs="*", default=[0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0])
    parser.add_argument("--class-weight", type=float, nargs="*", default=[0.3, 0.5])
    parser.add_argument("--most-lost", type=float, default=0.005)
    parser.add_argument("--json", type=Path)
    return parser


if __name__ == "__main__":
    main()
