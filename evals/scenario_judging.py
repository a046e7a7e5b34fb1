"""Has judges grade the conversations of configurations, and compare them pair by pair."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from evals.answer_log import Row, log_for
from evals.asking import Ask, ask_all
from evals.elo import Game
from evals.judge_bias import comparison_row, read_comparison
from evals.judge_options import JudgeOptions, open_judges
from evals.judge_rating import cost_of, read_verdict, subject_mark, verdict_row
from evals.scenario_data import Scenario
from evals.scenario_play import Transcript
from models.judge import ReplyJudge, Verdict
from models.judge_panel import PanelScore, panel_score
from models.judge_rubrics import Rubric, load_judge_texts
from models.judge_server import Usage
from models.judged_text import Subject, dialogue_data

Played = Mapping[str, Mapping[str, Transcript]]
"""Transcripts by configuration and scenario."""
MOST_CHARS = 48_000


@dataclass(frozen=True, slots=True)
class Judged:
    """What judges said.

    Attributes:
        scores: Panel's grades by configuration and scenario; without those that nobody graded.
        games: Comparisons of two configurations, one for each scenario and judge with answers in both orders.
        cost: By judge: answers, failures by kind, tokens, for grades and for comparisons.
    """

    scores: Mapping[str, Mapping[str, PanelScore]]
    games: tuple[Game, ...]
    cost: Mapping[str, dict[str, Any]]


async def judge_all(scenarios: Sequence[Scenario], played: Played, options: JudgeOptions) -> Judged:
    """Grade every whole conversation and compare every two on the same scenario.

    Raises:
        openai.OpenAIError: A judge can't be asked for its model.
        JudgeLostError: A server went away; running again goes on.
    """
    rubric = load_judge_texts().rubrics["scenario"]
    verdicts: dict[str, dict[str, dict[str, Verdict]]] = {name: {} for name in played}
    games: list[Game] = []
    cost: dict[str, dict[str, Any]] = {}
    async with open_judges(options) as judges:
        for name, judge in judges.items():
            settings = options.settings(name)
            own = await _grades(name, judge, scenarios, played, rubric, options, settings)
            for (configuration, scenario), verdict in own.items():
                verdicts[configuration].setdefault(scenario, {})[name] = verdict
            found, spent = await _games(name, judge, scenarios, played, options, settings)
            games += found
            cost[name] = {"grades": cost_of(own.values()), "comparisons": spent}
    scores = {
        configuration: {
            scenario: score
            for scenario, by_judge in by_scenario.items()
            if (score := panel_score(by_judge, rubric)) is not None
        }
        for configuration, by_scenario in verdicts.items()
    }
    return Judged(scores, tuple(games), cost)


async def _grades(
    name: str,
    judge: ReplyJudge,
    scenarios: Sequence[Scenario],
    played: Played,
    rubric: Rubric,
    options: JudgeOptions,
    settings: Mapping[str, Any],
) -> dict[tuple[str, str], Verdict]:
    log = log_for(options.answers, "scenario-grades", settings)
    questions: dict[str, Ask] = {}
    keys: dict[tuple[str, str], str] = {}
    for configuration, transcripts in played.items():
        for scenario in scenarios:
            transcript = transcripts.get(scenario.id)
            if transcript is None or not transcript.turns:
                continue
            subject = {"dialogue": dialogue_data(transcript.turns, MOST_CHARS)}
            # The name of the configuration is no part of the key: the same words get the same grades.
            key = f"{scenario.id}:{subject_mark(subject)}"
            questions[key] = _grading(judge, rubric, subject, scenario.language)
            keys[configuration, scenario.id] = key
    await ask_all(questions, log, at_once=options.at_once, title=f"{name} grades")
    return {place: read_verdict(log.rows[key]) for place, key in keys.items()}


async def _games(
    name: str,
    judge: ReplyJudge,
    scenarios: Sequence[Scenario],
    played: Played,
    options: JudgeOptions,
    settings: Mapping[str, Any],
) -> tuple[list[Game], dict[str, Any]]:
    log = log_for(options.answers, "scenario-pairs", settings)
    questions: dict[str, Ask] = {}
    places: list[tuple[str, str, str, str]] = []
    for scenario in scenarios:
        for a, b in combinations(sorted(played), 2):
            one, two = (played[c].get(scenario.id) for c in (a, b))
            if one is None or two is None or not one.turns or not two.turns:
                continue
            texts = dialogue_data(one.turns, MOST_CHARS), dialogue_data(two.turns, MOST_CHARS)
            key = f"{scenario.id}:{subject_mark({'a': texts[0], 'b': texts[1]})}"
            questions[key] = _comparing(judge, texts[0], texts[1], scenario.language)
            places.append((a, b, scenario.id, key))
    await ask_all(questions, log, at_once=options.at_once, title=f"{name} compares")
    games: list[Game] = []
    failures: Counter[str] = Counter()
    used = Usage()
    for a, b, scenario_id, key in places:
        found = read_comparison(log.rows[key])
        failures.update(found.failures)
        used += found.usage
        value = found.value()
        if value is not None:
            games.append(Game(a, b, value, scenario_id))
    return games, {
        "pairs": len(places),
        "pairs_without_answers_in_both_orders": len(places) - len(games),
        "failures": dict(sorted(failures.items())),
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
    }


def _grading(judge: ReplyJudge, rubric: Rubric, subject: Subject, language: str) -> Ask:
    async def ask() -> Row:
        return verdict_row(await judge.rate(rubric, subject, language))

    return ask


def _comparing(judge: ReplyJudge, one: object, two: object, language: str) -> Ask:
    async def ask() -> Row:
        return comparison_row(await judge.compare("dialogue", {}, one, two, language))

    return ask
