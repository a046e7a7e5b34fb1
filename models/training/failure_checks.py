"""Learn the checks for failures from the pairs that are not kept apart.

    python -m models.training.failure_checks

Weights come from the differences within pairs (what tells the failed reply from the fine one to the same
message), their scale and the bias from all single replies. A fifth of the pairs at a time is left out to see
what the weights are worth; the pairs kept apart are not read.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # pyright: ignore[reportUnknownVariableType]

from models.emotion import emotions_on
from models.empathy import load_empathy
from models.encoder import CachedEncoder, load_encoder, untuned_part
from models.failure_checks import SIGNS, WEIGHTS_FILE
from models.scorer import ReplyScorer
from models.tagger import load_tagger
from models.training.failure_pairs import FAILURES, PAIRS_FOLDER, FailurePair, read_pairs

Array = NDArray[np.float64]

PENALTY = 0.03
"""Weight of the squared weights against the mean log loss of a pair."""
FOLDS, ROUNDS = 5, 5


def learn(scorer: ReplyScorer, folder: Path, seed: int) -> tuple[dict[str, Any], dict[str, float]]:
    """Learn every check.

    Args:
        scorer: Reads replies.
        folder: With the files of pairs.
        seed: Of the order in which pairs are left out.

    Returns:
        Bias and weights by failure, and the accuracy within pairs that were left out.
    """
    checks: dict[str, Any] = {}
    accuracy: dict[str, float] = {}
    for failure in FAILURES:
        pairs = [pair for pair in read_pairs(failure, folder) if not pair.kept_apart]
        names, values = sign_values(scorer, failure, pairs)
        accuracy[failure] = _left_out(values, seed)
        bias, weights = fit(values)
        rounded = {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}
        checks[failure] = {"bias": round(bias, 4), "weights": {n: w for n, w in rounded.items() if w > 0}}
    return checks, accuracy


def sign_values(scorer: ReplyScorer, failure: str, pairs: Sequence[FailurePair]) -> tuple[list[str], Array]:
    """Names of the signs, and their values in the failed and the fine reply, ``(pairs, 2, signs)``."""
    signs = [
        [SIGNS[failure](one) for one in scorer.exchanges(pair.turns, (pair.failed, pair.fine))]
        for pair in pairs
    ]
    return list(signs[0][0]), np.array([[list(one.values()) for one in pair] for pair in signs])


def fit(values: Array) -> tuple[float, Array]:
    """Bias and weights from the signs of pairs, ``(pairs, 2, signs)``."""
    scale = values.reshape(-1, values.shape[2]).std(axis=0) + 1e-6
    standard = values / scale
    direction = _within_pairs(standard[:, 0] - standard[:, 1])
    scores = (standard @ direction).ravel()
    failed = np.tile([1.0, 0.0], len(values))
    bias, slope = _calibrated(scores, failed)
    return bias, slope * direction / scale


def _within_pairs(differences: Array) -> Array:
    def loss(weights: Array) -> tuple[float, Array]:
        z = differences @ weights
        gradient = -(differences.T @ (1.0 / (1.0 + np.exp(z)))) / len(z) + 2 * PENALTY * weights
        return float(np.logaddexp(0.0, -z).mean() + PENALTY * weights @ weights), gradient

    return _minimum(loss, np.full(differences.shape[1], 0.1), [(0.0, None)] * differences.shape[1])


def _calibrated(scores: Array, failed: Array) -> tuple[float, float]:
    def loss(both: Array) -> tuple[float, Array]:
        z = both[0] + both[1] * scores
        wrong = 1.0 / (1.0 + np.exp(-z)) - failed
        gradient = np.array([wrong.mean(), (wrong * scores).mean() + 2 * PENALTY * both[1]])
        return float((np.logaddexp(0.0, z) - failed * z).mean() + PENALTY * both[1] ** 2), gradient

    bias, slope = _minimum(loss, np.array([0.0, 1.0]), [(None, None), (0.0, None)])
    return float(bias), float(slope)


def _minimum(loss: Any, start: Any, bounds: Sequence[tuple[float | None, float | None]]) -> Array:
    found = cast(Any, minimize)(loss, start, jac=True, method="L-BFGS-B", bounds=list(bounds))
    return cast(Array, found.x)


def _left_out(values: Array, seed: int) -> float:
    rng = np.random.default_rng(seed)
    right: list[float] = []
    for _ in range(ROUNDS):
        fold = rng.permutation(len(values)) % FOLDS
        for number in range(FOLDS):
            _, weights = fit(values[fold != number])
            own = values[fold == number]
            right += list(((own[:, 0] - own[:, 1]) @ weights > 0).astype(float))
    return round(float(np.mean(right)), 4)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn for each encoder and write ``models/failure_checks.json``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS_FOLDER)
    parser.add_argument("--encoders", nargs="+", default=["default", "minilm"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("models") / WEIGHTS_FILE)
    options = parser.parse_args(arguments)
    learned: dict[str, Any] = {}
    accuracy: dict[str, Any] = {}
    for name in options.encoders:
        encoder = CachedEncoder(load_encoder(name))
        part = untuned_part(encoder)
        scorer = ReplyScorer(
            load_tagger(part), load_empathy(part), load_tagger(encoder), emotions=emotions_on(encoder)
        )
        learned[part.name], accuracy[part.name] = learn(scorer, options.pairs, options.seed)
        print(part.name, accuracy[part.name])
    about = {"penalty": PENALTY, "seed": options.seed, "accuracy_of_pairs_left_out": accuracy}
    text = json.dumps({"about": about, "encoders": learned}, indent=1)
    options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
