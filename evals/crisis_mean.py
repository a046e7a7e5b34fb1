"""Choose the thresholds of the mean of both crisis heads: ``python -m evals.crisis_mean FOLDER --data DATA``.

The folder is what :mod:`evals.crisis_tune` wrote for the second member, whose encoder and head are in their
places (``python -m evals.train_crisis_head FOLDER --second``). Neither member has learned from what chooses:
everyday texts kept apart, and those groups of the sources that the first member does not know
(:data:`NEW_SOURCES`) which the second member's trial has not seen. There the trial speaks for the second
member, with words fitted without them. Limits are those of one head (:mod:`evals.crisis_thresholds`).

Ordinary messages are the exception: the first member has learned from all of them. Those that the trial has
not seen are counted against half of their limit, because they are new to one member of two.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from evals.crisis_examples import Example
from evals.crisis_split import ORDINARY, SEED
from evals.crisis_thresholds import (
    IMMINENT_SHARE,
    LOW_SHARE,
    ORDINARY_LIMIT,
    Judged,
    judged,
    limit_facts,
    lowest_threshold,
)
from evals.crisis_training import Array, fit_words
from evals.crisis_tuning_data import crisis_examples, folded_texts
from evals.train_crisis_head import word_mixed
from models.encoder import CRISIS, CRISIS_SECOND, load_encoder
from safety.classifier import HEAD_FILE, MEAN_FILE, SECOND_HEAD_FILE, CrisisMember
from safety.crisis_head import CrisisLimits, mean_levels, read_crisis_head
from safety.risk import load_assessor

NEW_SOURCES = frozenset(
    (
        *("guarded_english", "guarded_chinese", "crisis_nineteenth_set", "crisis_twentieth_set"),
        *("crisis_twenty_first_set", "crisis_twenty_second_set", "crisis_idioms_set"),
    )
)
"""Sources of messages that the second member has learned from and the first has not."""
_ORDINARY_LIMIT = ORDINARY_LIMIT / 2


def choosing_rows(examples: Sequence[Example], unseen: Sequence[int]) -> list[int]:
    """Rows that a trial has not seen and that the first member does not know either, or that are ordinary."""
    groups = {i: examples[i].group for i in unseen}
    return [i for i, group in groups.items() if group.rsplit(":", 1)[0] in NEW_SOURCES or _is_ordinary(group)]


def _is_ordinary(group: str) -> bool:
    return group.startswith(ORDINARY)


def chosen_limits(shown: Judged, everyday: Judged) -> tuple[CrisisLimits, dict[str, Any]]:
    """The lowest thresholds of each language that keep the limits of false alarms, and what they find."""
    english, found_en = lowest_threshold(shown, everyday, chinese=False, ordinary_limit=_ORDINARY_LIMIT)
    chinese, found_zh = lowest_threshold(shown, everyday, chinese=True, ordinary_limit=_ORDINARY_LIMIT)
    facts = {"validation_en": found_en, "validation_zh": found_zh}
    return CrisisLimits(english, IMMINENT_SHARE, LOW_SHARE, chinese), facts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that crisis_tune wrote for the second member")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args(arguments)
    torch.manual_seed(SEED)  # pyright: ignore[reportUnknownMemberType]
    torch.set_num_threads(1)
    assessor = load_assessor()
    examples, learned = crisis_examples(options.data, assessor)
    folded = folded_texts(examples, assessor)
    with np.load(options.tuned / "trial.npz") as file:
        trial: dict[str, NDArray[Any]] = dict(file)
    if not np.array_equal(trial["check"], np.arange(learned, len(examples))):
        raise SystemExit("the folder was made from other data: tune again")
    encoder = load_encoder(CRISIS)
    first = CrisisMember(encoder, *read_crisis_head(HEAD_FILE, encoder))
    second, _ = read_crisis_head(SECOND_HEAD_FILE, load_encoder(CRISIS_SECOND))
    seen: list[int] = np.setdiff1d(np.arange(learned), trial["unseen"]).tolist()
    trial_words = fit_words([folded[i] for i in seen], [examples[i] for i in seen])
    unseen = dict(zip(trial["unseen"].tolist(), trial["unseen_chances"], strict=True))
    shown = choosing_rows(examples, list(unseen))
    check: list[int] = trial["check"].tolist()
    meaning = np.stack([unseen[i] for i in shown])

    def together(rows: Sequence[int], chances: Array, words: Mapping[str, Array]) -> Judged:
        texts = [folded[i] for i in rows]
        other = word_mixed(chances, words, second.word_share, texts)
        return judged([examples[i] for i in rows], texts, mean_levels([first.judge(texts).chances, other]))

    limits, facts = chosen_limits(
        together(shown, meaning, trial_words), together(check, trial["check_chances"], second.tensors)
    )
    new = sum(not _is_ordinary(examples[i].group) for i in shown)
    facts |= {
        "messages_unseen": new,
        "ordinary_unseen": len(shown) - new,
        "everyday_texts_kept_apart": len(check),
        "seed": SEED,
    }
    _save(limits, facts)
    return 0


def _save(limits: CrisisLimits, found: Mapping[str, Any]) -> None:
    facts = {"encoders": [CRISIS, CRISIS_SECOND], **limit_facts(limits), **found}
    text = json.dumps(facts, indent=1) + "\n"
    MEAN_FILE.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
