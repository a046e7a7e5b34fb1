"""Where the time of one turn goes: model, tagging, scoring, SQL, first visible text.

    python -m evals.bench_turn --json evals/results/bench_turn.json
    python -m evals.bench_turn --vllm-cpu --json evals/results/bench_turn_vllm_cpu.json

Each line is the median over the turns of one conversation on a fresh SQLite file. The growth from
turn 2 to turn 200 is measured with a scripted model, because only the middleware matters there.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from app.chat.events import ReplyText, TurnFailed
from app.db.migrate import upgrade
from app.main import Parts, build_parts
from app.settings import ModelSettings, Settings, StorageSettings
from evals.provenance import provenance, write_results
from evals.scripted_model import ScriptedModel
from models.chat_model import ChatModel

PERSON = "00000000-0000-4000-8000-000000000001"
MIDDLEWARE = ("risk", "prompt", "check", "score", "rank", "store")

# Written for this benchmark; lengths as people write them in supportive chats.
MESSAGES = (
    "I had a fight with my sister again and now she won't answer my calls.",
    "It's about our dad's house. She wants to sell it and I'm not ready.",
    "I grew up there, and he died only in March. It feels like losing him a second time.",
    "She says I'm being childish and that money doesn't care about feelings.",
    "Maybe she is right. I haven't slept properly for weeks and I snap at everyone.",
    "At work they noticed too. My boss asked whether I want some days off.",
    "I don't know if I should take them, then I'd only sit at home and think.",
    "What helped a little was walking by the river with the dog yesterday.",
)


class StageTimes:
    """Collects the durations the pipeline reports."""

    def __init__(self) -> None:
        self.turns: list[dict[str, float]] = []
        self._now: dict[str, float] = defaultdict(float)

    def observe(self, stage: str, seconds: float) -> None:
        """One stage of the turn that is going on."""
        self._now[stage] += seconds

    def saw(self, stage: str) -> bool:
        """Whether the turn that is going on reported this stage."""
        return stage in self._now

    def end_turn(self, **more: float) -> None:
        """Close the turn."""
        self.turns.append({**self._now, **more})
        self._now.clear()

    def medians(self, turns: Sequence[dict[str, float]] | None = None) -> dict[str, float]:
        """Median milliseconds by stage, of the middleware's stages, and of all that is not the model.

        ``around_model`` is the time to the first visible text less the model's: besides the stages it
        holds what nobody named, such as waiting for a thread.
        """
        rows = self.turns if turns is None else turns
        stages = sorted({stage for row in rows for stage in row})
        result = {stage: _ms(statistics.median(row.get(stage, 0.0) for row in rows)) for stage in stages}
        result["middleware"] = _ms(
            statistics.median(sum(row.get(stage, 0.0) for stage in MIDDLEWARE) for row in rows)
        )
        result["around_model"] = _ms(
            statistics.median(row["first_text"] - row.get("model", 0.0) for row in rows)
        )
        return result


async def measure(parts: Parts, times: StageTimes, turns: int) -> None:
    """Take ``turns`` turns of one conversation; the first, which warms caches up, is left out."""
    session = await parts.conversations.create(PERSON, "en")
    for number in range(turns + 1):
        start = time.perf_counter()
        first: float | None = None
        async for event in parts.turns.run(session.id, MESSAGES[number % len(MESSAGES)]):
            if isinstance(event, ReplyText) and first is None:
                first = time.perf_counter() - start
            if isinstance(event, TurnFailed):
                raise SystemExit(f"turn {number} failed: {event.code}")
        if not times.saw("model"):
            raise SystemExit(f"turn {number} has a written reply: nothing of the model was measured")
        times.end_turn(first_text=first or 0.0)
        if number == 0:
            times.turns.clear()


async def run_one(settings: Settings, turns: int, model: ChatModel | None = None) -> StageTimes:
    """Build everything on a fresh database and measure."""
    times = StageTimes()
    with tempfile.TemporaryDirectory() as folder:
        storage = StorageSettings(folder=Path(folder), database_url=f"sqlite:///{folder}/bench.sqlite3")
        settings = settings.model_copy(update={"storage": storage})
        await asyncio.to_thread(upgrade, settings.database_url)
        parts = build_parts(settings, model=model, observe=times.observe)
        await parts.start()
        await parts.ready()
        try:
            await measure(parts, times, turns)
        finally:
            await parts.close()
    return times


def _settings(n: int, url: str | None = None) -> Settings:
    chosen = ModelSettings.model_validate({"candidates": n, "url": url})
    return Settings(model=chosen)


async def growth() -> dict[str, Any]:
    """Middleware time of turns 2–21 against turns 181–200 with n = 8 scripted candidates."""
    times = await run_one(_settings(8), 200, ScriptedModel())
    early, late = times.medians(times.turns[:20]), times.medians(times.turns[-20:])
    return {
        name: {
            "turns_2_to_21_ms": early[name],
            "turns_181_to_200_ms": late[name],
            "growth_ms": round(late[name] - early[name], 1),
        }
        for name in ("middleware", "around_model")
    }


async def main(arguments: argparse.Namespace) -> dict[str, Any]:
    """All measurements of one back end."""
    results: dict[str, Any] = {"turns_per_line": arguments.turns, "milliseconds": {}}
    async with AsyncExitStack() as stack:
        url = None
        if arguments.vllm_cpu:
            from evals.vllm_server import embedded_server

            url = (await stack.enter_async_context(embedded_server())).url
        name = "vllm-cpu" if url else "embedded"
        for n in (1, 4, 8):
            times = await run_one(_settings(n, url), arguments.turns)
            results["milliseconds"][f"{name} n={n}"] = times.medians()
            _print(f"{name} n={n}", times.medians())
    if not arguments.vllm_cpu:
        times = await run_one(_settings(8), arguments.turns * 2, ScriptedModel())
        results["milliseconds"]["scripted n=8"] = times.medians()
        _print("scripted n=8", times.medians())
        results["growth"] = await growth()
        print(results["growth"])
    return results


def _print(name: str, medians: dict[str, float]) -> None:
    print(f"{name:16}" + "".join(f" {stage} {value:.0f} ms," for stage, value in medians.items()), flush=True)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=12, help="turns of one conversation that are measured")
    parser.add_argument("--vllm-cpu", action="store_true", help="measure against a vLLM server on this CPU")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    given = parser.parse_args()
    found = asyncio.run(main(given))
    if given.json:
        write_results(
            given.json, found, provenance(seed=None, data="messages written in evals/bench_turn.py")
        )
