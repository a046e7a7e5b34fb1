r"""Does choosing among several candidates help with the embedded model? Replays what persons said.

    python -m evals.live --data ../shared/data/mint/conversations_322.json.gz --conversations 60 \
        --json evals/results/live.json
    python -m evals.live --check evals/results/live.json

Each conversation runs with n = 1 and with n = 8 re-ranked, each with its own history. Stickiness and Q are
those of the app's tagger and quality head, which the choice uses too. ``--check`` computes figures and
intervals again from the rows of a results file and fails when n = 8 is not better on both.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.chat.choice import ReplyChooser
from app.metrics import Metrics
from evals.live_engine import BatchSampler
from evals.live_figures import difference, figures, is_better, rows_of
from evals.live_replay import LiveTurn, Replay, add_turns, read_scripts, read_turns
from evals.provenance import provenance, write_results
from models.answers import load_answers
from models.chat_model import SamplingParams
from models.profiles import load_profiles
from models.rerank import RerankWeights
from models.scorer import load_scorer
from models.weights import default_adapter, load_checkpoint
from safety.risk import load_assessor
from safety.toxicity import load_toxicity_checker


def build_replay(seed: int, threads: int, cache: Path, weights: RerankWeights | None = None) -> Replay:
    """The app's parts around a model that answers many conversations at once."""
    import torch

    torch.set_num_threads(threads)
    profile = load_profiles()["embedded"]
    checkpoint = load_checkpoint(None, default_adapter(), cache)
    sampler = BatchSampler(checkpoint, profile.context_length, SamplingParams.of(profile), seed=seed)
    scorer = load_scorer(answers=load_answers())
    toxicity = load_toxicity_checker(checkpoint=None, config=None, allow_download=False)
    chooser = ReplyChooser(scorer, toxicity, weights or RerankWeights(), Metrics())
    return Replay(sampler, profile, chooser, scorer, load_assessor())


def results_of(turns: Sequence[LiveTurn], n: int, seed: int) -> dict[str, Any]:
    """Figures of both sides, their difference, and the rows they come from."""
    rows = {"n1": rows_of(turns, 1), f"n{n}": rows_of(turns, n)}
    return {**summary(rows, seed), "rows": rows}


def summary(rows: dict[str, Any], seed: int) -> dict[str, Any]:
    """Figures and intervals of the rows of a results file."""
    one, several = sorted(rows, key=lambda name: int(name[1:]))
    sides = {name: figures([side[key] for key in sorted(side)]) for name, side in rows.items()}
    found = difference(rows[several], rows[one], seed)
    return {
        "conversations": len(rows[one]),
        "turns": sum(map(len, rows[one].values())),
        **{name: {key: round(value, 4) for key, value in side.items()} for name, side in sides.items()},
        "difference": found,
        "better_on_both": is_better(found),
    }


def check(file: Path, seed: int) -> bool:
    """Compute a results file's figures again from its rows; whether n = 8 is better on both."""
    stored = json.loads(file.read_text("utf-8"))
    again = summary(stored["rows"], seed)
    _print(again)
    return bool(again["better_on_both"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Replay and write the results, or check a results file."""
    options = _parser().parse_args(arguments)
    if options.check is not None:
        if not check(options.check, options.seed):
            sys.exit("evals.live: several candidates are not better than one on both measures")
        return
    if options.data is None or options.json is None:
        sys.exit("evals.live: --data and --json are needed (or --check)")
    try:
        scripts = read_scripts(options.data, options.conversations, options.turns)
    except ValueError as error:
        sys.exit(f"evals.live: {error}")
    known = [] if options.fresh else read_turns(options.resume)
    if options.fresh:
        options.resume.unlink(missing_ok=True)
    turns = list(known)
    replay = build_replay(options.seed, options.threads, options.cache)
    for n in (1, options.n):
        for taken in replay.run(scripts, n, known):
            add_turns(options.resume, taken)
            turns.extend(taken)
            spent = sum(turn.model_s + turn.choose_s for turn in taken)
            print(f"n = {n}, turn {taken[0].turn + 1}: {len(taken)} replies, {spent:.0f} s", flush=True)
    wanted = {script.id: len(script.messages) for script in scripts}
    turns = [turn for turn in turns if turn.turn < wanted.get(turn.conversation, 0)]
    results = results_of(turns, options.n, options.seed)
    _print(results)
    about = provenance(
        seed=options.seed, data=f"{options.data.name}: what the persons said, replies by the model"
    )
    write_results(options.json, results, about)
    options.resume.unlink(missing_ok=True)  # or the next run would report old choices as its own


def _print(results: dict[str, Any]) -> None:
    for name, value in results.items():
        if name != "rows":
            print(name, value)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals.live", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="gzipped JSON list of conversations")
    parser.add_argument("--conversations", type=int, default=60)
    parser.add_argument("--turns", type=int, default=6, help="most turns of a conversation")
    parser.add_argument("--n", type=int, default=8, choices=range(2, 33), metavar="2-32")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("var/models"))
    parser.add_argument("--resume", type=Path, default=Path("var/live_turns.jsonl"))
    parser.add_argument("--fresh", action="store_true", help="take all turns again")
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--check", type=Path, metavar="FILE", help="only check a results file")
    return parser


if __name__ == "__main__":
    main()
