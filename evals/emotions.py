"""Measures the heads of emotions and strategies: ``python -m evals.emotions --json evals/results/…``.

Needs the data folder (GoEmotions; ESConv for a strategy head) and the report that
``python -m models.training.emotion_strategy`` left, which tells how the trials of the choice did. The 60
sentences in ``evals/data/zh_emotions.jsonl``, each in Chinese and English, were written and labelled for this
project from the meanings of GoEmotions' classes, before any head had read them; nothing is chosen by them.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from evals.provenance import provenance, write_results
from models.emotion import CLASSES, EMOTIONS, EmotionReader
from models.encoder import STRATEGIES, TUNED, CachedEncoder, Encoder, load_encoder
from models.head_file import HEADS_FOLDER, Head, read_head
from models.sentences import split_sentences
from models.strategy import load_strategy_reader
from models.training.class_scores import class_scores
from models.training.emotion_head import confident_scores, emotion_scores
from models.training.emotion_strategy_data import emotion_examples, reply_places
from models.training.multi_task_sources import esconv_rows

SENTENCES = Path(__file__).parent / "data" / "zh_emotions.jsonl"
_EMOTION_HEAD = HEADS_FOLDER / f"emotions-{TUNED}" / "head.safetensors"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    options = _options(arguments)
    torch.set_num_threads(1)
    encoder = CachedEncoder(load_encoder(TUNED))
    head = read_head(options.emotions, TUNED)
    examples = emotion_examples(options.data / "goemotions", encoder, options.cache)
    results: dict[str, Any] = {
        "encoder": TUNED,
        "emotion": {
            "facts": _facts(head),
            "dev": emotion_scores(examples["test"], head, CLASSES),
            "dev_confident": confident_scores(examples["test"], head),
            "written_sentences": sentence_scores(EmotionReader(encoder, head), encoder),
        },
    }
    if options.strategies is not None:
        results["strategy"] = strategy_scores(options.strategies, encoder, options.data / "esconv")
    if options.report is not None:
        results["training"] = json.loads(options.report.read_text("utf-8"))
    data = "GoEmotions dev, 60 written sentences"
    data += "" if options.strategies is None else ", ESConv validation"
    about = provenance(seed=head.facts["seed"], data=data)
    write_results(options.json, results, about)
    print(json.dumps(results, ensure_ascii=False, indent=1))


def strategy_scores(file: Path, encoder: Encoder, folder: Path) -> dict[str, Any]:
    """What a head file says of ESConv's validation file, read as the application reads replies."""
    reader = load_strategy_reader(encoder, file)
    _, rows = esconv_rows(folder)
    asked = [
        (row, place) for row, place in zip(rows, reply_places(rows), strict=True) if row.split == "valid"
    ]
    found = [reader.probabilities([row.text], row.context, place) for row, place in asked]
    truth = np.array([row.label for row, _ in asked])
    return {
        "facts": _facts(read_head(file, TUNED, STRATEGIES)),
        "validation": class_scores(truth, np.concatenate(found), reader.names),
    }


def sentence_scores(reader: EmotionReader, encoder: Encoder) -> dict[str, Any]:
    """Scores on the written sentences: Chinese as read, without the shift, and their English wording."""
    rows = [json.loads(line) for line in SENTENCES.read_text("utf-8").splitlines()]
    truth = np.array([CLASSES.index(row["emotion"]) for row in rows])
    vectors = {
        language: np.stack(
            [found[0] for found in encoder.encode_sentences([split_sentences(row[language]) for row in rows])]
        )
        for language in ("zh", "en")
    }
    found = {
        "chinese": reader.probabilities(vectors["zh"], chinese=True),
        "chinese_without_shift": reader.probabilities(vectors["zh"]),
        "english": reader.probabilities(vectors["en"]),
    }
    return {name: _sentences(truth, chances, reader.confident) for name, chances in found.items()}


def _sentences(truth: Any, chances: Any, confident: float) -> dict[str, Any]:
    first = chances.argmax(axis=1)
    among_three = (np.argsort(-chances, axis=1)[:, :3] == truth[:, None]).any(axis=1)
    firm = (first < len(EMOTIONS)) & (chances.max(axis=1) >= confident)
    scores = class_scores(truth, chances, CLASSES)
    return {
        **scores,
        "among_first_three": round(float(among_three.mean()), 4),
        "confident": int(firm.sum()),
        "confident_right": int((first == truth)[firm].sum()),
    }


def _facts(head: Head) -> dict[str, Any]:
    return {name: value for name, value in head.facts.items() if name not in ("emotions", "strategies")}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.emotions", description="Measure both heads.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--emotions", type=Path, default=_EMOTION_HEAD, help="head file")
    parser.add_argument("--strategies", type=Path, help="head file, where one was made")
    parser.add_argument("--report", type=Path, help="what the training wrote")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"))
    parser.add_argument("--json", type=Path, default=Path("evals/results/emotion_strategy.json"))
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
