"""Puts what :mod:`models.training.tune_encoder` wrote in its place, ready for the application.

    python -m models.training.install_tuned var/tuned --data ../shared/data/mint \
        --chinese ../shared/data/chinese/smilechat_400.jsonl.gz

Sets the thresholds from the predictions for conversations that the predicting encoder had not seen, and
adds what moves Chinese vectors to where the English ones lie. CPU, one thread: one minute.
"""

import argparse
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.e5 import E5Encoder
from models.e5_adapter import read_adapter
from models.encoder import HELD_OUT, adapter_file, tuned_part
from models.head_file import HEADS_FOLDER, read_head, write_head
from models.tactics import Tactic
from models.tagger import CHINESE_SHIFT, PRESENCE
from models.training.held_out_tags import HeldOutTags
from models.training.mint_data import read_mint
from models.training.tactic_tagger import chinese_shift

SAMPLE = 600
"""Replies that tell where English sentences lie."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Install one tuned encoder."""
    options = _options(arguments)
    data = read_mint(options.data)
    adapter = read_adapter(options.tuned / "adapter.safetensors")
    encoder = tuned_part(E5Encoder(adapter=adapter))
    replies = [reply.sentences for reply in data.replies if reply.sentences]
    some = random.Random(options.seed).sample(replies, min(SAMPLE, len(replies)))  # noqa: S311
    english = np.concatenate([rows[1:] for rows in encoder.encode_sentences(some)])
    shift = chinese_shift(encoder, english, options.chinese, options.cache)
    held_out = HeldOutTags.from_tuning(options.tuned / HELD_OUT, data)
    place = adapter_file(encoder.name, options.output)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(options.tuned / "adapter.safetensors", place)
    held_out.save(place.parent / HELD_OUT)
    head = read_head(options.tuned / "tactics.safetensors", encoder.name)
    tensors = {
        **head.tensors,
        CHINESE_SHIFT: shift,
        "thresholds": held_out.best_thresholds(data),
        PRESENCE: held_out.best_presence(data),
    }
    write_head(
        options.output / f"tactics-{encoder.name}" / "head.safetensors",
        tensors,
        {**head.facts, "tactics": [str(tactic) for tactic in Tactic]},
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that tune_encoder wrote")
    parser.add_argument("--data", type=Path, required=True, help="folder with replies and contexts")
    parser.add_argument("--chinese", type=Path, required=True, help="Chinese dialogues, to align languages")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"), help="stored vectors")
    parser.add_argument("--output", type=Path, default=HEADS_FOLDER, help="where the heads go")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
