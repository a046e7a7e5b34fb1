r"""Do judges agree with people? Grades rated replies and compares, measure by measure.

    python -m evals.judge_agreement ratings.csv --contexts kto.jsonl --judge http://127.0.0.1:8000/v1 \
        --model NAME --json OUT
    python -m evals.judge_agreement ../shared/data/mint/replies.jsonl.gz --rows 500 --judge URL --json OUT

Several judges (``--judge`` repeated) are a panel: their mean is compared, and each alone. Figures: quadratic
weighted κ, Spearman, mean absolute error, with intervals over conversations. Answers are stored as they come,
under ``--answers``; the same command after a stop goes on. The results hold numbers and no text.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.agreement_figures import Rated, agreement
from evals.judge_command import noted, to_results
from evals.judge_options import JudgeOptions, add_judge_options, judge_options
from evals.judge_rating import Graded, Grading, chosen_rows, grade
from evals.judge_rows import SCALES, RatedFile, RatedReply, read_rated
from evals.provenance import provenance, write_results
from models.judge_rubrics import load_judge_texts
from models.training.metrics import mean_of

DRAWS = 1000


def results_of(files: Sequence[RatedFile], grading: Grading, *, draws: int, seed: int) -> dict[str, Any]:
    """Figures of the panel and of each judge, and everything that is missing, by count."""
    graded = grading.graded
    panel = {
        measure: {
            **agreement(_pairs(graded, measure, None), draws=draws, seed=seed),
            "mean_spread_between_judges": _mean(one.spread.get(measure) for one in graded),
        }
        for measure in measures_of(graded)
    }
    judges = {
        name: {measure: agreement(_pairs(graded, measure, name), draws=draws, seed=seed) for measure in panel}
        for name in grading.cost
    }
    return {
        "reference": sorted({file.reference for file in files}),
        "replies": len(graded),
        "replies_without_dialogue": sum(not one.reply.context for one in graded),
        "replies_left_out_without_ratings": sum(file.unrated for file in files),
        "replies_without_any_grade": sum(not one.panel for one in graded),
        "cost": grading.cost,
        "panel": panel,
        "judges": judges if len(judges) > 1 else {},
    }


def reference_of(reply: RatedReply, measure: str) -> float | None:
    """A rating, or for a rubric's name its mean where all items were rated."""
    if measure in SCALES:
        return reply.ratings.get(measure)
    rubric = load_judge_texts().rubrics[measure]
    grades = {item.name: reply.ratings.get(f"{measure}.{item.name}") for item in rubric.items}
    if any(value is None for value in grades.values()):
        return None
    return rubric.mean({name: value for name, value in grades.items() if value is not None})


def measures_of(graded: Sequence[Graded]) -> list[str]:
    """Measures that some reply was rated on, then the rubrics they belong to."""
    rated = {measure for one in graded for measure in one.reply.ratings}
    named = [name for name in ("empathy", "support") if any(m.startswith(f"{name}.") for m in rated)]
    return [*(measure for measure in SCALES if measure in rated), *named]


def _pairs(graded: Sequence[Graded], measure: str, judge: str | None) -> list[Rated]:
    found: list[Rated] = []
    for one in graded:
        said: Mapping[str, float] = one.panel if judge is None else one.judges.get(judge, {})
        reference = reference_of(one.reply, measure)
        if measure in said and reference is not None:
            found.append(Rated(one.reply.conversation, reference, said[measure]))
    return found


def _mean(values: Any) -> float | None:
    mean = mean_of(values)
    return None if mean != mean else round(mean, 4)


def read_replies(given: argparse.Namespace) -> tuple[list[RatedFile], list[RatedReply]]:
    """The files that were given, and the replies to grade.

    Raises:
        ValueError: A file is broken, or no reply has a rating.
    """
    files = [read_rated(file, given.contexts, given.language) for file in given.file]
    replies = chosen_rows([reply for file in files for reply in file.replies], given.rows, given.draw_seed)
    if not replies:
        raise ValueError("no reply has a rating that judges could be compared with")
    return files, replies


async def run(given: argparse.Namespace, options: JudgeOptions) -> dict[str, Any]:
    """Read, ask, compare."""
    files, replies = read_replies(given)
    grading = await grade(replies, options, given.context_chars)
    return results_of(files, grading, draws=given.draws, seed=given.draw_seed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Grade, print the figures and write the results."""
    given = _parser().parse_args(arguments)
    # Before the run, which may be long: the revision is the one that ran.
    about = provenance(seed=given.draw_seed, data=", ".join(file.name for file in given.file))
    results = to_results("evals.judge_agreement", given.answers, lambda: run(given, judge_options(given)))
    print_figures(results)
    if given.json is not None:
        write_results(given.json, noted(results, given.note), about)


def print_figures(results: Mapping[str, Any]) -> None:
    """Print one line a measure, then cost and failures."""
    print(f"{'measure':34}{'n':>6}{'κ':>22}{'ρ':>22}{'MAE':>22}")
    for measure, row in results["panel"].items():
        cells = [_cell(row.get(name)) for name in ("weighted_kappa", "spearman", "mae")]
        print(f"{measure:34}{row['n']:>6}" + "".join(f"{cell:>22}" for cell in cells))
    for judge, cost in results["cost"].items():
        print(judge, json.dumps(cost))


def _cell(figure: Mapping[str, float | None] | None) -> str:
    if figure is None or figure["value"] is None:
        return "–"
    if figure["low"] is None or figure["high"] is None:
        return f"{figure['value']:.2f}"
    return f"{figure['value']:.2f} ({figure['low']:.2f}–{figure['high']:.2f})"


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Add what is graded and where results go."""
    parser.add_argument("file", type=Path, nargs="+", help="ratings.csv, or replies in MINT's form")
    parser.add_argument("--contexts", type=Path, help="kto.jsonl of the same export, or MINT's contexts")
    parser.add_argument("--language", default="en", choices=("en", "zh"), help="of files that do not tell")
    parser.add_argument("--rows", type=int, help="grade so many replies, drawn by --draw-seed")
    parser.add_argument("--context-chars", type=int, default=24_000, help="of the dialogue, the latest turns")
    parser.add_argument("--draw-seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--note", default="", help="a sentence that stands with the results")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.judge_agreement", description=(__doc__ or "").splitlines()[0]
    )
    add_file_options(parser)
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws for the intervals")
    add_judge_options(parser)
    return parser


if __name__ == "__main__":
    main()
