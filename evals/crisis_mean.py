"""Choose the thresholds of the mean of both crisis heads: ``python -m evals.crisis_mean FIRST SECOND``.

The folders are what :mod:`evals.crisis_tune` wrote for each member, from the same data; their encoders and
heads are in their places (:mod:`evals.train_crisis_head`). What chooses, neither has learned from: everyday
texts kept apart, and the groups of messages that no trial has seen. There the trials speak, with words fitted
without these messages. Limits are those of one head (:mod:`evals.crisis_thresholds`).
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from evals.crisis_split import SEED
from evals.crisis_thresholds import IMMINENT_SHARE, LOW_SHARE, Judged, limit_facts, lowest_threshold
from evals.crisis_training import Array
from evals.crisis_trial import CrisisTexts, Trial, word_mixed
from models.encoder import CRISIS, CRISIS_SECOND, load_encoder
from safety.classifier import HEAD_FILE, MEAN_FILE, SECOND_HEAD_FILE
from safety.crisis_head import CrisisLimits, mean_levels, read_crisis_head

Words = Mapping[str, Array]


def chosen_limits(shown: Judged, everyday: Judged) -> tuple[CrisisLimits, dict[str, Any]]:
    """The lowest thresholds of each language that keep the limits of false alarms, and what they find."""
    english, found_en = lowest_threshold(shown, everyday, chinese=False)
    chinese, found_zh = lowest_threshold(shown, everyday, chinese=True)
    facts = {"validation_en": found_en, "validation_zh": found_zh}
    return CrisisLimits(english, IMMINENT_SHARE, LOW_SHARE, chinese), facts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("first", type=Path, help="folder that crisis_tune wrote for the first member")
    parser.add_argument("second", type=Path, help="that of the second one, from the same data")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args(arguments)
    torch.manual_seed(SEED)  # pyright: ignore[reportUnknownMemberType]
    torch.set_num_threads(1)
    texts = CrisisTexts.read(options.data)
    trials = [Trial.read(folder, texts) for folder in (options.first, options.second)]
    if not trials[0].unseen or trials[0].unseen != trials[1].unseen:
        raise SystemExit("both members need a trial that kept the same messages apart")
    members = (CRISIS, HEAD_FILE), (CRISIS_SECOND, SECOND_HEAD_FILE)
    heads = [read_crisis_head(file, load_encoder(name))[0] for name, file in members]
    trial_words = texts.words(trials[0].seen(texts))

    def together(rows: Sequence[int], chances: Sequence[Array], words: Sequence[Words]) -> Judged:
        folded = texts.of(rows)[1]
        said = [
            word_mixed(own, known, head.word_share, folded)
            for own, known, head in zip(chances, words, heads, strict=True)
        ]
        return texts.judged(rows, mean_levels(said))

    unseen, check = trials[0].unseen, trials[0].check
    limits, facts = chosen_limits(
        together(unseen, [one.unseen_chances for one in trials], [trial_words] * len(heads)),
        together(check, [one.check_chances for one in trials], [head.tensors for head in heads]),
    )
    counts = {"messages_unseen": len(unseen), "everyday_texts_kept_apart": len(check), "seed": SEED}
    _save(limits, facts | counts)
    return 0


def _save(limits: CrisisLimits, found: Mapping[str, Any]) -> None:
    facts = {"encoders": [CRISIS, CRISIS_SECOND], **limit_facts(limits), **found}
    text = json.dumps(facts, indent=1) + "\n"
    MEAN_FILE.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    sys.exit(main())
