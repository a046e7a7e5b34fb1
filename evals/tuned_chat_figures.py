"""Figures of drawn replies and of rolled-out conversations, by a scorer that no training used."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

from evals.live_figures import difference, stickiness_of
from models.chat_model import ChatMessage
from models.scorer import ReplyScorer
from models.sentences import split_sentences
from models.specifics import missed, specifics
from models.training.contradiction import contradicts
from models.training.metrics import mean_of
from models.training.reward_guards import repeated_share
from models.wording import opening

Row = dict[str, Any]
"""A turn: numbers and names of tactics, no text but the opening; sentences by a hash."""
OPENINGS_ALIKE = 0.4
"""Share of a conversation's replies that begin alike from which it has fallen into a template."""


def rows_of(turns: Sequence[Mapping[str, Any]], scorer: ReplyScorer, together: bool) -> list[Row]:
    """Measure turns.

    Args:
        turns: As drawn.
        scorer: Predicts Q and tags tactics.
        together: Whether they are one conversation, so that each is compared with those before.
    """
    rows: list[Row] = []
    earlier: list[str] = []
    for turn in turns:
        said, reply = str(turn["said"]), str(turn["reply"])
        found = scorer.features([ChatMessage("user", said)], [reply], earlier)[0]
        rows.append(
            {
                "quality": round(found.quality, 4),
                "tactics": sorted(str(tactic) for tactic, count in found.counts.items() if count),
                "log_likelihood": round(float(turn["log_likelihood"]), 4),
                "words": len(reply.split()),
                "specific": 1.0 - missed(specifics(said), reply) if specifics(said) else None,
                "contradicts": contradicts(said, reply),
                "repeated": round(repeated_share(reply), 4),
                "repeated_opening": found.repeated_opening,
                "similarity": round(found.similarity, 4),
                "opening": opening(reply),
                "sentences": [crc32(one.lower().encode()) for one in split_sentences(reply)],
                "cut": bool(turn["cut"]),
                "fallback": bool(turn["fallback"]),
            }
        )
        if together:
            earlier.append(reply)
    return rows


def figures(rows: Sequence[Row]) -> dict[str, float | int]:
    """Means over replies, each on its own.

    Returns:
        Q of 1–5; coherence in nats a token; tactics and words a reply; ``specific`` the share of what was
        told that is taken up, over messages that tell something; other values are shares of the replies.
    """
    openings = Counter(row["opening"] for row in rows if row["opening"])
    return {
        "replies": len(rows),
        "quality": _mean(row["quality"] for row in rows),
        "coherence": _mean(row["log_likelihood"] for row in rows),
        "specific": _mean(row["specific"] for row in rows if row["specific"] is not None),
        "tactics": _mean(len(row["tactics"]) for row in rows),
        "words": _mean(row["words"] for row in rows),
        "contradicting": _mean(row["contradicts"] for row in rows),
        "repeated_ngrams": _mean(row["repeated"] for row in rows),
        "stock_sentences": _stock(rows),
        "commonest_opening": round(max(openings.values(), default=0) / max(len(rows), 1), 4),
        "cut": _mean(row["cut"] for row in rows),
        "fallback": _mean(row["fallback"] for row in rows),
    }


def conversation_figures(conversations: Sequence[Sequence[Row]]) -> dict[str, float | int]:
    """What only whole conversations show, besides the means over their replies.

    Returns:
        Own-turn stickiness; distinct tactics a conversation; shares of later replies that open like an
        earlier one; and of conversations with two in five replies (or more) of one opening.
    """
    later = [row for rows in conversations for row in rows[1:]]
    return {
        "conversations": len(conversations),
        "stickiness": round(stickiness_of(conversations), 4),
        "distinct_tactics": _mean(len({t for row in rows for t in row["tactics"]}) for rows in conversations),
        "repeated_openings": _mean(row["repeated_opening"] for row in later),
        "wording": _mean(row["similarity"] for row in later),
        "templates": _mean(falls_into_template(rows) for rows in conversations),
        **figures([row for rows in conversations for row in rows]),
    }


def falls_into_template(rows: Sequence[Row]) -> bool:
    """Whether at least two, and two in five, replies of a conversation begin with the same three words."""
    most = max(Counter(row["opening"] for row in rows if row["opening"]).values(), default=0)
    return most >= 2 and most / len(rows) >= OPENINGS_ALIKE


def compared(
    after: Sequence[Sequence[Row]], before: Sequence[Sequence[Row]], seed: int
) -> dict[str, dict[str, Any]]:
    """Q and stickiness of the same conversations, after minus before, with 95 % intervals (bootstrap)."""

    def named(conversations: Sequence[Sequence[Row]]) -> dict[str, Sequence[Row]]:
        return {str(number): rows for number, rows in enumerate(conversations)}

    return difference(named(after), named(before), seed)


def _stock(rows: Sequence[Row]) -> float:
    """Mean over sentences of the share of the other replies that say the same one."""
    said = Counter(one for row in rows for one in set(row["sentences"]))
    return _mean((said[one] - 1) / max(len(rows) - 1, 1) for row in rows for one in row["sentences"])


def _mean(values: Any) -> float:
    found = [float(value) for value in values]
    return round(mean_of(found), 4) if found else float("nan")
