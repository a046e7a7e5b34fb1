"""Signs that a reply advises before it has shown that anything was understood."""

import re
from collections.abc import Sequence

from models.exchange import Exchange, sentences_worth
from models.sentences import is_chinese
from models.tactics import Tactic
from models.word_lists import hits

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
    reply = exchange.reply
    counts = ASKED_FOR if hits("asked", exchange.said.message) else 1.0
    orders = counts * _orders(reply)
    advising = counts * hits("advising", reply) / sentences_worth(reply)
    before = _before_advice(exchange.tactics)
    felt = hits("feeling_with", _opening(exchange.sentences))
    return {
        "orders": min(orders, 5) / 5.0,
        "advising": min(advising, 2.0) / 2.0,
        "starts": counts * float(bool(exchange.tactics) and Tactic.ADVICE in exchange.tactics[0]),
        "starts_with_order": counts * float(_orders(_opening(exchange.sentences)) > 0),
        "share": counts * exchange.share(Tactic.ADVICE),
        "unheard": float(not before),
        "unfelt": float(not felt),
        "unfelt_advice": float(not felt) * min(orders / 3.0 + advising / 2.0, 1.0),
        "no_understanding": 1.0 - exchange.share(*UNDERSTANDING),
        "far_at_first": 1.0 - float(exchange.nearness()[0]),
    }


def _opening(sentences: Sequence[str]) -> str:
    return sentences[0] if sentences else ""


def _before_advice(tactics: Sequence[frozenset[Tactic]]) -> bool:
    """Whether anything was understood in or before the first sentence with advice."""
    for one in tactics:
        if one & UNDERSTANDING:
            return True
        if Tactic.ADVICE in one:
            return False
    return False


def _orders(text: str) -> int:
    """Clauses that open with an order."""
    clauses = [clause.strip() for clause in _CLAUSE.split(text)]
    size = 3 if is_chinese(text) else 1
    heads = (clause[:size] if size == 3 else clause.split(" ")[0] for clause in clauses if clause)
    return sum(hits("orders", head) > 0 for head in heads)
