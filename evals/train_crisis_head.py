"""Make the crisis head from a tuned encoder: ``python -m evals.train_crisis_head FOLDER --data DATA``.

The folder is what :mod:`evals.crisis_tune` wrote, from the same data. Fits the half that reads words, chooses
how much it counts and the thresholds on the fifth of the groups of messages that neither trial has seen, and
puts encoder and head in their places (with ``--second`` in those of the second member; then
:mod:`evals.crisis_mean` has to follow). The final model has learned from all of them.

A model that went on from an earlier one (``crisis_tune --start``) has seen all messages and has no trial: the
share of the words and the thresholds of the head in place stay; everyday texts kept apart are counted.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from evals.crisis_split import SEED
from evals.crisis_thresholds import (
    EVERYDAY_LIMIT,
    IMMINENT_SHARE,
    LOW_SHARE,
    Judged,
    limit_facts,
    lowest_threshold,
)
from evals.crisis_training import Array
from evals.crisis_trial import CrisisTexts, Trial, word_mixed
from evals.crisis_tuning_data import CATEGORIES
from models.e5_adapter import read_adapter, write_adapter
from models.encoder import CRISIS, CRISIS_SECOND, adapter_file
from models.head_file import read_head
from safety.classifier import HEAD_FILE, SECOND_HEAD_FILE
from safety.crisis_head import CrisisHead, CrisisLimits

_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
"""How much the words may count."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How much words count, from which probability on a card is shown, and what this rests on."""

    word_share: float
    english: float
    chinese: float
    facts: dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that crisis_tune wrote")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--second", action="store_true", help="make the second member, not the first")
    options = parser.parse_args(arguments)
    encoder, path = (CRISIS_SECOND, SECOND_HEAD_FILE) if options.second else (CRISIS, HEAD_FILE)
    torch.manual_seed(SEED)  # pyright: ignore[reportUnknownMemberType]
    torch.set_num_threads(1)
    texts = CrisisTexts.read(options.data)
    trial = Trial.read(options.tuned, texts)
    words = texts.words(range(texts.learned))
    if trial.unseen:
        chosen = _chosen(trial, (texts.words(trial.seen(texts)), words), texts)
    else:
        chosen = _kept(trial, words, texts, read_head(path, encoder).facts)
    facts = chosen.facts
    with np.load(options.tuned / "head.npz") as file:
        tensors: dict[str, Array] = {**dict(file), **words}
    head = CrisisHead(tensors, CATEGORIES, chosen.word_share)
    limits = CrisisLimits(chosen.english, IMMINENT_SHARE, LOW_SHARE, chosen.chinese)
    facts |= {"messages": texts.learned, "everyday_texts_kept_apart": len(trial.check), "seed": SEED}
    tuned = replace(read_adapter(options.tuned / "adapter.safetensors"), name=encoder)
    write_adapter(adapter_file(encoder), tuned)
    _save(head, {"encoder": encoder, **limit_facts(limits)}, facts, path)
    return 0


def _chosen(trial: Trial, words: tuple[dict[str, Array], dict[str, Array]], texts: CrisisTexts) -> Choice:
    """Choose on what the trial said of unseen messages; ``words`` are the trial's and the final ones."""
    trial_words, final_words = words
    share, facts = _word_share(trial, trial_words, texts)
    unseen = _judged(texts, trial.unseen, trial.unseen_chances, trial_words, share)
    everyday = _judged(texts, trial.check, trial.check_chances, final_words, share)
    english, facts["validation_en"] = lowest_threshold(unseen, everyday, chinese=False)
    chinese, facts["validation_zh"] = lowest_threshold(unseen, everyday, chinese=True)
    return Choice(share, english, chinese, facts)


def _kept(trial: Trial, words: dict[str, Array], texts: CrisisTexts, before: Mapping[str, Any]) -> Choice:
    """Keep the choice of the head in place; count cards on everyday texts kept apart."""
    share = float(before["word_share"])
    everyday = _judged(texts, trial.check, trial.check_chances, words, share)
    facts: dict[str, Any] = {"thresholds": "of the head before, higher where everyday texts want it"}
    english, facts["validation_en"] = _at_least(float(before["card_threshold"]), everyday, ~everyday.chinese)
    chinese, facts["validation_zh"] = _at_least(
        float(before["chinese_threshold"]), everyday, everyday.chinese
    )
    return Choice(share, english, chinese, facts)


def _at_least(threshold: float, everyday: Judged, own: NDArray[np.bool_]) -> tuple[float, dict[str, float]]:
    """The lowest threshold from the given one on that keeps the limit on everyday texts of a language."""
    while everyday.share(own, threshold) > EVERYDAY_LIMIT:
        threshold = round(threshold + 0.01, 2)
    return threshold, {"everyday": round(everyday.share(own, threshold), 4)}


def _word_share(trial: Trial, words: dict[str, Array], texts: CrisisTexts) -> tuple[float, dict[str, Any]]:
    """How much the words count: what orders hand-written crises best above calm ones."""
    examples, folded = texts.of(trial.unseen)
    hand = np.array([one.is_hand_written for one in examples])
    level = np.array([int(one.level) for one in examples])[hand]
    read = [text for text, own in zip(folded, hand, strict=True) if own]
    found: dict[float, float] = {}
    for share in _SHARES:
        cards = word_mixed(trial.unseen_chances[hand], words, share, read)[:, 2:].sum(axis=1)
        limits = [np.quantile(cards[level == 0], 1 - alarms) for alarms in (0.03, 0.05, 0.1)]
        found[share] = round(float(np.mean([(cards[level >= 2] > limit).mean() for limit in limits])), 4)
    best = max(found, key=lambda share: found[share])
    return best, {"word_shares": {str(share): value for share, value in found.items()}}


def _judged(
    texts: CrisisTexts, rows: Sequence[int], chances: Array, words: dict[str, Array], share: float
) -> Judged:
    return texts.judged(rows, word_mixed(chances, words, share, texts.of(rows)[1]))


def _save(head: CrisisHead, limits: dict[str, Any], found: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        **limits,
        "categories": [category.value for category in head.categories],
        "word_share": head.word_share,
        **found,
    }
    tensors: dict[str, Any] = {**head.tensors, "words": head.tensors["words"].astype(np.float16)}
    # The file's writer takes an array's memory as it lies, transposed or not.
    tensors = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
    save_file(tensors, path, metadata={"facts": json.dumps(facts)})
    print(json.dumps(facts, indent=1))


if __name__ == "__main__":
    sys.exit(main())
