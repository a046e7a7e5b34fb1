"""Learns how likely a whole reply carries each tactic, from what is kept of the tuned encoder's folds.

    python -m models.training.presence ../shared/data/mint

Nothing is embedded or tuned anew. The weights of each fold come from the replies of the others and go into
``held_out.npz``; those of all replies become the tensor ``presence`` of the tagger's head.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.encoder import HELD_OUT, TUNED, adapter_file
from models.head_file import HEADS_FOLDER, read_head, write_head
from models.presence import by_thresholds
from models.tactics import Tactic
from models.tagger import PRESENCE
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import MintData, carried, read_mint


def scores(data: MintData, tags: HeldOutTags) -> dict[str, float]:
    """How well the chances of whole replies fit the authors' tags, over all replies and tactics."""
    known = [(reply, found) for reply in data.replies if (found := tags.tagged(reply)) is not None]
    chances = np.array([[one.chances.get(tactic, 0.0) for tactic in Tactic] for _, one in known])
    truth = carried(reply for reply, _ in known)
    return {
        "accuracy": round(float(((chances > 0.5) == truth).mean()), 4),
        "brier": round(float(((chances - truth) ** 2).mean()), 5),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, print how well it fits and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with replies.jsonl.gz and contexts.jsonl.gz")
    options = parser.parse_args(arguments)
    data = read_mint(options.data)
    kept = adapter_file(TUNED).parent / HELD_OUT
    held_out = HeldOutTags.read(kept)
    before = replace(held_out, presence=np.stack([by_thresholds(row) for row in held_out.thresholds]))
    after = held_out.with_presence(data)
    print("by the likeliest sentence and its threshold", scores(data, before))
    print("learned on the other folds", scores(data, after))
    after.save(kept)
    path = HEADS_FOLDER / f"tactics-{TUNED}" / "head.safetensors"
    head = read_head(path, TUNED)
    write_head(path, {**head.tensors, PRESENCE: after.best_presence(data)}, head.facts)


if __name__ == "__main__":
    main()
