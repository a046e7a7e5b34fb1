"""How often the topic of a help-seeking post is told rightly: ``python -m evals.post_topics --json OUT``.

The 125 posts in ``evals/data/post_topics.jsonl`` were written and labelled for this project after the word
lists of ``models/training/post_cleaning.yaml`` and by the same hand, so the figure is friendlier than on
posts of strangers. The lists were not changed after the first run.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.provenance import provenance, write_results
from models.training.class_scores import class_f1
from models.training.post_topics import topic, topics

POSTS = Path(__file__).parent / "data" / "post_topics.jsonl"


def measure(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Accuracy, macro-F1, F1 by topic, and each confusion with its count."""
    names = topics()
    truth = np.array([names.index(row["topic"]) for row in rows])
    found = np.array([names.index(topic(row["text"])) for row in rows])
    f1 = class_f1(truth, found, len(names))
    wrong = Counter(f"{names[a]} → {names[b]}" for a, b in zip(truth, found, strict=True) if a != b)
    return {
        "posts": len(rows),
        "accuracy": round(float((truth == found).mean()), 4),
        "macro_f1": round(float(f1.mean()), 4),
        "f1": {name: round(float(value), 4) for name, value in zip(names, f1, strict=True)},
        "confusions": dict(wrong.most_common()),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both languages, print and write."""
    parser = argparse.ArgumentParser(prog="python -m evals.post_topics")
    parser.add_argument("--json", type=Path, help="file of the results")
    given = parser.parse_args(arguments)
    rows = [json.loads(line) for line in POSTS.read_text("utf-8").splitlines()]
    results = {
        "all": measure(rows),
        **{lang: measure([row for row in rows if row["language"] == lang]) for lang in ("en", "zh")},
    }
    print(json.dumps(results, ensure_ascii=False, indent=1))
    if given.json is not None:
        write_results(given.json, results, provenance(seed=None, data=POSTS.name))


if __name__ == "__main__":
    main()
