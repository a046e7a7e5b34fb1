"""How well predicted Q ranks the replies to one context against the judge.

    python -m evals.quality ../shared/data/mint --json evals/results/quality.json

All figures by heads that did not see the conversation: Spearman within a context (mean), judged
empathy of the first choice, mean absolute error, calibration (mean rating by predicted tenth), and
what Q must not be fooled by: length, the person's own words, a reply to another context.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.held_out import describe, heads_for
from evals.provenance import provenance, write_results
from models.encoder import Encoder, load_encoder, untuned_part
from models.training.metrics import mean_of
from models.training.mint_data import MintData, read_mint
from models.training.quality_head import predicted, ranking_scores
from models.training.quality_rows import mint_vectors


def evaluate(data: MintData, encoder: Encoder, cache: Path, seed: int) -> dict[str, Any]:
    """All figures of one folder."""
    vectors = mint_vectors(encoder, data, cache)
    heads = heads_for(data, vectors, encoder, cache, seed)
    quality = np.zeros(len(data.replies), np.float32)
    elsewhere = np.zeros(len(data.replies), np.float32)
    echoes: list[float] = []
    for number, (head, rows) in enumerate(zip(heads.qualities, heads.rows, strict=True)):
        own = [i for i, reply in enumerate(data.replies) if heads.fold[reply.context[0]] == number]
        quality[own] = predicted(head, rows.features[own])
        elsewhere[own] = predicted(head, rows.mismatched[own])
        keys = [key for key in rows.echoes if heads.fold[key[0]] == number]
        echoes.extend(float(q) for q in predicted(head, np.stack([rows.echoes[key] for key in keys])))
    judged = np.array([reply.quality for reply in data.replies], np.float32)
    rated = ~np.isnan(judged)
    letters = np.array([len(reply.text) for reply in data.replies], np.float32)
    return {
        "all": _rounded(ranking_scores(data, quality)),
        "4B": _rounded(ranking_scores(data, quality, "4B")),
        "mean_absolute_error": round(float(np.abs(quality - judged)[rated].mean()), 4),
        "calibration": _by_tenth(quality[rated], quality[rated], judged[rated]),
        "by_length": _by_tenth(letters[rated], quality[rated], judged[rated]),
        "another_context": {
            "mean_fall": round(float((quality - elsewhere).mean()), 4),
            "share_that_fall": round(float((elsewhere < quality).mean()), 4),
        },
        "own_words_given_back": {
            "mean_quality": round(mean_of(echoes), 4),
            "mean_quality_of_replies": round(float(quality.mean()), 4),
        },
        **describe(data, heads),
    }


def _by_tenth(
    by: NDArray[np.float32], quality: NDArray[np.float32], judged: NDArray[np.float32]
) -> list[dict[str, float]]:
    parts = np.array_split(np.argsort(by, kind="stable"), 10)
    return [
        {
            "mean": round(float(by[part].mean()), 3),
            "predicted": round(float(quality[part].mean()), 3),
            "judged": round(float(judged[part].mean()), 3),
        }
        for part in parts
    ]


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    encoder = untuned_part(load_encoder(options.encoder))
    results = {
        "encoder": encoder.name,
        **evaluate(read_mint(options.data), encoder, options.cache, options.seed),
    }
    for name, value in results.items():
        print(name, value)
    if options.json is not None:
        about = provenance(seed=options.seed, data="mint-empathy release, replies and judge's ratings")
        write_results(options.json, results, about)


if __name__ == "__main__":
    main()
