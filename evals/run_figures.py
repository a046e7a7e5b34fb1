"""Figures of played conversations by the app's own scorer, with intervals over scenarios."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from evals.scenario_data import Configuration, Scenario
from evals.scenario_play import Transcript
from models.novelty import pooled_stickiness
from models.scorer import EARLIER_REPLIES, ReplyScorer
from models.tactics import Tactic
from models.training.metrics import mean_of
from models.wording import read_wording, repeats_opening

MEASURES = ("quality", "stickiness", "repeated_openings", "words")
Turns = list[dict[str, Any]]
"""A conversation's replies: tactics, predicted Q, whether it opens like an earlier one, words."""


def measured(
    configurations: Sequence[Configuration],
    scenarios: Sequence[Scenario],
    played: Mapping[str, Mapping[str, Transcript]],
    scorer: ReplyScorer,
    *,
    draws: int,
    seed: int,
) -> dict[str, Any]:
    """One row a configuration.

    Args:
        configurations: In the order of the table.
        scenarios: All that were to be played.
        played: Transcripts by configuration and scenario.
        scorer: Reads replies.
        draws: Draws of scenarios for the intervals.
        seed: Of the draws.
    """
    rows: dict[str, Any] = {}
    for one in configurations:
        transcripts = played.get(one.name, {})
        whole = [t for t in transcripts.values() if t.turns]
        conversations = [read_turns(transcript, scorer) for transcript in whole]
        rows[one.name] = {
            **one.facts(),
            "scenarios": len(scenarios),
            "conversations": len(whole),
            "turns": sum(map(len, conversations)),
            "failures": dict(Counter(code for t in transcripts.values() for code in t.failures)),
            "fallback_turns": sum(t.fallbacks for t in whole),
            "written_turns": sum(t.written for t in whole),
            "completion_tokens": sum(t.completion_tokens for t in transcripts.values()),
            **_intervals(conversations, draws, seed),
        }
    return rows


def read_turns(transcript: Transcript, scorer: ReplyScorer) -> Turns:
    """What is measured of each reply of a conversation."""
    found: Turns = []
    earlier: list[str] = []
    for place, turn in enumerate(transcript.turns):
        if turn.role != "assistant":
            continue
        features = scorer.features(transcript.turns[:place], (turn.content,))[0]
        past = [read_wording(text) for text in earlier[-EARLIER_REPLIES:]]
        found.append(
            {
                "tactics": frozenset(features.counts),
                "quality": features.quality,
                "repeated": bool(past) and repeats_opening(read_wording(turn.content), past),
                "words": len(turn.content.split()),
            }
        )
        earlier.append(turn.content)
    return found


def means(conversations: Sequence[Turns]) -> dict[str, float]:
    """Means over turns; stickiness over pairs of a turn and the next; ``nan`` where there are none."""
    rows = [row for turns in conversations for row in turns]
    later = [row for turns in conversations for row in turns[1:]]
    pairs: list[tuple[frozenset[Tactic], frozenset[Tactic]]] = [
        (a["tactics"], b["tactics"]) for turns in conversations for a, b in pairwise(turns)
    ]
    sticky = pooled_stickiness(pairs)
    return {
        "quality": mean_of(row["quality"] for row in rows),
        "stickiness": float("nan") if sticky is None else sticky,
        "repeated_openings": mean_of(float(row["repeated"]) for row in later),
        "words": mean_of(float(row["words"]) for row in rows),
    }


def _intervals(conversations: Sequence[Turns], draws: int, seed: int) -> dict[str, Any]:
    whole = means(conversations)
    rng = np.random.default_rng(seed)
    drawn = [
        means([conversations[int(i)] for i in rng.integers(len(conversations), size=len(conversations))])
        for _ in range(draws if conversations else 0)
    ]
    found: dict[str, Any] = {}
    for name in MEASURES:
        values = [one[name] for one in drawn if one[name] == one[name]]
        bounds = np.percentile(values, [2.5, 97.5]) if values else (None, None)
        found[name] = {
            key: _rounded(v) for key, v in zip(("mean", "low", "high"), (whole[name], *bounds), strict=True)
        }
    return found


def _rounded(value: Any) -> float | None:
    return None if value is None or value != value else round(float(value), 4)
