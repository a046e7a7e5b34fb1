"""Trains the tactic head on MINT's tagged sentences.

    python -m models.training.tactic_tagger --data ../shared/data/mint \
        --chinese ../shared/data/chinese/smilechat_400.jsonl.gz

The head is a small network on the sentence's vector. Thresholds are calibrated on predictions for
conversations that the predicting network had not seen; the committed head is then trained on all.
CPU, one thread: 3 minutes for the vectors, then 4 minutes.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.encoder import Encoder, Vectors, load_encoder
from models.head_file import HEADS_FOLDER, Head, write_head
from models.sentences import says_something, split_sentences
from models.tactics import Tactic
from models.tagger import CHINESE_SHIFT
from models.training.embedding_store import stored_vectors
from models.training.folds import conversation_folds
from models.training.metrics import best_thresholds, macro_f1
from models.training.mint_data import MintData, read_mint
from models.training.network import TrainingPlan, shuffled, train_ensemble

PLAN = TrainingPlan(hidden=512, epochs=8, learning_rate=2e-3, weight_decay=1e-3)
NETWORKS = 2
"""Networks of different seeds whose mean is the head."""
BATCH = 512


@dataclass(frozen=True, slots=True)
class TaggedSentences:
    """Sentences with the authors' tags.

    Attributes:
        vectors: One row for each sentence.
        tags: 1 where the sentence carries the tactic, ``(sentences, 10)``.
        conversations: Conversation id of each sentence.
    """

    vectors: Vectors
    tags: Vectors
    conversations: tuple[str, ...]


def tagged_sentences(data: MintData, vectors: Sequence[Vectors]) -> TaggedSentences:
    """Sentences of the replies whose tags belong to our sentence split; parts of marks only left out."""
    rows: list[Vectors] = []
    tags: list[list[float]] = []
    conversations: list[str] = []
    for reply, encoded in zip(data.replies, vectors, strict=True):
        if not reply.aligned:
            continue
        for sentence, found, row in zip(reply.sentences, reply.tactics, encoded[1:], strict=True):
            if says_something(sentence):
                rows.append(row)
                tags.append([float(tactic in found) for tactic in Tactic])
                conversations.append(reply.context[0])
    return TaggedSentences(np.stack(rows), np.array(tags, np.float32), tuple(conversations))


def fit_tagger(vectors: Vectors, tags: Vectors, seed: int = 0) -> Head:
    """Train the network; thresholds are left at 0.5."""
    targets = torch.tensor(tags)

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.binary_cross_entropy_with_logits(outputs, targets[rows])

    tensors = train_ensemble(
        vectors, len(Tactic), shuffled(len(vectors), BATCH), loss, replace(PLAN, seed=seed), NETWORKS
    )
    return Head({**tensors, "thresholds": np.full(len(Tactic), 0.5, np.float32)}, {})


def cross_fit_taggers(sentences: TaggedSentences, folds: dict[str, int], seed: int = 0) -> list[Head]:
    """One head for each fold, trained and calibrated without that fold's conversations.

    The thresholds of a fold come from the other folds' held-out predictions.
    """
    fold = np.array([folds[conversation] for conversation in sentences.conversations])
    heads = [
        fit_tagger(sentences.vectors[fold != number], sentences.tags[fold != number], seed)
        for number in range(max(folds.values()) + 1)
    ]
    held_out = held_out_probabilities(heads, sentences, folds)
    return [
        with_thresholds(head, best_thresholds(sentences.tags[fold != n], held_out[fold != n]))
        for n, head in enumerate(heads)
    ]


def held_out_probabilities(
    heads: Sequence[Head], sentences: TaggedSentences, folds: dict[str, int]
) -> Vectors:
    """Probabilities of each sentence by the head that did not see its conversation."""
    fold = np.array([folds[conversation] for conversation in sentences.conversations])
    out = np.zeros_like(sentences.tags)
    for number, head in enumerate(heads):
        own = fold == number
        out[own] = 1.0 / (1.0 + np.exp(-head.forward(sentences.vectors[own])))
    return out


def with_thresholds(head: Head, thresholds: Vectors) -> Head:
    """The head with other thresholds."""
    return Head({**head.tensors, "thresholds": thresholds.astype(np.float32)}, head.facts)


def chinese_shift(encoder: Encoder, english: Vectors, file: Path, cache: Path) -> Vectors:
    """What moves Chinese vectors to where English ones lie: the difference of the means.

    Args:
        encoder: The encoder in use.
        english: Vectors of English supporter sentences.
        file: Chinese dialogues, one JSON list of ``{"role", "content"}`` a line.
        cache: Folder of stored vectors.
    """
    texts: list[list[str]] = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            messages: list[dict[str, str]] = json.loads(line)
            texts.extend(split_sentences(m["content"]) for m in messages if m["role"] == "assistant")
    rows = [encoded[1:] for encoded in stored_vectors(encoder, texts[:2000], cache) if len(encoded) > 1]
    return english.mean(axis=0) - np.concatenate(rows).mean(axis=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, report and write the head."""
    options = _options(arguments)
    encoder = load_encoder(options.encoder)
    data = read_mint(options.data)
    vectors = stored_vectors(encoder, [reply.sentences for reply in data.replies], options.cache)
    sentences = tagged_sentences(data, vectors)
    folds = conversation_folds(data.conversations, options.folds, options.seed)
    heads = cross_fit_taggers(sentences, folds, options.seed)
    held_out = held_out_probabilities(heads, sentences, folds)
    calibrated = np.stack(
        [heads[folds[conversation]].tensors["thresholds"] for conversation in sentences.conversations]
    )
    scores = macro_f1(sentences.tags > 0.5, held_out >= calibrated)
    print(f"{options.folds} folds by conversation: macro-F1 {scores.mean():.4f}")
    for tactic, score in zip(Tactic, scores, strict=True):
        print(f"  {tactic:22} {score:.3f}")
    final = with_thresholds(
        fit_tagger(sentences.vectors, sentences.tags, options.seed),
        best_thresholds(sentences.tags, held_out),
    )
    tensors = dict(final.tensors)
    if options.chinese is not None:
        tensors[CHINESE_SHIFT] = chinese_shift(encoder, sentences.vectors, options.chinese, options.cache)
    facts: dict[str, Any] = {
        "encoder": encoder.name,
        "head": "tactics",
        "tactics": [str(tactic) for tactic in Tactic],
        "data": "mint-empathy replies with the authors' sentence tags (MIT)",
        "conversations": data.conversations,
        "seed": options.seed,
        "folds": options.folds,
        "held_out_macro_f1": round(float(scores.mean()), 4),
    }
    write_head(options.output / f"tactics-{encoder.name}" / "head.safetensors", tensors, facts)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the tactic head.")
    parser.add_argument("--data", type=Path, required=True, help="folder with replies and contexts")
    parser.add_argument("--encoder", default="default", help="e5, minilm or default")
    parser.add_argument("--chinese", type=Path, help="Chinese dialogues, to align the languages (e5)")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"), help="stored vectors")
    parser.add_argument("--output", type=Path, default=HEADS_FOLDER, help="where the head goes")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
