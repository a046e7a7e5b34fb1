"""How the check for invented details does on pairs written for it, and beside a strict reader's verdicts.

The first half of the pairs was written before the check and it was built with them; the other half was
written when the check was finished and nothing was changed for it. The reader's verdicts are of replies that
nobody wrote for the check (``evals/results/embedded_model_read.json``); for which of them the reader's
reason names an invented or exchanged person or fact was noted from the reasons alone
(``evals/data/failures_invented/read_reasons.jsonl``), before the check was run on any.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.inventions import Invention, inventions, inventions_beside, read_told, told_in, value_of
from models.sentences import is_chinese
from models.training.failure_pairs import FailurePair, read_pairs
from models.training.mint_data import MintData
from models.training.sample_chat import read_contexts

INVENTED_FOLDER = Path("evals/data/failures_invented")
HALVES = ("built_with", "kept_apart")
REASONS = INVENTED_FOLDER / "read_reasons.jsonl"
READ_CONTEXTS = Path("evals/contexts/fresh.txt")
ADAPTERS = ("shipped", "before")
VERDICTS = ("fits", "partly", "misses")


@dataclass(frozen=True, slots=True)
class FoundInPair:
    """What is found in the two replies of a pair."""

    pair: FailurePair
    failed: Sequence[Invention]
    fine: Sequence[Invention]

    def values(self) -> tuple[float, float]:
        """Values of the failed and of the fine reply."""
        return value_of(self.failed), value_of(self.fine)


def found_in_pairs(half: str) -> list[FoundInPair]:
    """What the check finds in one of :data:`HALVES`."""
    found: list[FoundInPair] = []
    for pair in read_pairs(half, INVENTED_FOLDER):
        told = told_in(pair.turns)
        found.append(
            FoundInPair(
                pair, inventions(pair.failed, told, pair.lang), inventions(pair.fine, told, pair.lang)
            )
        )
    return found


def fired(found: Sequence[FoundInPair]) -> dict[str, float]:
    """Shares of failed and of fine replies in which anything is found."""
    return {
        "found_in_failed": round(sum(bool(one.failed) for one in found) / len(found), 4),
        "found_in_fine": round(sum(bool(one.fine) for one in found) / len(found), 4),
    }


def beside_the_reader(read: Path) -> dict[str, Any]:
    """How often the check fires by the reader's verdict and by whether the reason names an invention.

    Args:
        read: File with the verdicts on each reply.

    Returns:
        Replies and fires for each verdict, and every reply in which something was found, without its text.
    """
    named = {(row["adapter"], row["conversation"], row["turn"]) for row in _rows(REASONS)}
    results = json.loads(read.read_text("utf-8"))
    contexts = read_contexts(READ_CONTEXTS)
    counts: dict[str, dict[str, int]] = {}
    fires: list[dict[str, Any]] = []
    for adapter in ADAPTERS:
        for row in results[adapter]:
            said = _said(contexts, row["person"])
            reply = row["reply"]
            found = inventions(reply, said, "zh" if is_chinese(reply) else "en")
            is_named = (adapter, row["conversation"], row["turn"]) in named
            key = f"{row['verdict']}, {'invention' if is_named else 'no invention'} named"
            count = counts.setdefault(key, {"replies": 0, "fires": 0})
            count["replies"] += 1
            count["fires"] += bool(found)
            if found:
                fires.append(_fire(adapter, row, found, named=is_named))
    return {"by_verdict": dict(sorted(counts.items())), "fires": fires}


def on_released(data: MintData) -> dict[str, int]:
    """Released replies of all systems, and in how many of them anything is found.

    Args:
        data: The replies.
    """
    lives = {key: read_told(told_in(turns)) for key, turns in data.histories.items()}
    fires = sum(bool(inventions_beside(one.text, lives[one.context], "en")) for one in data.replies)
    return {"replies": len(data.replies), "fires": fires}


def _said(contexts: Sequence[Sequence[str]], message: str) -> Sequence[str]:
    """A message and what was said before it in its conversation."""
    for messages in contexts:
        if message in messages:
            return messages[: messages.index(message) + 1]
    return (message,)


def _fire(adapter: str, row: Mapping[str, Any], found: Sequence[Invention], *, named: bool) -> dict[str, Any]:
    return {
        "adapter": adapter,
        "conversation": row["conversation"],
        "turn": row["turn"],
        "verdict": row["verdict"],
        "invention_named": named,
        "found": [f"{one.reason}: {one.span}" for one in found],
    }


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
