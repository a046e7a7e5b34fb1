"""Twenty persons at once on the embedded model: order, mixing, answer times of pages and thumbs, memory.

    python -m evals.load_sessions --json evals/results/load_sessions.json

It starts the application as a process of its own on a fresh database and opens a page for each person.
In every round each person sends a message that holds a word of their own.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import psutil

from evals.page_client import PageClient, open_page
from evals.provenance import provenance, write_results
from evals.running_app import running_app

ARRIVAL_S = 0.25
"""Between two persons: longer than storing a message takes, much shorter than a reply."""


async def one_turn(page: PageClient, text: str, start: float) -> dict[str, Any]:
    """Send a message; when was something shown, and when was the reply done?"""
    sent = time.perf_counter()
    first: float | None = None
    view: dict[str, Any] = {}
    async for latest in page.take_turn(text):
        first = first or time.perf_counter()
        view = latest
    outcome: dict[str, Any] = view.get("outcome") or {}
    return {
        "sent": sent - start,
        "first_s": (first or sent) - sent,
        "done": time.perf_counter() - start,
        "outcome": outcome.get("kind"),
        "reply": next((item["id"] for item in view.get("items", []) if "hk-reply" in item["html"]), None),
    }


async def watch(address: str, rated: tuple[PageClient, str], stop: asyncio.Event) -> dict[str, list[float]]:
    """Open pages and press thumbs until told to stop; milliseconds of each."""
    times: dict[str, list[float]] = {"page": [], "thumb": []}
    page, message_id = rated
    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as http:
        while not stop.is_set():
            start = time.perf_counter()
            (await http.get("/", headers={"accept": "text/html"})).raise_for_status()
            times["page"].append((time.perf_counter() - start) * 1000)
            start = time.perf_counter()
            answer = await page.call("rate", message=message_id, value=len(times["thumb"]) % 2 * 2 - 1)
            if not answer["ok"]:
                raise SystemExit(f"a thumb was refused: {answer}")
            times["thumb"].append((time.perf_counter() - start) * 1000)
            await asyncio.sleep(0.5)
    return times


async def one_round(
    address: str, pages: list[PageClient], number: int, rated: tuple[PageClient, str]
) -> dict[str, Any]:
    """All persons send at once, a quarter of a second apart, so that there is an order of arrival."""
    start = time.perf_counter()
    stop = asyncio.Event()
    watching = asyncio.ensure_future(watch(address, rated, stop))
    turns: list[asyncio.Future[dict[str, Any]]] = []
    for index, page in enumerate(pages):
        text = f"I keep thinking about my friend Word{index:02d}x and our argument, part {number}."
        turns.append(asyncio.ensure_future(one_turn(page, text, start)))
        await asyncio.sleep(ARRIVAL_S)
    results = await asyncio.gather(*turns)
    stop.set()
    times = await watching
    finished = [result["done"] for result in results]
    return {
        "answered": sum(result["outcome"] == "done" for result in results),
        "in_order_of_arrival": finished == sorted(finished),
        "first_sign_ms": _spread([result["first_s"] * 1000 for result in results]),
        "page_ms": _spread(times["page"]),
        "thumb_ms": _spread(times["thumb"]),
        "total_s": round(max(finished), 1),
    }


async def mixed(pages: list[PageClient]) -> int:
    """Conversations in which a word of somebody else stands."""
    wrong = 0
    for index, page in enumerate(pages):
        answer = str(await page.call("open", conversation=page.conversation))
        others = (f"Word{other:02d}x" for other in range(len(pages)) if other != index)
        wrong += f"Word{index:02d}x" not in answer or any(word in answer for word in others)
    return wrong


async def main(persons: int, rounds: int) -> dict[str, Any]:
    """Run all rounds and print each."""
    report: dict[str, Any] = {"persons": persons, "rounds": []}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        app = stack.enter_context(running_app(folder))
        address, process = app.address, psutil.Process(app.pid)
        warm = await stack.enter_async_context(open_page(address))
        first = await one_turn(warm, "Hello, I had a long day.", time.perf_counter())
        if first["reply"] is None:
            raise SystemExit(f"the first turn failed: {first}")
        pages = [await stack.enter_async_context(open_page(address)) for _ in range(persons)]
        report["memory_before_mib"] = _memory(process)
        for number in range(1, rounds + 1):
            row = await one_round(address, pages, number, (warm, first["reply"]))
            row["memory_mib"] = _memory(process)
            report["rounds"].append(row)
            print(row, flush=True)
        report["mixed_conversations"] = await mixed(pages)
    print("mixed conversations:", report["mixed_conversations"])
    return report


def _memory(process: psutil.Process) -> int:
    return round(process.memory_info().rss / 2**20)


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)], 1),
        "max": round(ordered[-1], 1),
        "count": len(ordered),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--persons", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the results to this file")
    given = parser.parse_args()
    found = asyncio.run(main(given.persons, given.rounds))
    if given.json:
        write_results(
            given.json, found, provenance(seed=None, data="messages written in evals/load_sessions.py")
        )
