"""Lets judges grade rated replies and puts what they said beside the ratings."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from evals.answer_log import Row, log_for
from evals.asking import Ask, ask_all
from evals.judge_options import JudgeOptions, open_judges
from evals.judge_rows import RatedReply
from models.judge import ReplyJudge, Verdict
from models.judge_panel import panel_score
from models.judge_rubrics import Rubric, load_judge_texts
from models.judge_server import Usage
from models.judged_text import Subject, reply_subject

RUBRICS = ("empathy", "support")
"""Those of single replies."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A reply, its ratings and what the panel and each judge said.

    Attributes:
        reply: As it was read.
        panel: Mean of the judges by measure, such as ``empathy.self_oriented``, and by rubric its mean in
            points of the scale.
        spread: Standard deviation between judges, by the same names.
        judges: The same as ``panel`` for each judge alone.
    """

    reply: RatedReply
    panel: Mapping[str, float]
    spread: Mapping[str, float]
    judges: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Grading:
    """All replies with what was said, and by judge: answers, failures, tokens."""

    graded: tuple[Graded, ...]
    cost: Mapping[str, dict[str, Any]]


def chosen_rows(replies: Sequence[RatedReply], rows: int | None, seed: int) -> list[RatedReply]:
    """Some of the replies, drawn without replacement, in file order; all when ``rows`` is ``None``."""
    if rows is None or rows >= len(replies):
        return list(replies)
    return [replies[index] for index in sorted(Random(seed).sample(range(len(replies)), rows))]  # noqa: S311


async def grade(replies: Sequence[RatedReply], options: JudgeOptions, most_chars: int) -> Grading:
    """Ask every judge for every rubric that a reply has ratings on.

    Args:
        replies: What to grade.
        options: Whom to ask and how.
        most_chars: Characters of dialogue that a judge gets to see.

    Raises:
        openai.OpenAIError: A judge can't be asked for its model.
        JudgeLostError: A server went away; running again goes on.
    """
    rubrics = load_judge_texts().rubrics
    wanted = [
        (reply, rubrics[name])
        for reply in replies
        for name in RUBRICS
        if any(measure.startswith(f"{name}.") for measure in reply.ratings)
    ]
    found: dict[tuple[str, str], dict[str, Verdict]] = {}
    cost: dict[str, dict[str, Any]] = {}
    async with open_judges(options) as judges:
        for judge_name, judge in judges.items():
            log = log_for(options.answers, "grades", options.settings(judge_name))
            questions: dict[str, Ask] = {}
            keys: list[str] = []
            for reply, rubric in wanted:
                subject = reply_subject(reply.context, reply.reply, most_chars)
                keys.append(_key(reply, rubric, subject))
                questions[keys[-1]] = _asking(judge, rubric, subject, reply.language)
            await ask_all(questions, log, at_once=options.at_once, title=f"{judge_name} grades")
            verdicts = [read_verdict(log.rows[key]) for key in keys]
            cost[judge_name] = cost_of(verdicts)
            for (reply, rubric), verdict in zip(wanted, verdicts, strict=True):
                found.setdefault((reply.key, rubric.name), {})[judge_name] = verdict
    return Grading(tuple(_graded(reply, found, rubrics) for reply in replies), cost)


def cost_of(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Texts, answers, failures by kind, and tokens."""
    verdicts = list(verdicts)
    used = sum((verdict.usage for verdict in verdicts), Usage())
    return {
        "texts": len(verdicts),
        "texts_without_grades": sum(not verdict.grades for verdict in verdicts),
        "answers": sum(len(verdict.grades) for verdict in verdicts),
        "failures": dict(sorted(Counter(f for verdict in verdicts for f in verdict.failures).items())),
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
    }


def verdict_row(verdict: Verdict) -> Row:
    """A verdict for the log of answers; it holds no text."""
    return {
        "grades": list(verdict.grades),
        "failures": list(verdict.failures),
        "tokens": [verdict.usage.prompt_tokens, verdict.usage.completion_tokens],
    }


def subject_mark(subject: Subject) -> str:
    """A short mark of a text, so that another text under the same name is asked about anew."""
    return hashlib.sha256(json.dumps(subject, ensure_ascii=False).encode()).hexdigest()[:12]


def _asking(judge: ReplyJudge, rubric: Rubric, subject: Subject, language: str) -> Ask:
    async def ask() -> Row:
        return verdict_row(await judge.rate(rubric, subject, language))

    return ask


def _key(reply: RatedReply, rubric: Rubric, subject: Subject) -> str:
    return f"{reply.key}:{rubric.name}:{reply.language}:{subject_mark(subject)}"


def read_verdict(row: Row) -> Verdict:
    """A stored verdict."""
    grades = cast("list[dict[str, int]]", row["grades"])
    return Verdict(tuple(grades), tuple(row["failures"]), Usage(*row["tokens"]))


def _graded(
    reply: RatedReply,
    found: Mapping[tuple[str, str], Mapping[str, Verdict]],
    rubrics: Mapping[str, Rubric],
) -> Graded:
    panel: dict[str, float] = {}
    spread: dict[str, float] = {}
    judges: dict[str, dict[str, float]] = {}
    for name in RUBRICS:
        verdicts = found.get((reply.key, name), {})
        for judge, verdict in verdicts.items():
            means = verdict.means()
            if means is not None:
                judges.setdefault(judge, {}).update(_named(name, means, rubrics[name].mean(means)))
        score = panel_score(verdicts, rubrics[name])
        if score is not None:
            panel |= _named(name, score.grades, rubrics[name].mean(score.grades))
            spread |= _named(name, score.spread, score.score_spread / rubrics[name].unit)
    return Graded(reply, panel, spread, judges)


def _named(rubric: str, grades: Mapping[str, float], mean: float) -> dict[str, float]:
    return {**{f"{rubric}.{item}": grade for item, grade in grades.items()}, rubric: mean}
