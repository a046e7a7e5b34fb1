"""Measure how crises are noticed: ``python -m evals.crisis FILE… --json OUT [--predictions OUT.jsonl]``.

A FILE is JSONL with ``text`` or ``turns``, ``lang``, and if known ``label``/``labels`` (``high-imminent`` is
read as ``imminent``). ``--shared`` adds every safety data set of the data folder, ``--talks`` whole
conversations of people who seek support, message by message. Each case runs through the
real turn pipeline; a card counts when the page shows it. Keys of both outputs: docs/safety.md.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.crisis_data import Case, read_file, shared_cases, talk_cases
from evals.crisis_pipeline import running_pipeline
from evals.crisis_report import Prediction, report
from evals.provenance import provenance, write_results


async def predict(cases: Sequence[Case]) -> tuple[list[Prediction], str]:
    """Run each case as a conversation of its own; also returns the classifier's state."""
    predictions: list[Prediction] = []
    async with running_pipeline() as pipeline:
        for case in cases:
            seen = await pipeline.take(case)
            turns = zip(case.turns, case.labels, seen, strict=True)
            predictions += [Prediction(case, i, *turn) for i, turn in enumerate(turns)]
        return predictions, await pipeline.classifier()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m evals.crisis", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--shared", type=Path, metavar="FOLDER", help="data folder with safety/, mint/, …")
    parser.add_argument("--talks", type=Path, metavar="FOLDER", help="whole conversations of the data folder")
    parser.add_argument("--json", type=Path, dest="out")
    parser.add_argument("--predictions", type=Path)
    options = parser.parse_args(arguments)
    cases = [case for file in options.files for case in read_file(file)]
    if options.shared:
        cases += shared_cases(options.shared)
    if options.talks:
        cases += talk_cases(options.talks)
    if not cases:
        parser.error("no cases: name a FILE, --shared FOLDER or --talks FOLDER")
    predictions, classifier = asyncio.run(predict(cases))
    result = {"what": "crisis noticed, by turn", "classifier": classifier, **report(predictions)}
    if options.out:
        sets = ", ".join(sorted({case.source for case in cases}))
        write_results(options.out, result, provenance(seed=None, data=sets))
    if options.predictions:
        lines = (json.dumps(p.as_row(), ensure_ascii=False) for p in predictions)
        options.predictions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _print_tables(result)
    return 0


def _print_tables(result: dict[str, Any]) -> None:
    for source, languages in result["sets"].items():
        for lang, levels in languages.items():
            for wanted, row in levels.items():
                print(
                    f"{source:24} {lang:3} {wanted:9} turns {row['turns']:5} "
                    f"cards {row['cards']:5} ({row['card_rate']:.1%}) {row['predicted']}"
                )
    print("kinds", result["kinds"])
    print("referrals", result["referrals"], "milliseconds", result["milliseconds"])


if __name__ == "__main__":
    sys.exit(main())
