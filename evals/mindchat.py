r"""MindChat's tables: three dimensions graded by judges (Table 2), and what people prefer (Table 3).

    python -m evals.mindchat judge replies.jsonl --judge URL --repeats 3 --seed 0 --json OUT
    python -m evals.mindchat sheet replies.jsonl --output sheet.jsonl
    python -m evals.mindchat judge replies.jsonl --grades NAME=FILE --json OUT
    python -m evals.mindchat prefer rankings.jsonl --json OUT
    python -m evals.mindchat prefer --database sqlite:///var/hearken.db --json OUT

Table 2: fluency and comfort, empathic understanding, support and encouragement, each grade divided by 5,
mean ± variance over replies; the wording of the items is this project's own (``models/judge_rubrics.yaml``),
so the figures are not MindChat's. Its file may hold single replies or the conversations that
``evals.scenarios --transcripts`` and ``evals run`` write. Answers are stored as they come, under
``--answers``; the same command after a stop goes on. Judges that no endpoint reaches, such as people, fill in
a sheet (``evals.grade_sheet``). Table 3: win rate, top-2 rate, mean rank, with intervals over turns. No text
is in the results.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from evals.answer_log import Row, log_for
from evals.asking import Ask, ask_all
from evals.grade_sheet import read_grades, sheet_rows, write_sheet
from evals.judge_command import noted, to_results
from evals.judge_options import JudgeOptions, add_judge_options, judge_options, open_judges
from evals.judge_rating import cost_of, read_verdict, verdict_row
from evals.mindchat_figures import judged_table, judges_agreement, preference_table
from evals.mindchat_rankings import is_page_csv, read_page_csv, read_rankings, stored_rankings
from evals.mindchat_rows import Reply, keyed_subject, read_replies
from evals.provenance import provenance, write_results
from models.judge import ReplyJudge, Verdict
from models.judge_panel import panel_score
from models.judge_rubrics import Rubric, load_judge_texts
from models.judged_text import Subject


async def judged(
    replies: Sequence[Reply], options: JudgeOptions, given: argparse.Namespace
) -> dict[str, Any]:
    """Ask every judge about every reply, read the grades of those that can't be asked, and count.

    Raises:
        ValueError: A file of grades is wrong, or two judges have the same name.
        openai.OpenAIError: A judge can't be asked for its model.
        JudgeLostError: A server went away; running again goes on.
    """
    rubric = load_judge_texts().rubrics["support"]
    asked = [keyed_subject(one, given.context_chars) for one in replies]
    keys = [key for key, _ in asked]
    written = read_grades(given.grades, set(keys), rubric)
    verdicts: dict[str, dict[str, Verdict]] = {}
    async with open_judges(options) as judges:
        if both := written.keys() & judges.keys():
            raise ValueError(f"--grades: a judge of --judge is named {', '.join(sorted(both))} too")
        for name, judge in judges.items():
            log = log_for(options.answers, "mindchat", options.settings(name))
            questions = {
                key: _asking(judge, rubric, subject, one.language)
                for (key, subject), one in zip(asked, replies, strict=True)
            }
            await ask_all(questions, log, at_once=options.at_once, title=f"{name} grades")
            verdicts[name] = {key: read_verdict(log.rows[key]) for key in questions}
    verdicts |= written
    scores = [panel_score({name: own[key] for name, own in verdicts.items()}, rubric) for key in keys]
    conversations = {key: one.conversation for key, one in zip(keys, replies, strict=True)}
    drawn = {"draws": given.draws, "seed": given.draw_seed}
    return {
        "table": "judged",
        "repeats": options.repeats if options.urls else None,
        "temperature": options.temperature if options.urls else None,
        "configurations": judged_table(replies, scores, rubric, **drawn),
        "agreement": judges_agreement(verdicts, conversations, rubric, **drawn),
        "cost": {name: cost_of(own.values()) for name, own in verdicts.items()},
    }


def _asking(judge: ReplyJudge, rubric: Rubric, subject: Subject, language: str) -> Ask:
    async def ask() -> Row:
        return verdict_row(await judge.rate(rubric, subject, language))

    return ask


async def _judge(given: argparse.Namespace) -> dict[str, Any]:
    if not given.judge and not given.grades:
        raise ValueError("--judge or --grades, at least one of them")
    return await judged(_replies(given.file), judge_options(given), given)


def _replies(files: Sequence[Path]) -> list[Reply]:
    replies = [reply for file in files for reply in read_replies(file)]
    if not replies:
        raise ValueError("no reply to grade")
    return replies


def _sheet(given: argparse.Namespace) -> None:
    try:
        rubric = load_judge_texts().rubrics["support"]
        replies = _replies(given.file)
        rows = sheet_rows(replies, rubric, most_chars=given.context_chars, seed=given.seed)
        write_sheet(rows, given.output)
    except (ValueError, OSError) as error:
        sys.exit(f"evals.mindchat sheet: {error}")
    print(f"{len(rows)} questions for {len(replies)} replies in {given.output}")


def preferred(given: argparse.Namespace) -> dict[str, Any]:
    """Table 3 from a file or a database.

    Raises:
        ValueError: Neither or both are given, or there is no ranking.
        sqlalchemy.exc.SQLAlchemyError: The database can't be read.
    """
    if (given.file is None) == (given.database is None):
        raise ValueError("a file of rankings or --database, one of them")
    if given.file is not None and is_page_csv(given.file):
        return {"table": "preferred", **read_page_csv(given.file)}
    if given.file is not None:
        rows = read_rankings(given.file)
    else:
        rows = asyncio.run(stored_rankings(given.database))
    if not rows:
        raise ValueError("nobody has ranked anything yet")
    return {"table": "preferred", **preference_table(rows)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Count one of the tables, print it and write the results; or write a sheet to fill in."""
    given = _parser().parse_args(arguments)
    if given.table == "sheet":
        _sheet(given)
        return
    if given.table == "judge":
        about = provenance(seed=given.draw_seed, data=", ".join(file.name for file in given.file))
        results = to_results("evals.mindchat judge", given.answers, lambda: _judge(given))
        print_judged(results)
    else:
        about = provenance(seed=None, data=given.file.name if given.file else "rankings of a database")
        if given.database is not None:  # its address may hold a password
            about["command"] = "python -m evals.mindchat prefer --database …"
        try:
            results = preferred(given)
        except ValueError as error:
            sys.exit(f"evals.mindchat prefer: {error}")
        except SQLAlchemyError as error:
            sys.exit(f"evals.mindchat prefer: the database can't be read ({type(error).__name__})")
        print_preferred(results)
    if given.json is not None:
        write_results(given.json, noted(results, given.note), about)


def print_judged(results: Mapping[str, Any]) -> None:
    """Print mean ± variance by configuration and dimension, how far judges agree, and cost."""
    for name, row in results["configurations"].items():
        cells = [
            "–" if one["mean"] is None else f"{dimension} {one['mean']:.3f} ± {one['variance']:.3f}"
            for dimension, one in row["dimensions"].items()
        ]
        print(f"{name:24} {row['graded']}/{row['replies']} graded  " + "  ".join(cells))
    for pair in results["agreement"]:
        cells = [
            f"{item} κ {_figure(one, 'weighted_kappa')} ρ {_figure(one, 'spearman')}"
            for item, one in pair["items"].items()
        ]
        print(" and ".join(pair["judges"]), *cells, sep="  ")
    for judge, cost in results["cost"].items():
        print(judge, cost)


def _figure(figures: Mapping[str, Any], name: str) -> str:
    value = figures.get(name, {}).get("value")
    return "–" if value is None else f"{value:.2f}"


def print_preferred(results: Mapping[str, Any]) -> None:
    """Print a line a setting."""
    for row in (*results["by_model"], *results["by_choice"]):
        win, two, rank = row["win"], row["top_two"], row["mean_rank"]
        print(
            f"{row['setting']:24} {row['candidates']:4} candidates  "
            f"win {win['mean']:.1%} [{win['low']:.1%}, {win['high']:.1%}]  "
            f"top-2 {two['mean']:.1%} [{two['low']:.1%}, {two['high']:.1%}]  "
            f"rank {rank['mean']:.2f} [{rank['low']:.2f}, {rank['high']:.2f}]"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.mindchat", description=(__doc__ or "").split("\n")[0]
    )
    tables = parser.add_subparsers(dest="table", required=True)
    judge = tables.add_parser("judge", help="Table 2: three dimensions, graded by judges")
    sheet = tables.add_parser("sheet", help="a sheet that a judge without an endpoint fills in, for Table 2")
    for one in (judge, sheet):
        one.add_argument("file", type=Path, nargs="+", help="replies or conversations, JSON lines")
        one.add_argument(
            "--context-chars", type=int, default=24_000, help="of the dialogue, the latest turns; part of ids"
        )
    sheet.add_argument("--output", type=Path, required=True, help="file of the sheet, JSON lines")
    sheet.add_argument("--seed", type=int, default=0, help="of the order of the questions")
    judge.add_argument(
        "--grades",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a judge's grades of a sheet; for several judges, several times",
    )
    judge.add_argument("--draws", type=int, default=1000, help="draws for the intervals")
    judge.add_argument("--draw-seed", type=int, default=0)
    add_judge_options(judge, required=False)
    prefer = tables.add_parser("prefer", help="Table 3: what people prefer in blind rankings")
    prefer.add_argument("file", type=Path, nargs="?", help="placed candidates, or the ranking page's CSV")
    prefer.add_argument("--database", metavar="URL", help="read the rankings of this database instead")
    for one in (judge, prefer):
        one.add_argument("--json", type=Path, help="file of the results")
        one.add_argument("--note", default="", help="a sentence that stands with the results")
    return parser


if __name__ == "__main__":
    main()
