"""Train the head of the reply check: ``python -m evals.train_reply_head --data ../shared/data``.

Learns faults from the sentences written for this project (``safety/training/replies_*.txt``), and what may be
shown from those and from real replies: MINT's systems (not the two that ``evals.reply_check`` measures), the
counsellors of SmileChat and CounselChat, and the replies that the embedded model was taught. Real sentences
are embedded in their reply, written ones alone and within a real reply, since a vector tells of its
surroundings, too. The thresholds are the lowest that refuse at most ``_FALSE`` (``_FALSE_AT_RISK``) of the
real sentences of replies kept apart; no written test set takes part in it.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

from evals.provenance import provenance
from evals.reply_check import MINT_SYSTEMS, read_cases
from evals.smilechat import SMILECHAT, turns_of
from models.encoder import Encoder, load_encoder
from models.sentences import split_sentences
from models.training.echoed_replies import echoed_examples
from models.training.network import layers_of, side_by_side
from models.training.rows import read_rows
from safety.reply_check import check_reply
from safety.reply_classifier import HEAD_FILE, OK, ReplyHead
from safety.training.reply_book import written_replies

Array = NDArray[np.float32]
_SEED = 20261128
_PER_LINE = 14
_REAL = 1500
"""Real replies of each source."""
_PLACED = 2
"""Real replies that each written sentence is put into, besides standing alone."""
_AROUND = 4
"""Most sentences of such a reply."""
_OPENING = 8
"""Sentences kept of an answer of CounselChat, which can be as long as an article."""
_HIDDEN = 96
_NETWORKS = 3
_EPOCHS = 30
_REPEATS = 4
"""Times that a sentence of a labelled set counts; a line of the written files has up to ``_PER_LINE``."""
_FALSE, _FALSE_AT_RISK = 0.002, 0.005
"""Share of real sentences that may be refused; a reply has about five, and there are several candidates."""
_LOWEST, _LOWEST_AT_RISK = 0.4, 0.25

_Reply = list[str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, choose the threshold and write the head."""
    parser = argparse.ArgumentParser(prog="python -m evals.train_reply_head", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--also", type=Path, nargs="*", default=[], help="labelled sets to learn from as well"
    )
    parser.add_argument("--out", type=Path, default=HEAD_FILE)
    options = parser.parse_args(arguments)
    torch.manual_seed(_SEED)  # pyright: ignore[reportUnknownMemberType]
    chance = random.Random(_SEED)  # noqa: S311  # repeatable, not secret
    encoder = load_encoder("e5", threads=2)
    written = [(r.text, r.kind) for r in written_replies(_PER_LINE, _SEED)]
    written += [pair for file in options.also for pair in _labelled(file)] * _REPEATS
    sources = (_mint(options.data), _smile(options.data), _counselchat(options.data), _taught())
    real = [reply for source in sources for reply in _some(source, chance)]
    chance.shuffle(real)
    apart, learnt = real[: len(real) // 5], real[len(real) // 5 :]
    placed = [(*_placed(text, learnt, chance), kind) for text, kind in written for _ in range(_PLACED)]
    alone = [([text], 0, kind) for text, kind in written]
    faulty = _vectors_at(encoder, [*alone, *placed])
    shown = _vectors(encoder, learnt)
    labels = [kind for *_, kind in (*alone, *placed)] + [OK] * len(shown)
    kinds = (OK, *sorted(set(labels) - {OK}))
    tensors = _train(np.concatenate([faulty, shown]), np.array([kinds.index(kind) for kind in labels]))
    faults = 1.0 - ReplyHead(tensors, kinds, 1.0, 1.0).chances(_vectors(encoder, apart))[:, 0]
    threshold = max(_LOWEST, float(np.quantile(faults, 1.0 - _FALSE)))
    at_risk = max(_LOWEST_AT_RISK, float(np.quantile(faults, 1.0 - _FALSE_AT_RISK)))
    facts = {
        "encoder": encoder.name,
        "kinds": kinds,
        "threshold": round(threshold, 4),
        "threshold_at_risk": round(at_risk, 4),
        "also": [file.name for file in options.also],
        "written": len(written),
        "real": len(shown),
        "refused_apart": round(float((faults >= threshold).mean()), 5),
        "refused_apart_at_risk": round(float((faults >= at_risk).mean()), 5),
        "provenance": provenance(seed=_SEED, data="written replies; MINT, SmileChat, CounselChat, echoed"),
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, options.out, metadata={"facts": json.dumps(facts, ensure_ascii=False)})
    print(json.dumps({k: v for k, v in facts.items() if k != "provenance"}, indent=1))


def _train(vectors: Array, labels: NDArray[np.int64]) -> dict[str, Array]:
    mean, scale = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    inputs = torch.from_numpy((vectors - mean) / scale)  # pyright: ignore[reportUnknownMemberType]
    targets = torch.from_numpy(labels)  # pyright: ignore[reportUnknownMemberType]
    kinds = int(labels.max()) + 1
    networks = [_one_network(inputs, targets, kinds) for _ in range(_NETWORKS)]
    tensors = {"mean": mean, "scale": scale, **side_by_side([layers_of(network) for network in networks])}
    # Contiguous, or safetensors would write the numbers in another order.
    return {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in tensors.items()}


def _one_network(inputs: torch.Tensor, targets: torch.Tensor, kinds: int) -> torch.nn.Sequential:
    network = torch.nn.Sequential(
        torch.nn.Linear(inputs.shape[1], _HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.3),
        torch.nn.Linear(_HIDDEN, kinds),
    )
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.02)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.05)
    for _ in range(_EPOCHS):
        for batch in cast("list[torch.Tensor]", torch.randperm(len(inputs)).split(256)):  # pyright: ignore[reportUnknownMemberType]
            optimizer.zero_grad()
            loss = loss_of(network(inputs[batch]), targets[batch])
            loss.backward()  # pyright: ignore[reportUnknownMemberType]
            optimizer.step()  # pyright: ignore[reportUnknownMemberType]
    return network.eval()


def _labelled(file: Path) -> Iterator[tuple[str, str]]:
    """Sentences of replies that may be shown; whole faulty replies only when they are one sentence."""
    for case in read_cases(file):
        sentences = split_sentences(case.text)
        if case.block is None:
            yield from ((sentence, OK) for sentence in sentences)
        elif len(sentences) == 1 and case.block != "invented_number":
            yield sentences[0], case.block


def _placed(text: str, replies: Sequence[_Reply], chance: random.Random) -> tuple[_Reply, int]:
    """The sentence within a real reply of at most ``_AROUND`` sentences, and its place there."""
    around = chance.choice(replies)[: chance.randint(1, _AROUND)]
    place = chance.randint(0, len(around))
    return [*around[:place], text, *around[place:]], place


def _vectors_at(encoder: Encoder, rows: Sequence[tuple[_Reply, int, str]]) -> Array:
    found = encoder.encode_sentences([reply for reply, _, _ in rows])
    return np.stack([vectors[1 + place] for vectors, (_, place, _) in zip(found, rows, strict=True)])


def _vectors(encoder: Encoder, replies: Sequence[_Reply]) -> Array:
    return np.concatenate([vectors[1:] for vectors in encoder.encode_sentences(replies)])


def _some(replies: Iterator[str], chance: random.Random) -> list[_Reply]:
    every = sorted(set(replies))
    return [split_sentences(reply) for reply in chance.sample(every, min(_REAL, len(every)))]


def _mint(folder: Path) -> Iterator[str]:
    for _, row in read_rows(folder / "mint" / "replies.jsonl.gz"):
        if row["system"] not in MINT_SYSTEMS:
            yield row["reply"]


def _counselchat(folder: Path) -> Iterator[str]:
    """The openings of counsellors' answers, but for those with a fault in a model's mouth."""
    for _, row in read_rows(folder / "counselchat" / "answers.jsonl.gz"):
        opening = " ".join(split_sentences(row["answer"])[:_OPENING])
        if opening and not check_reply(opening).reasons:
            yield opening


def _taught() -> Iterator[str]:
    """What the embedded model learned to say, but for replies that the rules refuse."""
    for example in echoed_examples(_SEED):
        if not check_reply(example.reply).reasons:
            yield example.reply


def _smile(folder: Path) -> Iterator[str]:
    for said in turns_of(folder / SMILECHAT, "assistant"):
        yield from said


if __name__ == "__main__":
    main()
