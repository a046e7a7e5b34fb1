"""What tagging, scoring and ranking of eight candidates costs, by encoder.

    python -m evals.encoder_speed --json evals/results/encoder_speed.json

The candidates are made of the sentences in models/tactics.yaml, so that none is in the cache. Wall
time depends on what else the machine does; processor time hardly does.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.provenance import provenance, write_results
from models.chat_model import ChatMessage
from models.novelty import TacticHistory
from models.rerank import RankInput, rerank
from models.scorer import ReplyScorer, load_scorer
from models.tactics import Tactic, load_definitions

CANDIDATES = 8
ROUNDS = 15


def measure(encoder: str, threads: int, sentences: int, language: str) -> dict[str, Any]:
    """Median milliseconds of one turn."""
    scorer = load_scorer(encoder, threads=threads)
    scorer.warm_up()
    turn(scorer, 0, sentences, language)
    wall: list[float] = []
    processor: list[float] = []
    for number in range(1, ROUNDS + 1):
        before, used = time.perf_counter(), time.process_time()
        turn(scorer, number, sentences, language)
        wall.append(time.perf_counter() - before)
        processor.append(time.process_time() - used)
    return {
        "encoder": encoder,
        "threads": threads,
        "sentences": sentences,
        "language": language,
        "wall_ms": round(1000 * statistics.median(wall), 1),
        "fastest_wall_ms": round(1000 * min(wall), 1),
        "processor_ms": round(1000 * statistics.median(processor), 1),
    }


def turn(scorer: ReplyScorer, number: int, sentences: int, language: str) -> None:
    """Score and rank one turn's candidates."""
    cues = [definition.cue[language] for definition in load_definitions().values()]
    replies = [
        " ".join(f"{number}, {i}: {cues[(i + k) % len(cues)]}" for k in range(sentences))
        for i in range(CANDIDATES)
    ]
    context = [ChatMessage("user", f"Message {number}: I can't sleep and nobody understands it.")]
    found = scorer.features(context, replies, cues[:8])  # remembered since they were candidates
    rerank([RankInput(i, one) for i, one in enumerate(found)], TacticHistory(({Tactic.VALIDATION: 2},)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--encoders", nargs="+", default=["e5", "minilm"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = []
    for encoder in options.encoders:
        for threads in options.threads if encoder == "e5" else [0]:
            for sentences, language in ((5, "en"), (8, "en"), (5, "zh")):
                rows.append(measure(encoder, max(threads, 1), sentences, language))
                print(rows[-1])
    if options.json is not None:
        about = provenance(seed=None, data="sentences of models/tactics.yaml")
        write_results(options.json, {"rows": rows}, about)


if __name__ == "__main__":
    main()
