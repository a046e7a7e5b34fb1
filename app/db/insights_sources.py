"""What happened in a stretch of time, as events of each figure; no message text is among the columns.

An event has a part, a model, a language and, where the figure needs one, a value.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, String, and_, case, cast, func, literal, select, true

from app.db.insights_records import LATENCY_BOUNDS_S, Figure
from app.db.message_rows import is_active
from app.db.records import MessageRole
from app.db.repository import AnySelect
from app.db.review_tables import FeedbackRow
from app.db.tables import CandidateRow, MessageRow, RiskAssessmentRow, SessionRow
from safety.levels import RiskLevel

_LONGEST_PART = 60
_OF_STAFF = FeedbackRow.rater.like("staff:%")
_OF_SESSION = MessageRow.session_id == SessionRow.id
_WHOLE = literal("")


def events(begin: datetime, end: datetime, dialect: str) -> dict[Figure, AnySelect]:
    """A question for each figure but stickiness (see ``insights_stickiness``).

    Args:
        begin: First moment, UTC.
        end: The moment after the last.
        dialect: ``sqlite`` or ``postgresql``: they unpack JSON lists in different words.
    """

    def when(column: Any) -> ColumnElement[bool]:
        return and_(column >= begin, column < end)

    return {
        Figure.CONVERSATIONS: _event(_WHOLE, SessionRow.model).where(when(SessionRow.created_at)),
        Figure.PERSONS: _persons().where(when(MessageRow.created_at)),
        Figure.REPLIES: _replies().where(when(MessageRow.created_at)),
        Figure.ERRORS: _errors().where(when(MessageRow.created_at)),
        Figure.QUALITY: _quality().where(when(CandidateRow.created_at)),
        Figure.LATENCY: _latency().where(when(CandidateRow.created_at)),
        Figure.BLOCKED: _blocked().where(when(CandidateRow.created_at)),
        Figure.THUMBS: _thumbs().where(when(FeedbackRow.created_at)),
        Figure.REASONS: _reasons(dialect).where(when(FeedbackRow.created_at)),
        Figure.RISK: _risk().where(when(RiskAssessmentRow.created_at)),
        Figure.LAYERS: _layers(dialect).where(when(RiskAssessmentRow.created_at)),
    }


def model_of_reply() -> ColumnElement[str]:
    """The checkpoint that wrote a reply; the conversation's where no model wrote it."""
    return func.coalesce(MessageRow.model, SessionRow.model)


def _event(part: Any, model: Any, value: Any = None) -> AnySelect:
    given = [] if value is None else [value.label("value")]
    language = SessionRow.locale.label("language")
    return select(part.label("part"), model.label("model"), language, *given).select_from(SessionRow)


def _persons() -> AnySelect:
    wrote = and_(_OF_SESSION, MessageRow.role == MessageRole.USER)
    return _event(_WHOLE, SessionRow.model, SessionRow.person_id).join(MessageRow, wrote)


def _replies() -> AnySelect:
    shown = and_(_OF_SESSION, MessageRow.role == MessageRole.ASSISTANT, is_active())
    return _event(cast(MessageRow.source, String), model_of_reply()).join(MessageRow, shown)


def _errors() -> AnySelect:
    failed = and_(_OF_SESSION, MessageRow.error.is_not(None))
    return _event(MessageRow.error, model_of_reply()).join(MessageRow, failed)


def _of_candidates(part: Any, value: Any = None) -> AnySelect:
    return (
        _event(part, model_of_reply(), value)
        .join(CandidateRow, CandidateRow.session_id == SessionRow.id)
        .outerjoin(MessageRow, MessageRow.id == CandidateRow.reply_message_id)
    )


def _quality() -> AnySelect:
    known = CandidateRow.quality.is_not(None)
    return _of_candidates(_WHOLE, CandidateRow.quality).where(CandidateRow.chosen, known)


def _latency() -> AnySelect:
    """One value a shown reply: its candidates came from one request and share its time."""
    waited = CandidateRow.latency_s
    bounds = ((waited <= bound, f"{index:02d}") for index, bound in enumerate(LATENCY_BOUNDS_S))
    bucket = case(*bounds, else_=f"{len(LATENCY_BOUNDS_S):02d}")
    return _of_candidates(bucket).where(CandidateRow.chosen, waited.is_not(None))


def _blocked() -> AnySelect:
    reason = func.substr(CandidateRow.blocked, 1, _LONGEST_PART)
    return _of_candidates(reason).where(CandidateRow.blocked.is_not(None))


def _of_ratings(part: Any) -> AnySelect:
    return (
        _event(part, model_of_reply())
        .join(FeedbackRow, FeedbackRow.session_id == SessionRow.id)
        .join(MessageRow, MessageRow.id == FeedbackRow.message_id)
    )


def _thumbs() -> AnySelect:
    up = FeedbackRow.value > 0
    part = case(
        (and_(_OF_STAFF, up), "staff.up"), (_OF_STAFF, "staff.down"), (up, "person.up"), else_="person.down"
    )
    return _of_ratings(part)


def _reasons(dialect: str) -> AnySelect:
    reason = _items(FeedbackRow.reasons, dialect)
    part = case((_OF_STAFF, "staff."), else_="person.").concat(cast(reason.c.value, String))
    return _of_ratings(func.substr(part, 1, _LONGEST_PART)).join(reason, true())


def _of_verdicts(part: Any) -> AnySelect:
    verdict = RiskAssessmentRow.session_id == SessionRow.id
    return _event(part, SessionRow.model).join(RiskAssessmentRow, verdict)


def _risk() -> AnySelect:
    row = RiskAssessmentRow
    level = case(*((row.level == one, f"{one.label}.") for one in RiskLevel), else_="")
    return _of_verdicts(level.concat(cast(row.category, String))).where(row.level > RiskLevel.NONE)


def _layers(dialect: str) -> AnySelect:
    layer = _items(RiskAssessmentRow.failed_layers, dialect)
    return _of_verdicts(func.substr(cast(layer.c.value, String), 1, _LONGEST_PART)).join(layer, true())


def _items(column: Any, dialect: str) -> Any:
    """The items of a JSON list as rows of one column, ``value``."""
    unpack = func.jsonb_array_elements_text if dialect == "postgresql" else func.json_each
    return unpack(column).table_valued("value")
