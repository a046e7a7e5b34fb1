"""Trains the quality head Q on the judge's ratings of MINT's released replies.

    python -m models.training.empathy_quality --data ../shared/data/mint

Needs the tactic head of the same encoder (:mod:`models.training.tactic_tagger`). The network learns
the six ratings and their aggregate, the order of the replies to one context, and what no rating
shows: a reply to another context is worse than to its own, the person's own words given back are no
reply, and spoiled replies are worse (:mod:`models.training.spoiled_replies`). CPU, one thread: 4
minutes for the vectors, then 5 minutes.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.encoder import load_encoder
from models.head_file import HEADS_FOLDER, Head, read_head, write_head
from models.tagger import CHINESE_SHIFT
from models.training.folds import conversation_folds
from models.training.mint_data import RATINGS, MintData, read_mint
from models.training.quality_head import cross_fit_quality, fit_quality, predicted, ranking_scores
from models.training.quality_rows import MintVectors, QualityRows, mint_vectors, quality_rows, reader
from models.training.spoiled_rows import SpoiledRows, SpoiledVectors, spoiled_rows, spoiled_vectors
from models.training.tactic_tagger import cross_fit_taggers, tagged_sentences


def rows_by_fold(
    data: MintData, vectors: MintVectors, spoiled: SpoiledVectors, folds: dict[str, int], seed: int
) -> tuple[list[Head], list[QualityRows], list[SpoiledRows]]:
    """For each fold a tactic head that did not see it, and the features made with that head."""
    taggers = cross_fit_taggers(tagged_sentences(data, vectors.replies), folds, seed)
    readers = [reader(head) for head in taggers]
    rated = [quality_rows(data, vectors, read, seed) for read in readers]
    return taggers, rated, [spoiled_rows(spoiled, read) for read in readers]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, report and write the head."""
    options = _options(arguments)
    encoder = load_encoder(options.encoder)
    data = read_mint(options.data)
    vectors = mint_vectors(encoder, data, options.cache)
    folds = conversation_folds(data.conversations, options.folds, options.seed)
    spoiled = spoiled_vectors(encoder, data, options.cache, options.seed)
    _, rows, made = rows_by_fold(data, vectors, spoiled, folds, options.seed)
    heads, calibration = cross_fit_quality(rows, made, folds, options.seed)
    held_out = np.zeros(len(data.replies), np.float32)
    for number, (one, head) in enumerate(zip(rows, heads, strict=True)):
        own = np.array([folds[reply.context[0]] == number for reply in data.replies])
        held_out[own] = predicted(head, one.features[own])
    scores = {pool or "all": ranking_scores(data, held_out, pool) for pool in ("", "4B")}
    print(f"{options.folds} folds by conversation: {scores}")
    tactics = read_head(options.output / f"tactics-{encoder.name}" / "head.safetensors", encoder.name)
    final = quality_rows(data, vectors, reader(tactics), options.seed)
    fitted = fit_quality(final, spoiled_rows(spoiled, reader(tactics)), sorted(final.groups), options.seed)
    tensors = dict(calibration.applied(fitted).tensors)
    if CHINESE_SHIFT in tactics.tensors:
        tensors[CHINESE_SHIFT] = tactics.tensors[CHINESE_SHIFT]
    facts: dict[str, Any] = {
        "encoder": encoder.name,
        "head": "empathy",
        "outputs": list(RATINGS),
        "data": "mint-empathy replies with the judge's ratings (MIT); replies spoiled by this project",
        "conversations": data.conversations,
        "seed": options.seed,
        "folds": options.folds,
        "held_out": {pool: {k: round(v, 4) for k, v in found.items()} for pool, found in scores.items()},
    }
    write_head(options.output / f"empathy-{encoder.name}" / "head.safetensors", tensors, facts)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the quality head.")
    parser.add_argument("--data", type=Path, required=True, help="folder with replies and contexts")
    parser.add_argument("--encoder", default="default", help="e5, minilm or default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"), help="stored vectors")
    parser.add_argument("--output", type=Path, default=HEADS_FOLDER, help="where the heads are")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
