"""Train the crisis head: ``python -m evals.train_crisis_head --data ../shared/data [--hold-out SET]``.

Learns from the messages written for this project (``safety/training``, ``tests/data``, the fifth set; as calm
ones also the dialogues and phrase books of ``models/training``) and, if the data folder is there, from
everyday texts as calm examples. Thresholds are chosen on a fifth of the groups
of messages, which the head that is tried has not seen; the head that is written has learned from all. With
``--hold-out SET`` that set is left out and only scored, and nothing is written.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from evals.crisis_data import read_file
from evals.crisis_examples import (
    SUPPORTIVE,
    Example,
    everyday_examples,
    supportive_examples,
    written_examples,
)
from evals.crisis_training import CATEGORIES, Array, fit_tensors
from models.encoder import Encoder, load_encoder
from safety.classifier import CHINESE, HEAD_FILE, WINDOW, CrisisHead
from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor, load_assessor

_ROOT = Path(__file__).parents[1]
_SEED = 20261128
_WORD_SHARE = 0.4
_IMMINENT_THRESHOLD = 0.6
"""Share of imminent in the probability of a card: below it a card is shown without the emergency call."""
_LOW_SHARE = 0.7
"""Share of the card threshold from which a message is ``low``: the model asks, no card is shown."""
_EVERYDAY_LIMIT = 0.005
"""Share of everyday texts, unmarked by rules, that may get a card."""
_ORDINARY_LIMIT = 0.02
"""Share of ordinary messages of unseen supportive dialogues that may get a card; these are in English."""
_FOLDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m evals.train_crisis_head", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--hold-out", default="", help="stem of a set's file")
    parser.add_argument("--out", type=Path, default=HEAD_FILE)
    options = parser.parse_args(arguments)
    torch.manual_seed(_SEED)  # pyright: ignore[reportUnknownMemberType]
    torch.set_num_threads(1)
    encoder, assessor = load_encoder("e5"), load_assessor()
    written = [*written_examples(options.hold_out, _SEED), *supportive_examples(_SEED)]
    calm, check = everyday_examples(options.data, assessor, _SEED)
    print(f"{len(written)} written, {len(calm)} + {len(check)} everyday texts", flush=True)
    examples = [*written, *calm, *check]
    folded, vectors = embed(encoder, assessor, [example.text for example in examples])
    learned = len(written) + len(calm)
    head = _head(fit_tensors(vectors[:learned], folded[:learned], examples[:learned]))
    head, scores = _with_thresholds(head, vectors, folded, examples, learned)
    if options.hold_out:
        print(json.dumps(_score(head, encoder, assessor, options.hold_out)))
        return 0
    facts = {"written_messages": len(written), "everyday_texts": len(calm), "seed": _SEED, **scores}
    _save(head, encoder.name, facts, options.out)
    return 0


def embed(encoder: Encoder, assessor: RiskAssessor, texts: Sequence[str]) -> tuple[list[str], Array]:
    """Folded texts as the classifier reads them, and their embeddings."""
    folded = [assessor.normalize(text).text[:WINDOW] or "." for text in texts]
    # Texts of one length share a batch, so little is padded.
    unique = sorted(dict.fromkeys(folded), key=len)
    vectors = np.concatenate([encoder.encode(unique[i : i + 64]) for i in range(0, len(unique), 64)])
    place = {text: row for row, text in enumerate(unique)}
    return folded, vectors[[place[text] for text in folded]]


def _head(tensors: dict[str, Array]) -> CrisisHead:
    return CrisisHead(tensors, CATEGORIES, 0.5, _IMMINENT_THRESHOLD, _LOW_SHARE, 0.5, _WORD_SHARE)


def _with_thresholds(
    head: CrisisHead, vectors: Array, folded: list[str], examples: list[Example], learned: int
) -> tuple[CrisisHead, dict[str, Any]]:
    """Choose each language's card threshold on groups unseen by a trial head, and on everyday texts."""
    groups = [example.group for example in examples[:learned]]
    unseen = np.array([crc32(group.encode()) % _FOLDS == 0 for group in groups])
    seen = np.flatnonzero(~unseen)
    trial = _head(fit_tensors(vectors[seen], [folded[i] for i in seen], [examples[i] for i in seen]))
    ordinary = [i for i in np.flatnonzero(unseen) if groups[i].startswith(SUPPORTIVE)]
    alarms = trial.levels(vectors[ordinary], [folded[i] for i in ordinary])[:, 2:].sum(axis=1)
    rows = [i for i in np.flatnonzero(unseen) if not groups[i].startswith("everyday")]
    cards = trial.levels(vectors[rows], [folded[i] for i in rows])[:, 2:].sum(axis=1)
    everyday = head.levels(vectors[learned:], folded[learned:])[:, 2:].sum(axis=1)
    thresholds: list[float] = []
    scores: dict[str, Any] = {}
    for lang, chinese in (("en", False), ("zh", True)):
        own = np.array([bool(CHINESE.search(folded[i])) is chinese for i in rows])
        other = np.array([bool(CHINESE.search(text)) is chinese for text in folded[learned:]])
        chosen = _best_threshold(
            cards[own],
            [e for e, is_own in zip([examples[i] for i in rows], own, strict=True) if is_own],
            everyday[other],
            np.empty(0, np.float32) if chinese else alarms,
        )
        thresholds.append(chosen[0])
        scores[f"validation_{lang}"] = chosen[1]
    print(f"thresholds {thresholds}; share with a card on unseen groups: {scores}", flush=True)
    return replace(head, card_threshold=thresholds[0], chinese_threshold=thresholds[1]), scores


def _best_threshold(
    cards: Array, examples: list[Example], everyday: Array, ordinary: Array
) -> tuple[float, dict[str, float]]:
    """The threshold with the largest difference between crises found and false alarms."""
    wanted = np.array([int(example.level) for example in examples])
    weight = np.array([example.weight for example in examples])

    def rate(rows: NDArray[np.bool_], threshold: float) -> float:
        return round(float(np.average(cards[rows] >= threshold, weights=weight[rows])), 4)

    best, chosen, table = -1.0, 0.5, dict[str, float]()
    for threshold in np.arange(0.34, 0.7, 0.01).round(2).tolist():
        alarms = float((everyday >= threshold).mean()) if len(everyday) else 0.0
        gain = rate(wanted >= 2, threshold) - rate(wanted < 2, threshold)
        told = float((ordinary >= threshold).mean()) if len(ordinary) else 0.0
        if alarms <= _EVERYDAY_LIMIT and told <= _ORDINARY_LIMIT and gain > best:
            best, chosen = gain, threshold
            table = {level.label: rate(wanted == int(level), threshold) for level in RiskLevel}
            table |= {"everyday": round(alarms, 4), "ordinary": round(told, 4)}
    return chosen, table


def _score(head: CrisisHead, encoder: Encoder, assessor: RiskAssessor, name: str) -> dict[str, Any]:
    folders = (_ROOT / "tests" / "data", _ROOT / "evals" / "data")
    cases = next(read_file(f / f"{name}.jsonl") for f in folders if (f / f"{name}.jsonl").exists())
    folded, vectors = embed(encoder, assessor, [case.turns[0] for case in cases])
    chances = head.levels(vectors, folded)
    limits = np.array([head.threshold(text) for text in folded])
    cards = (chances[:, 2] + chances[:, 3]) >= limits
    rules = np.array([assessor.assess(c.turns[0], SessionRisk()).level >= RiskLevel.MODERATE for c in cases])
    scores: dict[str, Any] = {"set": name, "thresholds": [head.card_threshold, head.chinese_threshold]}
    for level in RiskLevel:
        rows = np.array([case.labels[0] is level for case in cases])
        scores[level.label] = {
            "messages": int(rows.sum()),
            "cards_head": round(float(cards[rows].mean()), 3),
            "cards_rules": round(float(rules[rows].mean()), 3),
            "cards_both": round(float((cards | rules)[rows].mean()), 3),
        }
    return scores


def _save(head: CrisisHead, encoder: str, found: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        "encoder": encoder,
        "categories": [category.value for category in head.categories],
        "card_threshold": round(head.card_threshold, 4),
        "imminent_threshold": head.imminent_threshold,
        "low_share": head.low_share,
        "chinese_threshold": head.chinese_threshold,
        "word_share": head.word_share,
        **found,
    }
    tensors: dict[str, Any] = {**head.tensors, "words": head.tensors["words"].astype(np.float16)}
    save_file(tensors, path, metadata={"facts": json.dumps(facts)})
    print(json.dumps(facts))


if __name__ == "__main__":
    sys.exit(main())
