"""What encrypted text costs: the same SQL of a conversation with and without a key, on SQLite.

    python -m evals.encryption_cost --json evals/results/encryption_cost.json

A turn stores a message and a reply with eight candidates; the page then reads the whole conversation.
Medians over rounds that alternate, so that other work on the machine meets both alike.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from app.db.cipher import TextCipher, new_key
from app.db.engine import create_engine, session_factory
from app.db.messages import MessageRepository
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource
from app.db.sessions import SessionRepository
from evals.provenance import provenance, write_results

_REPLY = "That sounds like a lot to carry at once. What was the hardest part of this week for you? " * 4
_CANDIDATES = 8
_READS = 20


async def one_round(folder: Path, cipher: TextCipher, turns: int) -> tuple[float, float, int]:
    """Milliseconds for storing a turn and for reading the conversation, and bytes of the file."""
    file = folder / f"{time.monotonic_ns()}.sqlite3"
    await asyncio.to_thread(upgrade, f"sqlite:///{file}")
    engine = create_engine(f"sqlite:///{file}", cipher=cipher)
    try:
        factory = session_factory(engine)
        messages = MessageRepository(factory)
        person = await PersonRepository(factory).create()
        session = await SessionRepository(factory).create(person.id, "en", "a-model")
        reply = NewReply(_REPLY, MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")
        rows = [NewCandidate(position=place, text=_REPLY, chosen=not place) for place in range(_CANDIDATES)]
        began = time.perf_counter()
        for number in range(turns):
            message = await messages.add_user(session.id, f"{number} {_REPLY}")
            await messages.reply_with_candidates(session.id, message.id, reply, rows)
        stored = time.perf_counter()
        for _ in range(_READS):
            await messages.history(session.id)
        read = time.perf_counter()
    finally:
        await engine.dispose()
    return (stored - began) / turns * 1000, (read - stored) / _READS * 1000, file.stat().st_size


async def measure(turns: int, rounds: int) -> dict[str, Any]:
    """All figures, plain and encrypted, and their ratios."""
    ciphers = {"plain": TextCipher(), "encrypted": TextCipher([new_key()])}
    found: dict[str, list[tuple[float, float, int]]] = {name: [] for name in ciphers}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, cipher in ciphers.items():
                found[name].append(await one_round(Path(folder), cipher, turns))
    names = ("store_a_turn_ms", "read_the_conversation_ms", "file_bytes")
    figures: dict[str, dict[str, float]] = {
        kind: {name: statistics.median(one[place] for one in found[kind]) for place, name in enumerate(names)}
        for kind in found
    }
    ratios = {name: figures["encrypted"][name] / figures["plain"][name] for name in names}
    return {"turns": turns, "rounds": rounds, **figures, "ratio": ratios}


def main() -> None:
    """Run from a command line."""
    parser = argparse.ArgumentParser(description="What encrypted text costs.")
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for the figures")
    given = parser.parse_args()
    figures = asyncio.run(measure(given.turns, given.rounds))
    for kind in ("plain", "encrypted", "ratio"):
        print(kind, {name: round(value, 2) for name, value in figures[kind].items()})
    if given.json:
        write_results(given.json, figures, provenance(seed=None, data="one reply, repeated"))


if __name__ == "__main__":
    main()
