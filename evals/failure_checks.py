"""Do the checks for failures tell a failed reply from a fine one to the same message?

    python -m evals.failure_checks --json evals/results/failure_checks.json

Measured on the pairs of ``evals/data/failures`` that are kept apart, on all of a second, harder set, and, for
tone alone, on messages whose feeling stands in no word, with the emotions that are read in them and without.
Accuracy within pairs: the failed reply gets the larger value (alike counts half). AUC: over all replies of
a set. Intervals are 95 %, pairs drawn with replacement. Beside it: how often the longer, the shorter or the
reply that leaves out more specifics is the failed one. ``--released`` adds how the checks go with the judge's
ratings of released replies, which nobody wrote for them.

The check for invented details is made of rules and has pairs of its own (:mod:`evals.invented`). ``--only
invented`` measures it alone; ``--read evals/results/embedded_model_read.json`` adds how often it fires on
replies of the embedded model by the verdict of a strict reader.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.invented import HALVES, FoundInPair, beside_the_reader, fired, found_in_pairs, on_released
from evals.provenance import provenance, write_results
from evals.released_failures import beside_the_judge
from models.emotion import emotions_on
from models.encoder import CachedEncoder, load_encoder
from models.scorer import ReplyScorer, scorer_with
from models.specifics import missed, specifics
from models.training.failure_pairs import FAILURES, PAIRS_FOLDER, FailurePair, read_pairs
from models.training.mint_data import read_mint

Array = NDArray[np.float64]

SECOND_SET = Path("evals/data/failures_second_set")
FEELINGS = Path("evals/data/failures_feelings")
SAMPLES = 2000


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A pair with the values of a check.

    Attributes:
        pair: The pair.
        failed: Value of the reply with the failure.
        fine: Value of the reply without it.
    """

    pair: FailurePair
    failed: float
    fine: float


def measure(scorer: ReplyScorer, failure: str, pairs: Sequence[FailurePair], seed: int) -> dict[str, Any]:
    """All figures of one check on some pairs, and the pairs that it gets wrong."""
    found = [_values(scorer, failure, pair) for pair in pairs]
    return {
        **figures(found, seed),
        "by_language": {
            lang: figures([one for one in found if one.pair.lang == lang], seed) for lang in ("en", "zh")
        },
        "others": {name: accuracy(_other(pairs, name)) for name in ("longer", "shorter", "specifics_missed")},
        "wrong": [one.pair.id for one in found if one.failed <= one.fine],
    }


def figures(found: Sequence[MeasuredPair], seed: int) -> dict[str, Any]:
    """Accuracy within pairs, AUC and mean values, with intervals."""
    values = np.array([[one.failed, one.fine] for one in found])
    rng = np.random.default_rng(seed)
    drawn = [values[rng.integers(len(values), size=len(values))] for _ in range(SAMPLES)]
    return {
        "pairs": len(found),
        "accuracy": accuracy(values),
        "accuracy_interval": _interval([accuracy(one) for one in drawn]),
        "auc": auc(values),
        "auc_interval": _interval([auc(one) for one in drawn]),
        "mean_of_failed": round(float(values[:, 0].mean()), 4),
        "mean_of_fine": round(float(values[:, 1].mean()), 4),
    }


def accuracy(values: Array) -> float:
    """Share of rows (failed, fine) whose first value is larger; equal ones count half."""
    return _won(values[:, 0], values[:, 1])


def auc(values: Array) -> float:
    """Chance that any failed reply has a larger value than any fine one; equal ones count half."""
    return _won(values[:, :1], values[:, 1][None])


def _won(failed: Array, fine: Array) -> float:
    return round(float((np.sign(failed - fine).mean() + 1.0) / 2.0), 4)


def _values(scorer: ReplyScorer, failure: str, pair: FailurePair) -> MeasuredPair:
    features = scorer.features(pair.turns, (pair.failed, pair.fine))
    failed, fine = (asdict(one.failures)[failure] for one in features)
    return MeasuredPair(pair, failed, fine)


def _other(pairs: Sequence[FailurePair], name: str) -> Array:
    def value(pair: FailurePair, reply: str) -> float:
        if name == "specifics_missed":
            return missed(specifics(pair.turns[-1].content), reply)
        return float(len(reply) if name == "longer" else -len(reply))

    return np.array([[value(pair, pair.failed), value(pair, pair.fine)] for pair in pairs])


def measure_invented(read: Path | None, released: Path | None, seed: int) -> dict[str, Any]:
    """All figures of the check for invented details.

    Args:
        read: File with a reader's verdicts on replies; not looked at when ``None``.
        released: Folder with MINT's replies; the same.
        seed: Of the intervals.
    """
    results: dict[str, Any] = {}
    for half in HALVES:
        found = found_in_pairs(half)
        results[half] = {
            **_invented_figures(found, seed),
            "by_language": {
                lang: _invented_figures([one for one in found if one.pair.lang == lang], seed)
                for lang in ("en", "zh")
            },
            "wrong": [one.pair.id for one in found if not one.values()[0] > one.values()[1]],
        }
        print(_line(half, "invented", results[half]))
    if read is not None:
        results["read"] = beside_the_reader(read)
        for verdict, count in results["read"]["by_verdict"].items():
            print(f"read: {verdict:30} {count['fires']} of {count['replies']}")
    if released is not None:
        results["released"] = on_released(read_mint(released))
        print(f"released: {results['released']['fires']} of {results['released']['replies']}")
    return results


def _invented_figures(found: Sequence[FoundInPair], seed: int) -> dict[str, Any]:
    measured = [MeasuredPair(one.pair, *one.values()) for one in found]
    return {**figures(measured, seed), **fired(found)}


def _line(name: str, failure: str, found: dict[str, Any]) -> str:
    return (
        f"{name:19} {failure:17} {found['pairs']:3} pairs  accuracy {found['accuracy']:.3f} "
        f"{found['accuracy_interval']}  auc {found['auc']:.3f} {found['auc_interval']}"
    )


def _interval(values: Sequence[float]) -> list[float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return [round(float(low), 4), round(float(high), 4)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--released", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("all", "invented"), default="all", help="checks to measure")
    parser.add_argument("--read", type=Path, help="file with a reader's verdicts on replies")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args(arguments)
    results: dict[str, Any] = {} if options.only == "invented" else _measure_learned(options)
    results["invented"] = measure_invented(options.read, options.released, options.seed)
    if options.json is not None:
        about = provenance(
            seed=options.seed, data="pairs written for Hearken; with --released MINT's replies"
        )
        write_results(options.json, results, about)


def _measure_learned(options: argparse.Namespace) -> dict[str, Any]:
    """The checks that were learned, on all their sets."""
    encoder = CachedEncoder(load_encoder(options.encoder))
    scorer, words_only = scorer_with(encoder, emotions=emotions_on(encoder)), scorer_with(encoder)
    results: dict[str, Any] = {"encoder": options.encoder, "kept_apart": {}, "second_set": {}}
    for name, folder in (("kept_apart", PAIRS_FOLDER), ("second_set", SECOND_SET)):
        for failure in FAILURES:
            pairs = read_pairs(failure, folder)
            apart = pairs if name == "second_set" else [pair for pair in pairs if pair.kept_apart]
            found = measure(scorer, failure, apart, options.seed)
            results[name][failure] = found
            print(_line(name, failure, found))
    for name, one in (("feelings", scorer), ("feelings_words_only", words_only)):
        results[name] = {"tone": measure(one, "tone", read_pairs("tone", FEELINGS), options.seed)}
        print(_line(name, "tone", results[name]["tone"]))
    if options.released is not None:
        results["released"] = beside_the_judge(read_mint(options.released), encoder, options.cache)
        for failure, found in results["released"].items():
            print(f"released   {failure:17} {found}")
    return results


if __name__ == "__main__":
    main()
