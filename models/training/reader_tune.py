r"""Tunes the embedded language model as a reader of replies, with LoRA, on a GPU.

    python -m models.training.reader_tune var/reader/mint.npz --base base.gguf --output var/reader/mint \
        --folds 0 1
    python -m models.training.reader_tune var/reader/strategies.npz --base base.gguf \
        --output var/reader/strategies

The task is that of the file, which :mod:`models.training.reader_pack` wrote; neither texts nor a network are
needed. For MINT one reader is tuned for each fold of conversations and reads that fold; for ESConv's
strategies one learns from four fifths of the training file's conversations and reads the rest, and one
learns from all and reads the validation file; for first sentences that were judged likewise, by message;
for kinds of messages one learns without those that the chat model's fine-tuning keeps apart, one from all.
Folds and parts are independent: several processes may share
a folder, and who comes last joins what all found. Written: ``mint_held_out.npz`` or ``strategies_read.npz``,
readers of ``strategies``, ``answers`` and ``kinds`` themselves, ``metrics_*.json``, ``progress_*.log``.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.training.base_model import NO_ADAPTER, load_adapted
from models.training.reader_data import ANSWERS, KINDS_READ, MINT, STRATEGIES, Floats, ReaderData, load
from models.training.reader_fit import LoadBase, ReaderPlan, fit, predict
from models.training.reader_losses import aggregate
from models.training.reader_mint_outputs import FoldRead, fold_of_replies, join_folds, mint_scores, save_fold
from models.training.reader_parts import PARTS, join_parts, learned, part_scores, save_part, save_reader
from models.training.reader_tasks import RATED, answers_task, kinds_task, mint_task, strategies_task

DEFAULT = ReaderPlan()
_TASKS = {STRATEGIES: strategies_task, ANSWERS: answers_task, KINDS_READ: kinds_task}


@dataclass(frozen=True, slots=True)
class Session:
    """One process: its data, its settings, and where it computes and writes."""

    data: ReaderData
    plan: ReaderPlan
    base: LoadBase
    device: torch.device
    output: Path
    name: str

    def log(self, text: str) -> None:
        """Add a line to this process's progress file."""
        with (self.output / f"progress_{self.name}.log").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    def save(self, name: str, scores: dict[str, Any]) -> None:
        """Write scores beside the plan that led to them."""
        text = json.dumps({**scores, "plan": asdict(self.plan)}, indent=1)
        (self.output / f"metrics_{name}.json").write_text(text + "\n", encoding="utf-8")
        self.log(f"{name}: {json.dumps(scores)}")


def run_fold(session: Session, fold: int) -> None:
    """Tune without one fold's conversations and read them."""
    data, started = session.data, time.monotonic()
    own = np.flatnonzero(fold_of_replies(data) == fold)
    others = np.flatnonzero(fold_of_replies(data) != fold)
    session.log(f"fold {fold}: {len(others)} replies to learn from")
    task, scale = mint_task(data, others, session.plan, session.device)
    reader = fit(data, task, session.plan, session.base, session.device, session.log)
    outputs, logits = predict(reader, data, own)
    ratings = scale.points(torch.tensor(outputs[:, :RATED], device=session.device)).cpu()
    quality: Floats = aggregate(ratings).numpy()
    # As the tagger does: a part of marks only carries no tactic.
    counted = torch.tensor(data.arrays["counted"][data.rows(own)], dtype=torch.float32)
    probabilities: Floats = (torch.sigmoid(torch.tensor(logits)) * counted[:, None]).numpy()
    carried: Floats = torch.sigmoid(torch.tensor(outputs[:, RATED:])).numpy()
    save_fold(session.output, fold, FoldRead(ratings.numpy(), quality, probabilities, carried))
    scores = mint_scores(data, own, quality, probabilities, carried)
    session.save(f"fold_{fold}", {**scores, "seconds": round(time.monotonic() - started, 1)})


def run_part(session: Session, part: str) -> None:
    """Tune on a part of the conversations and read the others."""
    data, started = session.data, time.monotonic()
    texts, read = learned(data, part)
    session.log(f"{part}: {len(texts)} texts to learn from")
    task = _TASKS[data.task](data, texts, session.plan, session.device)
    reader = fit(data, task, session.plan, session.base, session.device, session.log)
    save_reader(session.output, part, reader, session.plan.rank)
    scores: dict[str, Any] = {}
    if len(read):
        _, outputs = predict(reader, data, read)
        rows = data.rows(read)
        save_part(session.output, part, rows, outputs)
        scores = part_scores(data, rows, outputs) if part == PARTS[0] else {}
    session.save(part, scores | {"seconds": round(time.monotonic() - started, 1)})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _options(arguments)
    torch.set_float32_matmul_precision("high")
    options.output.mkdir(parents=True, exist_ok=True)
    data = load(options.file)
    names = options.folds if data.task == MINT else options.parts
    session = Session(
        data,
        _plan(options),
        partial(_base, options.base, options.adapter),
        torch.device(options.device or ("cuda" if torch.cuda.is_available() else "cpu")),
        options.output,
        "_".join(str(name) for name in names),
    )
    for name in names:
        if data.task == MINT:
            run_fold(session, int(name))
        else:
            run_part(session, name)
    joined = join_folds(options.output, data) if data.task == MINT else join_parts(options.output, data)
    if joined is not None:
        session.save("joined", joined)
    return 0


def _base(source: str, adapter: str) -> Any:
    return load_adapted(source, adapter)[0]


def _plan(options: argparse.Namespace) -> ReaderPlan:
    return ReaderPlan(
        epochs=options.epochs,
        rate=options.rate,
        rank=options.rank,
        contexts=options.contexts,
        tokens=options.tokens,
        pass_tokens=options.pass_tokens,
        seed=options.seed,
        steps=options.steps,
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="what reader_pack wrote")
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--adapter", default=NO_ADAPTER, help="folder of one to merge into it, or none")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument(
        "--folds", type=int, nargs="*", default=[0, 1, 2, 3, 4], help="MINT's, of this process"
    )
    parser.add_argument(
        "--parts", choices=PARTS, nargs="*", default=list(PARTS), help="strategies' or answers'"
    )
    parser.add_argument("--epochs", type=int, default=DEFAULT.epochs)
    parser.add_argument("--rate", type=float, default=DEFAULT.rate)
    parser.add_argument("--rank", type=int, default=DEFAULT.rank)
    parser.add_argument(
        "--contexts", type=int, default=DEFAULT.contexts, help="MINT's contexts or answered messages a step"
    )
    parser.add_argument("--tokens", type=int, default=DEFAULT.tokens, help="strategies' tokens a step")
    parser.add_argument("--pass-tokens", type=int, default=DEFAULT.pass_tokens, help="tokens side by side")
    parser.add_argument("--seed", type=int, default=DEFAULT.seed)
    parser.add_argument("--steps", type=int, help="ends training early, for smoke tests")
    parser.add_argument("--device")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
