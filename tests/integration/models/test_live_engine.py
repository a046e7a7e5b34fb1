"""Many conversations at once: the same model as one at a time, and choosing among several helps."""

import threading
from pathlib import Path

import pytest

from evals.live import build_replay
from evals.live_engine import BatchSampler
from evals.live_figures import figures, rows_of
from evals.live_replay import LiveTurn, Script
from models.chat_model import ChatMessage, SamplingParams
from models.local_engine import LocalEngine
from models.weights import Checkpoint, default_adapter, load_checkpoint

CACHE = Path("var/models")
PROMPTS = [
    [ChatMessage("system", "You listen."), ChatMessage("user", text)]
    for text in ("My cat ran off.", "I moved to a new town in May and I still know nobody here at all.")
]
SCRIPTS = [
    Script("0:a", ("My cat ran off last night.", "I looked in every garden of our street.")),
    Script("1:b", ("I moved to a new town and know nobody.", "At work they all eat on their own.")),
]


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    return load_checkpoint(None, default_adapter(), CACHE)


def test_a_draw_without_chance_equals_the_apps_engine(checkpoint: Checkpoint) -> None:
    """With top-k 1 both must walk the same path, padded in a batch or alone."""
    params = SamplingParams(temperature=1.0, top_p=1.0, top_k=1, max_tokens=6, repetition_penalty=1.05)
    batch = BatchSampler(checkpoint, 2048, params).sample(PROMPTS, 2)
    engine = LocalEngine(checkpoint, 2048)
    for prompt, drawn in zip(PROMPTS, batch, strict=True):
        alone = engine.generate(engine.prompt(prompt, {}), 1, params, stop=threading.Event(), timeout_s=60.0)
        assert drawn[0].text == drawn[1].text
        assert drawn[0].text == alone[0].text.strip()


def test_eight_candidates_are_judged_better_than_one() -> None:
    replay = build_replay(seed=0, threads=2, cache=CACHE)

    def quality(n: int) -> float:
        turns: list[LiveTurn] = [turn for step in replay.run(SCRIPTS, n) for turn in step]
        return figures(list(rows_of(turns, n).values()))["quality"]

    assert quality(8) > quality(1)
