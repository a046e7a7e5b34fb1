"""Figures of configurations from what judges said of their conversations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from evals.agreement_figures import interval
from evals.elo import ratings
from evals.scenario_data import Configuration, Scenario
from evals.scenario_judging import Judged, Played
from evals.scenario_play import mean_length
from models.judge_panel import PanelScore


def figures(
    configurations: Sequence[Configuration],
    scenarios: Sequence[Scenario],
    played: Played,
    judged: Judged,
    *,
    draws: int,
    seed: int,
) -> dict[str, Any]:
    """One table for all configurations.

    Args:
        configurations: In the order of the table.
        scenarios: All that were to be played.
        played: What came of it.
        judged: What judges said.
        draws: Draws of scenarios for the intervals.
        seed: Of the draws.
    """
    elo = ratings(judged.games, [one.name for one in configurations], draws=draws, seed=seed)
    rows: dict[str, Any] = {}
    for one in configurations:
        transcripts = played.get(one.name, {})
        whole = [transcript for transcript in transcripts.values() if transcript.turns]
        rows[one.name] = {
            **one.facts(),
            "scenarios": len(scenarios),
            "conversations": len(whole),
            "failures": _counted([f for t in transcripts.values() for f in t.failures]),
            "fallback_turns": sum(transcript.fallbacks for transcript in whole),
            "written_turns": sum(transcript.written for transcript in whole),
            "mean_reply_characters": _rounded(np.mean([mean_length(t.turns) for t in whole]))
            if whole
            else None,
            "completion_tokens": sum(transcript.completion_tokens for transcript in transcripts.values()),
            **_scores(judged.scores.get(one.name, {}), scenarios, draws, seed),
            "elo": asdict(elo[one.name]),
        }
    return {"configurations": rows, "games": _games(judged), "cost": judged.cost}


def _scores(
    scores: Mapping[str, PanelScore], scenarios: Sequence[Scenario], draws: int, seed: int
) -> dict[str, Any]:
    languages = sorted({scenario.language for scenario in scenarios})
    by_language = {
        language: [scores[s.id].score for s in scenarios if s.language == language and s.id in scores]
        for language in languages
    }
    items = sorted({item for score in scores.values() for item in score.grades})
    return {
        "score": _summary([score.score for score in scores.values()], draws, seed),
        "score_by_language": {name: _summary(own, draws, seed) for name, own in by_language.items()},
        "items": {
            item: _rounded(np.mean([score.grades[item] for score in scores.values()])) for item in items
        },
        "mean_spread_between_judges": (
            _rounded(np.mean([score.score_spread for score in scores.values()])) if scores else None
        ),
    }


def _summary(values: Sequence[float], draws: int, seed: int) -> dict[str, Any]:
    """Mean over scenarios, its interval, and the standard deviation (sample's)."""
    if not values:
        return {"n": 0, "mean": None, "low": None, "high": None, "sd": None}
    data, random = np.array(values), np.random.default_rng(seed)
    drawn = [float(data[random.integers(len(data), size=len(data))].mean()) for _ in range(draws)]
    low, high = interval(drawn, draws)
    spread = float(data.std(ddof=1)) if len(data) > 1 else 0.0
    return {"n": len(data), "mean": _rounded(data.mean()), "low": low, "high": high, "sd": _rounded(spread)}


def _games(judged: Judged) -> list[dict[str, Any]]:
    """For each pair how many games there were and how much of them the first won."""
    found: dict[tuple[str, str], list[float]] = {}
    for game in judged.games:
        found.setdefault((game.a, game.b), []).append(game.value)
    return [
        {"a": a, "b": b, "games": len(values), "won_by_a": _rounded(np.mean(values))}
        for (a, b), values in sorted(found.items())
    ]


def _counted(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}


def _rounded(value: Any) -> float:
    return round(float(value), 3)
