"""Rows of a made-up service for measurements at scale: the same seed gives the same rows.

The shares are guesses at a running service, the texts a few sentences over and over; nothing of it
was written by anybody.
"""

import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from models.tactics import Tactic

Row = dict[str, Any]
Batch = dict[str, list[Row]]

_MODELS = ("MINT-4B", "MindChat-R0", "SmolLM2-135M-Instruct")
_SAID = (
    "Work has been too much and I sleep badly.",
    "My sister moved away and the evenings are long.",
    "I had an argument with my friend and keep thinking about it.",
    "最近压力很大，晚上总是睡不着。",
)
_REPLIED = (
    "That sounds exhausting. What weighs on you most when you lie awake?",
    "I hear how much you miss your walks with her. You two had something of your own.",
    "It makes sense that it stays with you; you care about that friendship.",
    "听起来你已经撑了很久，愿意说说最难的是哪一部分吗？",
)
_CATEGORIES = ("suicide", "self_harm", "abuse", "eating_disorder", "substance", "gambling", "third_party")
_REASONS = (
    "over_validation", "generic", "premature_advice", "tone_mismatch", "delayed_crisis_response",
    "unsafe", "other",
)  # fmt: skip
_MEASURES = ("empathy.validating_emotions", "support.fluency_comfort", "tactic.advice")
_ERRORS = ("timeout", "busy", "unreachable", "engine_dead", "stopped")
_BLOCKED = ("empty", "toxicity:insult", "reply_check:diagnosis", "reply_check:holds_back")
_TWICE = 0.2
"""Share of the replies rated by staff that two of them rate, as the setting is at first."""
_OUTCOMES = ("true_alarm", "false_alarm", "escalated")


@dataclass
class _Made:
    """What is under way: rows of the batch, and the random choices."""

    chance: random.Random
    begin: datetime
    span_s: float
    staff: list[str]
    candidates: int
    rows: Batch = field(default_factory=dict[str, list[Row]])

    def id(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def add(self, table: str, row: Row) -> None:
        self.rows.setdefault(table, []).append(row)

    def happens(self, share: float) -> bool:
        return self.chance.random() < share


def batches(
    messages: int, seed: int, until: datetime, *, days: int = 365, candidates: int = 4, size: int = 500
) -> Iterator[Batch]:
    """Rows by table, tables in an order that foreign keys allow, a batch of conversations at a time.

    Args:
        messages: How many messages in all, about.
        seed: Of every random choice.
        until: End of the time in which it all happened.
        days: Length of that time.
        candidates: Sampled replies for each turn.
        size: Conversations in a batch.
    """
    chance = random.Random(seed)  # noqa: S311
    made = _Made(chance, until - timedelta(days=days), days * 86400.0, [], candidates)
    for number in range(20):
        made.staff.append(made.id())
        made.add("staff", _staff(made, number))
    written, persons, conversations = 0, list[Row](), 0
    while written < messages:
        at = made.begin + timedelta(seconds=made.span_s * min(written / messages, 0.999))
        if not persons or made.happens(0.4):
            persons.append(_person(made, at))
        written += _conversation(made, chance.choice(persons[-2000:]), at, messages - written)
        conversations += 1
        if conversations % size == 0:
            yield made.rows
            made.rows = {}
    yield made.rows


def _staff(made: _Made, number: int) -> Row:
    return {
        "id": made.staff[-1], "username": f"made-up-{number}", "password_hash": None,
        "role": "admin" if number < 5 else "annotator", "created_at": made.begin, "disabled_at": None,
        "failed_logins": 0, "locked_until": None, "session_epoch": 0,
    }  # fmt: skip


def _person(made: _Made, at: datetime) -> Row:
    row: Row = {
        "id": made.id(), "locale": made.chance.choices(("en", "zh"), (7, 3))[0], "country": "US",
        "timezone": "UTC", "consent": made.happens(0.55), "consent_at": at, "created_at": at,
        "last_seen_at": at,
    }  # fmt: skip
    made.add("persons", row)
    return row


def _conversation(made: _Made, person: Row, at: datetime, left: int) -> int:
    """A conversation with all that belongs to it; returns how many messages it has."""
    turns = min(max(1, round(made.chance.gammavariate(2.0, 5.0))), max(left // 2, 1))
    session: Row = {
        "id": made.id(), "person_id": person["id"], "locale": person["locale"],
        "model": made.chance.choices(_MODELS, (6, 3, 1))[0], "title": "A talk", "created_at": at,
        "last_activity_at": at + timedelta(minutes=2 * turns), "last_seq": 2 * turns, "notice_at": at,
        "risk_level": 0, "risk_category": "none", "risk_score": 0.0, "risk_calm_turns": 0,
        "risk_stressor": False,
    }  # fmt: skip
    made.add("sessions", session)
    in_crisis = made.chance.randrange(turns) if made.happens(0.05) else -1
    for turn in range(turns):
        _turn(made, session, turn, at + timedelta(minutes=2 * turn), turn == in_crisis)
    return 2 * turns


def _turn(made: _Made, session: Row, turn: int, at: datetime, crisis: bool) -> None:
    failed = made.happens(0.01)
    said = _message(session, made, 2 * turn + 1, "user", made.chance.choice(_SAID), at)
    said["status"], said["error"] = ("failed", made.chance.choice(_ERRORS)) if failed else ("answered", None)
    made.add("messages", said)
    level = made.chance.choices((2, 3), (3, 1))[0] if crisis else int(made.happens(0.08))
    category = made.chance.choice(_CATEGORIES) if level else "none"
    _assessment(made, said, level, category)
    if crisis:
        _flag(made, said, level, category)
    if failed:
        return
    reply = _message(session, made, 2 * turn + 2, "assistant", made.chance.choice(_REPLIED), at)
    source = made.chance.choices(("model", "written", "fallback"), (97, 2, 1))[0]
    reply |= {
        "status": "fallback" if source == "fallback" else "complete", "source": source,
        "model": session["model"] if source == "model" else None, "reply_to": said["id"],
        "created_at": at + timedelta(seconds=5), "status_at": at + timedelta(seconds=5),
    }  # fmt: skip
    made.add("messages", reply)
    if source == "model":
        ids = _candidates(made, said, reply)
        _opinions(made, session, said, reply, ids)


def _message(session: Row, made: _Made, seq: int, role: str, text: str, at: datetime) -> Row:
    return {
        "id": made.id(), "session_id": session["id"], "seq": seq, "role": role, "text": text,
        "status": "", "status_at": at, "error": None, "source": None, "model": None, "reply_to": None,
        "client_key": None, "created_at": at, "superseded_at": None,
    }  # fmt: skip


def _candidates(made: _Made, said: Row, reply: Row) -> list[str]:
    ids: list[str] = []
    latency = made.chance.lognormvariate(0.6, 0.5)
    texts = [reply["text"], *(text for text in _REPLIED if text != reply["text"])]
    for position in range(made.candidates):
        tactics = made.chance.sample(list(Tactic), 2)
        ids.append(made.id())
        blocked = made.chance.choice(_BLOCKED) if position and made.happens(0.02) else None
        made.add("candidates", {
            "id": ids[-1], "session_id": said["session_id"], "user_message_id": said["id"],
            "reply_message_id": reply["id"], "position": position, "text": texts[position % len(texts)],
            "chosen": position == 0, "reasoning": None, "finish_reason": "stop", "prompt_tokens": 400,
            "completion_tokens": 40, "latency_s": latency,
            "tactic_counts": {tactic.value: 1 for tactic in tactics}, "sentence_tactics": [],
            "quality": made.chance.uniform(2.5, 4.9), "novelty": made.chance.random(), "similarity": 0.3,
            "score": made.chance.random(), "rank": position, "penalties": [], "blocked": blocked,
            "explanation": {}, "created_at": reply["created_at"],
        })  # fmt: skip
    return ids


def _assessment(made: _Made, said: Row, level: int, category: str) -> None:
    made.add("risk_assessments", {
        "id": made.id(), "message_id": said["id"], "session_id": said["session_id"], "level": level,
        "category": category, "layer": "rules", "matches": [],
        "failed_layers": ["classifier"] if made.happens(0.001) else [], "session_level": level,
        "session_category": category, "session_score": float(level), "session_calm_turns": 0,
        "session_stressor": False, "created_at": said["created_at"],
    })  # fmt: skip


def _flag(made: _Made, said: Row, level: int, category: str) -> None:
    at: datetime = said["created_at"]
    reviewer = made.chance.choice(made.staff[:5])
    closed = at + timedelta(minutes=made.chance.lognormvariate(4, 1.2)) if made.happens(0.95) else None
    flag: Row = {
        "id": made.id(), "session_id": said["session_id"], "message_id": said["id"], "level": level,
        "category": category, "status": "closed" if closed else "open",
        "outcome": made.chance.choice(_OUTCOMES) if closed else None, "assigned_to": reviewer, "hits": 1,
        "version": 2, "opened_at": at, "raised_at": at, "closed_at": closed,
        "closed_by": reviewer if closed else None,
    }  # fmt: skip
    made.add("flags", flag)
    made.add("referrals", {
        "id": made.id(), "session_id": said["session_id"], "message_id": said["id"], "country": "US",
        "level": level, "category": category, "line_names": ["988 Lifeline"], "created_at": at,
    })  # fmt: skip
    made.add("flag_notes", {
        "id": made.id(), "flag_id": flag["id"], "author_id": reviewer, "text": "Looked at it.",
        "created_at": at,
    })  # fmt: skip
    opened = at + timedelta(minutes=made.chance.lognormvariate(2, 1))
    _audit(made, opened, reviewer, "transcript.opened", "session", said["session_id"])
    _audit(made, opened + timedelta(minutes=1), reviewer, "flag.assigned", "flag", flag["id"])
    if closed:
        _audit(made, closed, reviewer, "flag.decided", "flag", flag["id"])


def _audit(made: _Made, at: datetime, actor: str, action: str, kind: str, key: str) -> None:
    made.add("audit_log", {
        "id": made.id(), "at": at, "actor": actor, "action": action, "object_type": kind, "object_id": key,
        "detail": {},
    })  # fmt: skip


def _opinions(made: _Made, session: Row, said: Row, reply: Row, candidates: list[str]) -> None:
    at: datetime = reply["created_at"] + timedelta(minutes=1)
    place: Row = {"session_id": session["id"], "created_at": at, "updated_at": at}
    if made.happens(0.08):
        _rating(made, place, reply, f"person:{session['person_id']}")
    if not made.happens(0.02):
        return
    one, other = made.chance.sample(made.staff[5:], 2)
    for number in [one, other] if made.happens(_TWICE) else [one]:
        rater = f"staff:{number}"
        _rating(made, place, reply, rater)
        for measure in _MEASURES:
            value = made.chance.randint(0, 1) if measure.startswith("tactic") else made.chance.randint(1, 5)
            made.add("scores", {
                "id": made.id(), "message_id": reply["id"], "rater": rater, "measure": measure,
                "value": value, **place,
            })  # fmt: skip
    if made.happens(0.3):
        ranking, rater = made.id(), f"staff:{one}"
        made.add("rankings", {"id": ranking, "user_message_id": said["id"], "rater": rater, **place})
        for number, candidate in enumerate(candidates, start=1):
            made.add("ranking_places", {"ranking_id": ranking, "candidate_id": candidate, "place": number})


def _rating(made: _Made, place: Row, reply: Row, rater: str) -> None:
    value = made.chance.choices((1, -1), (3, 1))[0]
    reasons = [made.chance.choice(_REASONS)] if value < 0 else []
    made.add("feedback", {
        "id": made.id(), "message_id": reply["id"], "rater": rater, "value": value, "reasons": reasons,
        "comment": None, **place,
    })  # fmt: skip
