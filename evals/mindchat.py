r"""MindChat's tables: three dimensions graded by judges (Table 2), and what people prefer (Table 3).

    python -m evals.mindchat judge replies.jsonl --judge URL --repeats 3 --seed 0 --json OUT
    python -m evals.mindchat prefer rankings.jsonl --json OUT
    python -m evals.mindchat prefer --database sqlite:///var/hearken.db --json OUT

Table 2: fluency and comfort, empathic understanding, support and encouragement, each grade divided by 5,
mean ± variance over replies; the wording of the items is this project's own (``models/judge_rubrics.yaml``),
so the figures are not MindChat's. Its file may hold single replies or the conversations that
``evals.scenarios --transcripts`` and ``evals run`` write. Answers are stored as they come, under
``--answers``; the same command after a stop goes on. Table 3: win rate, top-2 rate, mean rank, with intervals
over turns. No text is in the results.
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
from evals.judge_command import noted, to_results
from evals.judge_options import JudgeOptions, add_judge_options, judge_options, open_judges
from evals.judge_rating import cost_of, read_verdict, subject_mark, verdict_row
from evals.mindchat_figures import judged_table, preference_table
from evals.mindchat_rankings import is_page_csv, read_page_csv, read_rankings, stored_rankings
from evals.mindchat_rows import Reply, read_replies
from evals.provenance import provenance, write_results
from models.judge import ReplyJudge, Verdict
from models.judge_panel import panel_score
from models.judge_rubrics import Rubric, load_judge_texts
from models.judged_text import Subject, reply_subject


async def judged(
    replies: Sequence[Reply], options: JudgeOptions, given: argparse.Namespace
) -> dict[str, Any]:
    """Ask every judge about every reply, and count.

    Raises:
        openai.OpenAIError: A judge can't be asked for its model.
        JudgeLostError: A server went away; running again goes on.
    """
    rubric = load_judge_texts().rubrics["support"]
    subjects = [reply_subject(one.context, one.text, given.context_chars) for one in replies]
    # The name of the configuration is no part of the key: the same words get the same grades.
    keys = [f"{one.language}:{subject_mark(s)}" for one, s in zip(replies, subjects, strict=True)]
    verdicts: list[dict[str, Verdict]] = [{} for _ in replies]
    cost: dict[str, Any] = {}
    async with open_judges(options) as judges:
        for name, judge in judges.items():
            log = log_for(options.answers, "mindchat", options.settings(name))
            questions = {
                key: _asking(judge, rubric, subject, one.language)
                for key, subject, one in zip(keys, subjects, replies, strict=True)
            }
            await ask_all(questions, log, at_once=options.at_once, title=f"{name} grades")
            for own, key in zip(verdicts, keys, strict=True):
                own[name] = read_verdict(log.rows[key])
            cost[name] = cost_of(read_verdict(log.rows[key]) for key in questions)
    scores = [panel_score(own, rubric) for own in verdicts]
    table = judged_table(replies, scores, rubric, draws=given.draws, seed=given.draw_seed)
    return {
        "table": "judged",
        "repeats": options.repeats,
        "temperature": options.temperature,
        "configurations": table,
        "cost": cost,
    }


def _asking(judge: ReplyJudge, rubric: Rubric, subject: Subject, language: str) -> Ask:
    async def ask() -> Row:
        return verdict_row(await judge.rate(rubric, subject, language))

    return ask


async def _judge(given: argparse.Namespace) -> dict[str, Any]:
    replies = [reply for file in given.file for reply in read_replies(file)]
    if not replies:
        raise ValueError("no reply to grade")
    return await judged(replies, judge_options(given), given)


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
    """Count one of the tables, print it and write the results."""
    given = _parser().parse_args(arguments)
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
    """Print a line a configuration: mean ± variance of each dimension."""
    for name, row in results["configurations"].items():
        cells = [
            "–" if one["mean"] is None else f"{dimension} {one['mean']:.3f} ± {one['variance']:.3f}"
            for dimension, one in row["dimensions"].items()
        ]
        print(f"{name:24} {row['graded']}/{row['replies']} graded  " + "  ".join(cells))
    for judge, cost in results["cost"].items():
        print(judge, cost)


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
    judge.add_argument("file", type=Path, nargs="+", help="replies or conversations, JSON lines")
    judge.add_argument("--context-chars", type=int, default=24_000, help="of the dialogue, the latest turns")
    judge.add_argument("--draws", type=int, default=1000, help="draws for the intervals")
    judge.add_argument("--draw-seed", type=int, default=0)
    add_judge_options(judge)
    prefer = tables.add_parser("prefer", help="Table 3: what people prefer in blind rankings")
    prefer.add_argument("file", type=Path, nargs="?", help="placed candidates, or the ranking page's CSV")
    prefer.add_argument("--database", metavar="URL", help="read the rankings of this database instead")
    for one in (judge, prefer):
        one.add_argument("--json", type=Path, help="file of the results")
        one.add_argument("--note", default="", help="a sentence that stands with the results")
    return parser


if __name__ == "__main__":
    main()
