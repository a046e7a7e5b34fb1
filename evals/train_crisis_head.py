"""Make the crisis head from a tuned encoder: ``python -m evals.train_crisis_head FOLDER --data DATA``.

The folder is what :mod:`evals.crisis_tune` wrote, from the same data. Fits the half that reads words, chooses
how much it counts and the thresholds on the fifth of the groups of messages that neither trial has seen, and
puts encoder and head in their places. The final model has learned from all of them.

A model that went on from an earlier one (``crisis_tune --start``) has seen all messages and has no trial: the
share of the words and the thresholds of the head in place stay; everyday texts kept apart are counted.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from evals.crisis_examples import Example
from evals.crisis_split import DAILY, ORDINARY, SEED
from evals.crisis_training import Array, fit_words
from evals.crisis_tuning_data import CATEGORIES, crisis_examples, folded_texts
from models.encoder import CRISIS, adapter_file
from models.head_file import read_head
from safety.classifier import CHINESE, HEAD_FILE, CrisisHead
from safety.levels import RiskLevel
from safety.risk import load_assessor

_IMMINENT_THRESHOLD = 0.6
"""Share of imminent in the probability of a card: below it a card is shown without the emergency call."""
_LOW_SHARE = 0.7
"""Share of the card threshold from which a message is ``low``: the model asks, no card is shown."""
_EVERYDAY_LIMIT = 0.01
"""Share of everyday texts, unmarked by rules, that may get a card."""
_ORDINARY_LIMIT = 0.025
"""Share of unseen ordinary messages (:data:`evals.crisis_split.ORDINARY`) that may get a card."""
_CALM_LIMIT = 0.1
"""Share of calm hand-written messages (half of them made to look like crises) that may get a card."""
_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
"""How much the words may count."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a head says of some examples that it has not seen.

    Attributes:
        examples: The examples.
        chinese: Whether each is Chinese.
        cards: Probability of moderate or imminent of each.
    """

    examples: Sequence[Example]
    chinese: NDArray[np.bool_]
    cards: Array

    def share(self, rows: NDArray[np.bool_], threshold: float) -> float:
        """Share of some of them with a card; 0 where there are none."""
        return float((self.cards[rows] >= threshold).mean()) if rows.any() else 0.0


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
    options = parser.parse_args(arguments)
    torch.manual_seed(SEED)  # pyright: ignore[reportUnknownMemberType]
    torch.set_num_threads(1)
    assessor = load_assessor()
    examples, learned = crisis_examples(options.data, assessor)
    folded = folded_texts(examples, assessor)
    with np.load(options.tuned / "trial.npz") as file:
        trial: dict[str, NDArray[Any]] = dict(file)
    unseen, check = trial["unseen"], trial["check"]
    seen: list[int] = np.setdiff1d(np.arange(learned), unseen).tolist()
    if not np.array_equal(check, np.arange(learned, len(examples))):
        raise SystemExit("the folder was made from other data: tune again")
    words = fit_words(folded[:learned], examples[:learned])
    if len(unseen):
        trial_words = fit_words([folded[i] for i in seen], [examples[i] for i in seen])
        chosen = _chosen(trial, (trial_words, words), examples, folded)
    else:
        chosen = _kept(trial, words, examples, folded)
    facts = chosen.facts
    with np.load(options.tuned / "head.npz") as file:
        tensors: dict[str, Array] = {**dict(file), **words}
    head = CrisisHead(
        tensors,
        CATEGORIES,
        chosen.english,
        _IMMINENT_THRESHOLD,
        _LOW_SHARE,
        chosen.chinese,
        chosen.word_share,
    )
    facts |= {"messages": learned, "everyday_texts_kept_apart": len(check), "seed": SEED}
    place = adapter_file(CRISIS)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(options.tuned / "adapter.safetensors", place)
    _save(head, facts, HEAD_FILE)
    return 0


def _chosen(
    trial: Mapping[str, NDArray[Any]],
    words: tuple[dict[str, Array], dict[str, Array]],
    examples: Sequence[Example],
    folded: list[str],
) -> Choice:
    """Choose on what the trial said of unseen messages; ``words`` are the trial's and the final ones."""
    trial_words, final_words = words
    shown, check = trial["unseen"].tolist(), trial["check"].tolist()
    share, facts = _word_share(trial, trial_words, [examples[i] for i in shown], [folded[i] for i in shown])
    judged = _judged(trial["unseen_chances"], trial_words, share, examples, folded, shown)
    everyday = _judged(trial["check_chances"], final_words, share, examples, folded, check)
    english, facts["validation_en"] = _threshold(judged, everyday, chinese=False)
    chinese, facts["validation_zh"] = _threshold(judged, everyday, chinese=True)
    return Choice(share, english, chinese, facts)


def _kept(
    trial: Mapping[str, NDArray[Any]],
    words: dict[str, Array],
    examples: Sequence[Example],
    folded: Sequence[str],
) -> Choice:
    """Keep the choice of the head in place; count cards on everyday texts kept apart."""
    before = read_head(HEAD_FILE, CRISIS).facts
    share, check = float(before["word_share"]), trial["check"].tolist()
    everyday = _judged(trial["check_chances"], words, share, examples, folded, check)
    facts: dict[str, Any] = {"thresholds": "of the head before, higher where everyday texts want it"}
    english, facts["validation_en"] = _at_least(float(before["card_threshold"]), everyday, ~everyday.chinese)
    chinese, facts["validation_zh"] = _at_least(
        float(before["chinese_threshold"]), everyday, everyday.chinese
    )
    return Choice(share, english, chinese, facts)


def _at_least(threshold: float, everyday: Judged, own: NDArray[np.bool_]) -> tuple[float, dict[str, float]]:
    """The lowest threshold from the given one on that keeps the limit on everyday texts of a language."""
    while everyday.share(own, threshold) > _EVERYDAY_LIMIT:
        threshold = round(threshold + 0.01, 2)
    return threshold, {"everyday": round(everyday.share(own, threshold), 4)}


def _mixed(meaning: Array, words: dict[str, Array], share: float, folded: Sequence[str]) -> Array:
    head = CrisisHead(words, CATEGORIES, 0.5, 0.5, word_share=share)
    return head.mixed(np.log(meaning + 1e-6), folded)


def _word_share(
    trial: Mapping[str, NDArray[Any]], words: dict[str, Array], examples: list[Example], folded: list[str]
) -> tuple[float, dict[str, Any]]:
    """How much the words count: what orders hand-written crises best above calm ones."""
    hand = np.array([one.is_hand_written for one in examples])
    level = np.array([int(one.level) for one in examples])[hand]
    texts = [text for text, own in zip(folded, hand, strict=True) if own]
    found: dict[float, float] = {}
    for share in _SHARES:
        cards = _mixed(trial["unseen_chances"][hand], words, share, texts)[:, 2:].sum(axis=1)
        limits = [np.quantile(cards[level == 0], 1 - alarms) for alarms in (0.03, 0.05, 0.1)]
        found[share] = round(float(np.mean([(cards[level >= 2] > limit).mean() for limit in limits])), 4)
    best = max(found, key=lambda share: found[share])
    return best, {"word_shares": {str(share): value for share, value in found.items()}}


def _judged(
    chances: Array,
    words: dict[str, Array],
    share: float,
    examples: Sequence[Example],
    folded: Sequence[str],
    rows: Sequence[int],
) -> Judged:
    texts = [folded[i] for i in rows]
    cards = _mixed(chances, words, share, texts)[:, 2:].sum(axis=1)
    chinese = np.array([bool(CHINESE.search(text)) for text in texts])
    return Judged([examples[i] for i in rows], chinese, cards)


def _threshold(shown: Judged, everyday: Judged, *, chinese: bool) -> tuple[float, dict[str, float]]:
    """The lowest threshold of a language that keeps every limit of false alarms."""
    own, daily = shown.chinese == chinese, everyday.chinese == chinese
    level = np.array([int(one.level) for one in shown.examples])
    ordinary = np.array([one.group.startswith(ORDINARY) for one in shown.examples])
    hand = np.array([one.is_hand_written for one in shown.examples])
    daily_talk = np.array([one.group.startswith(DAILY) for one in shown.examples])
    for threshold in np.arange(0.1, 0.95, 0.01).round(2).tolist():
        shares = {
            "everyday": everyday.share(daily, threshold),
            "ordinary": shown.share(own & ordinary, threshold),
            "calm": shown.share(own & hand & ~daily_talk & (level == 0), threshold),
        }
        limits = {"everyday": _EVERYDAY_LIMIT, "ordinary": _ORDINARY_LIMIT, "calm": _CALM_LIMIT}
        if all(shares[name] <= limit for name, limit in limits.items()):
            break
    else:
        raise SystemExit("no threshold keeps the limits of false alarms")
    found = {one.label: shown.share(own & hand & (level == int(one)), threshold) for one in RiskLevel}
    return threshold, {name: round(value, 4) for name, value in {**found, **shares}.items() if name != "none"}


def _save(head: CrisisHead, found: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        "encoder": CRISIS,
        "categories": [category.value for category in head.categories],
        "card_threshold": round(head.card_threshold, 4),
        "imminent_threshold": head.imminent_threshold,
        "low_share": head.low_share,
        "chinese_threshold": head.chinese_threshold,
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
