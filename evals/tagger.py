"""How well the tagger finds tactics: authors' tags, people's tags, Chinese.

    python -m evals.tagger ../shared/data/mint --chinese ../shared/data/chinese/smilechat_400.jsonl.gz \
        --json evals/results/tagger.json

Macro-F1 is the mean over tactics of the mean of F1 for present and F1 for absent. Authors' tags: all
sentences of replies whose tags fit our sentence split, by heads that did not see the conversation.
People's tags (``human_tags.jsonl`` in DATA) are of another domain and never trained on; the tagger
gets the sentence as people saw it, alone. Chinese: 300 sentences tagged from our definitions in two
passes that did not see each other (Cohen's kappa for each tactic is reported); where they differ,
an earlier pass or a third reading decided. The repository holds only their places and tags.
"""

import argparse
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from sklearn.metrics import cohen_kappa_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from evals.held_out import describe, measured_tactics
from evals.provenance import provenance, write_results
from models.encoder import Encoder, load_encoder
from models.sentences import split_sentences
from models.tactics import Tactic
from models.tagger import load_tagger
from models.training.metrics import Flags, macro_f1
from models.training.mint_data import MintData, read_human_tags, read_mint

CHINESE_TAGS = Path(__file__).parent / "data" / "zh_tactics.jsonl"

Tags = Sequence[frozenset[Tactic]]


def authors(data: MintData, encoder: Encoder, cache: Path, seed: int) -> dict[str, Any]:
    """Against the tags of the authors' taggers."""
    measured = measured_tactics(data, encoder, cache, seed)
    truth: list[frozenset[Tactic]] = []
    found: list[frozenset[Tactic]] = []
    for reply, tags in zip(data.replies, measured.tactics, strict=True):
        if reply.aligned:
            truth.extend(reply.tactics)
            found.extend(tags)
    return {
        **scores(truth, found),
        "aligned_share": round(float(np.mean([reply.aligned for reply in data.replies])), 4),
        **describe(data, measured),
    }


def human(file: Path, encoder: Encoder) -> dict[str, Any]:
    """Against people's tags, by the committed head."""
    rows = read_human_tags(file)
    found = load_tagger(encoder).tag([[row.sentence] for row in rows])
    return scores([row.tactics for row in rows], [tags[0] for tags in found])


def chinese(file: Path, encoder: Encoder) -> dict[str, Any]:
    """Against our tags of Chinese sentences, by the committed head, in the context of their reply.

    Raises:
        ValueError: If the dialogues are not those that were tagged.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        dialogues: list[list[dict[str, str]]] = [json.loads(line) for line in lines]
    rows: list[dict[str, Any]] = [json.loads(line) for line in CHINESE_TAGS.read_text("utf-8").splitlines()]
    texts: list[str] = [dialogues[row["dialogue"]][row["turn"]]["content"] for row in rows]
    places: list[int] = [row["sentence"] for row in rows]
    replies = [split_sentences(text) for text in texts]
    for row, sentences, place in zip(rows, replies, places, strict=True):
        if not hashlib.sha256(sentences[place].encode()).hexdigest().startswith(row["sha256"]):
            raise ValueError(f"dialogue {row['dialogue']} is not the one that was tagged")
    found = load_tagger(encoder).tag(replies)
    first, second, settled = (
        [frozenset(Tactic(name) for name in row[key]) for row in rows]
        for key in ("first", "second", "tactics")
    )
    return {
        **scores(settled, [tags[place] for tags, place in zip(found, places, strict=True)]),
        "kappa": agreement(first, second),
    }


def agreement(first: Tags, second: Tags) -> dict[str, float]:
    """Cohen's kappa of two passes over the same sentences, for each tactic and as the mean."""
    columns = zip(Tactic, _flags(first).T, _flags(second).T, strict=True)
    values = {str(tactic): float(cast(Any, cohen_kappa_score)(a, b)) for tactic, a, b in columns}
    return {
        "mean": round(float(np.mean(list(values.values()))), 4),
        **{k: round(v, 4) for k, v in values.items()},
    }


def scores(truth: Tags, found: Tags) -> dict[str, Any]:
    """Macro-F1, per tactic, and how many sentences."""
    values = macro_f1(_flags(truth), _flags(found))
    return {
        "macro_f1": round(float(values.mean()), 4),
        "per_tactic": {str(t): round(float(v), 4) for t, v in zip(Tactic, values, strict=True)},
        "sentences": len(truth),
    }


def _flags(tags: Tags) -> Flags:
    return np.array([[tactic in one for tactic in Tactic] for one in tags], dtype=np.bool_)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies, contexts and human tags")
    parser.add_argument("--chinese", type=Path, help="smilechat_400.jsonl.gz")
    parser.add_argument("--encoder", default="default")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    encoder = load_encoder(options.encoder)
    results: dict[str, Any] = {"encoder": encoder.name}
    results["authors"] = authors(read_mint(options.data), encoder, options.cache, options.seed)
    if (options.data / "human_tags.jsonl").exists():
        results["human"] = human(options.data / "human_tags.jsonl", encoder)
    if options.chinese is not None:
        results["chinese"] = chinese(options.chinese, encoder)
    for part in ("authors", "human", "chinese"):
        if part in results:
            print(f"{part:8} macro-F1 {results[part]['macro_f1']:.4f}  {results[part]['per_tactic']}")
    if options.json is not None:
        about = provenance(seed=options.seed, data="mint-empathy release, SmileChat")
        write_results(options.json, results, about)


if __name__ == "__main__":
    main()
