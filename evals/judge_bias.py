r"""Is a judge swayed by length or by order? Grades rated replies, and compares pairs of them in both orders.

    python -m evals.judge_bias ../shared/data/mint/replies.jsonl.gz --rows 300 --pairs 150 --judge URL \
        --json OUT

Length: Spearman of grade and length (characters), and the partial rank correlation when the reference rating
is held fixed, that is, what length adds beyond what raters say as well. Order: pairs of two replies to one
message; a judge without bias says the same in both orders. Both figures are per judge. Grades that
``evals.judge_agreement`` has stored for the same rows and settings are used again.
"""

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, cast

from evals.answer_log import Row, log_for
from evals.asking import Ask, ask_all
from evals.bias_figures import ComparedPair, length_bias, order_bias
from evals.judge_agreement import add_file_options, measures_of, read_replies, reference_of
from evals.judge_command import noted, to_results
from evals.judge_options import JudgeOptions, add_judge_options, judge_options, open_judges
from evals.judge_rating import Graded, grade, subject_mark
from evals.judge_rows import RatedReply
from evals.provenance import provenance, write_results
from models.judge import Comparison, ReplyJudge
from models.judge_server import Usage
from models.judged_text import dialogue_data

Pair = tuple[RatedReply, RatedReply]


def chosen_pairs(replies: Sequence[RatedReply], most: int, seed: int) -> list[Pair]:
    """Pairs of different replies to the same message, drawn without replacement.

    Each round takes one pair from each message, so that a few with many replies don't fill the list.
    """
    by_message: dict[str, list[RatedReply]] = {}
    for reply in replies:
        by_message.setdefault(reply.context_key, []).append(reply)
    random = Random(seed)  # noqa: S311
    queues = [
        random.sample(pairs, len(pairs))
        for group in by_message.values()
        if (pairs := [(a, b) for a, b in combinations(group, 2) if a.reply != b.reply])
    ]
    random.shuffle(queues)
    found: list[Pair] = []
    while queues and len(found) < most:
        found += [queue.pop() for queue in queues][: most - len(found)]
        queues = [queue for queue in queues if queue]
    return found


async def compare_pairs(
    pairs: Sequence[Pair], options: JudgeOptions, most_chars: int
) -> dict[str, list[tuple[Pair, Comparison]]]:
    """Ask every judge about every pair, in both orders; failures are kept."""
    found: dict[str, list[tuple[Pair, Comparison]]] = {}
    async with open_judges(options) as judges:
        for name, judge in judges.items():
            log = log_for(options.answers, "pairs", options.settings(name))
            questions: dict[str, Ask] = {}
            keys: list[str] = []
            for a, b in pairs:
                shared = {"dialogue": dialogue_data(a.context, most_chars)}
                mark = subject_mark({**shared, "a": a.reply, "b": b.reply})
                keys.append(f"{a.key}|{b.key}:{a.language}:{mark}")
                questions[keys[-1]] = _asking(judge, shared, a, b)
            await ask_all(questions, log, at_once=options.at_once, title=f"{name} compares")
            found[name] = [
                (pair, read_comparison(log.rows[key])) for pair, key in zip(pairs, keys, strict=True)
            ]
    return found


def comparison_row(found: Comparison) -> Row:
    """A comparison for the log of answers."""
    return {
        "a_first": list(found.a_first),
        "b_first": list(found.b_first),
        "failures": list(found.failures),
        "tokens": [found.usage.prompt_tokens, found.usage.completion_tokens],
    }


def read_comparison(row: Row) -> Comparison:
    """A stored comparison."""
    values = [tuple(cast("list[float]", row[name])) for name in ("a_first", "b_first")]
    return Comparison(values[0], values[1], tuple(row["failures"]), Usage(*row["tokens"]))


def length_results(graded: Sequence[Graded], judge: str) -> dict[str, Any]:
    """Length bias of one judge by measure."""
    found: dict[str, Any] = {}
    for measure in measures_of(graded):
        rows = [
            (float(len(one.reply.reply)), said[measure], reference)
            for one in graded
            if measure in (said := one.judges.get(judge, {}))
            and (reference := reference_of(one.reply, measure)) is not None
        ]
        found[measure] = length_bias(rows)
    return found


def order_results(compared: Sequence[tuple[Pair, Comparison]]) -> dict[str, Any]:
    """Order bias of one judge, with what failed."""
    pairs = [
        ComparedPair(found.a_first, found.b_first, len(a.reply), len(b.reply)) for (a, b), found in compared
    ]
    failures: dict[str, int] = {}
    for _, found in compared:
        for failure in found.failures:
            failures[failure] = failures.get(failure, 0) + 1
    used = sum((found.usage for _, found in compared), Usage())
    return {
        **order_bias(pairs),
        "failures": failures,
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
    }


async def run(given: argparse.Namespace, options: JudgeOptions) -> dict[str, Any]:
    """Grade, compare, count."""
    files, replies = read_replies(given)
    everything = [reply for file in files for reply in file.replies]
    pairs = chosen_pairs(everything, given.pairs, given.draw_seed)
    grading = await grade(replies, options, given.context_chars)
    compared = await compare_pairs(pairs, options, given.context_chars)
    return {
        "reference": sorted({file.reference for file in files}),
        "replies": len(replies),
        "pairs": len(pairs),
        "cost_of_grades": grading.cost,
        "length": {name: length_results(grading.graded, name) for name in grading.cost},
        "order": {name: order_results(found) for name, found in compared.items()},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    given = _parser().parse_args(arguments)
    # Before the run, which may be long: the revision is the one that ran.
    about = provenance(seed=given.draw_seed, data=", ".join(file.name for file in given.file))
    results = to_results("evals.judge_bias", given.answers, lambda: run(given, judge_options(given)))
    print_figures(results)
    if given.json is not None:
        write_results(given.json, noted(results, given.note), about)


def print_figures(results: Mapping[str, Any]) -> None:
    """Print length by measure, and order."""
    for judge, measures in results["length"].items():
        print(judge)
        for measure, row in measures.items():
            print(f"  {measure:34} n {row['n']:5}  ρ {row['spearman']}  partial {row['partial']}")
    for judge, row in results["order"].items():
        print(judge, row)


def _asking(judge: ReplyJudge, shared: Mapping[str, object], a: RatedReply, b: RatedReply) -> Ask:
    async def ask() -> Row:
        return comparison_row(await judge.compare("reply", shared, a.reply, b.reply, a.language))

    return ask


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.judge_bias", description=(__doc__ or "").splitlines()[0]
    )
    add_file_options(parser)
    parser.add_argument("--pairs", type=int, default=100, help="most pairs of replies to one message")
    add_judge_options(parser)
    return parser


if __name__ == "__main__":
    main()
