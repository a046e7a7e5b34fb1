"""Signs that a reply advises before it has shown that anything was understood."""

import re
from collections.abc import Sequence

from models.exchange import Exchange
from models.read_text import ReadText, read_text
from models.tactics import Tactic
from models.word_lists import list_counts

UNDERSTANDING = frozenset({Tactic.VALIDATION, Tactic.PARAPHRASING, Tactic.EMOTIONAL_EXPRESSION})
"""Moves that show a person was heard."""
ASKED_FOR = 0.5
"""What advice counts that the person asked for."""

_CLAUSE = re.compile(r"[.!?;:,]\s+|\band\b|[。！？；，、：]")


def advice_signs(exchange: Exchange) -> dict[str, float]:
    """What of a reply speaks for advice too early, each about 0–1.

    Args:
        exchange: The reply and what it answers.
    """
    reply, asked = exchange.reply, exchange.said.message.count("asked")
    counts = ASKED_FOR if asked else 1.0
    orders, advising = counts * _orders(reply), counts * reply.rate("advising")
    opening = read_text(exchange.sentences[0] if exchange.sentences else "")
    unfelt = float(not opening.count("feeling_with"))
    return {
        "orders": min(orders, 5) / 5.0,
        "advising": advising,
        "starts": counts * float(bool(exchange.tactics) and Tactic.ADVICE in exchange.tactics[0]),
        "starts_with_order": counts * float(_orders(opening) > 0),
        "share": counts * exchange.share(Tactic.ADVICE),
        "unheard": float(not _before_advice(exchange.tactics)),
        "unfelt": unfelt,
        "unfelt_advice": unfelt * min(orders / 3.0 + advising, 1.0),
        "no_understanding": 1.0 - exchange.share(*UNDERSTANDING),
        "far_at_first": 1.0 - float(exchange.nearness()[0]),
    }


def _before_advice(tactics: Sequence[frozenset[Tactic]]) -> bool:
    """Whether anything was understood in or before the first sentence with advice."""
    for one in tactics:
        if one & UNDERSTANDING:
            return True
        if Tactic.ADVICE in one:
            return False
    return False


def _orders(reply: ReadText) -> int:
    """Clauses that open with an order."""
    clauses = [clause.strip() for clause in _CLAUSE.split(reply.text)]
    heads = (clause[:3] if reply.chinese else clause.split(" ")[0] for clause in clauses if clause)
    return sum("orders" in list_counts(head, chinese=reply.chinese) for head in heads)
