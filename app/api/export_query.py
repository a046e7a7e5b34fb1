"""What an admin can ask of an export, checked at the edge."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.api.stated_reason import MIN_WORDS, tells_why
from app.db.audit import Detail
from app.db.export_records import ExportFilter

MIN_REASON = 20
MAX_REASON = 200
"""Characters of a reason; the audit log takes no longer value."""


def filled(value: object) -> object:
    """``None`` for a field of a form that was left empty."""
    return None if isinstance(value, str) and not value.strip() else value


Day = Annotated[
    Annotated[date, Field(ge=date(2000, 1, 1), le=date(2999, 12, 31))] | None, BeforeValidator(filled)
]
Name = Annotated[Annotated[str, Field(max_length=MAX_REASON)] | None, BeforeValidator(filled)]
Language = Annotated[Annotated[str, Field(max_length=16)] | None, BeforeValidator(filled)]


class ExportQuery(BaseModel):
    """Filters that need no reason: what they let through is consented and free of crises.

    Attributes:
        since: First day (UTC) on which a judgement was given or last changed.
        until: Last such day.
        model: Exact name of the model.
        language: Of the conversation's page.
        raters: ``staff`` leaves out persons' own thumbs.
        bom: Begin a CSV with a byte order mark, for Excel.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: Day = None
    until: Day = None
    model: Name = None
    language: Language = None
    raters: Literal["all", "staff"] = "all"
    bom: bool = False

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise ValueError("the period ends before it begins")
        return self

    def filter(self) -> ExportFilter:
        """The same for the store."""
        return ExportFilter(
            since=None if self.since is None else _midnight(self.since),
            until=None if self.until is None else _midnight(self.until + timedelta(days=1)),
            model=self.model,
            language=self.language,
            staff_only=self.raters == "staff",
        )

    def audited(self) -> Detail:
        """The same for the audit log."""
        return {
            "since": None if self.since is None else self.since.isoformat(),
            "until": None if self.until is None else self.until.isoformat(),
            "model": self.model,
            "language": self.language,
            "raters": self.raters,
        }


class ExportForm(ExportQuery):
    """Filters that may also ask for what is otherwise left out, with a reason.

    Only a form can: a reason in an address would end up in the logs of proxies.

    Attributes:
        crisis: Conversations in which a crisis was noticed, too.
        unconsented: Conversations of persons who did not agree to research, too.
        reason: Why; kept in the audit log.
    """

    crisis: bool = False
    unconsented: bool = False
    reason: Name = None

    @model_validator(mode="after")
    def _with_reason(self) -> Self:
        if (self.crisis or self.unconsented) and not tells_why(self.reason or "", MIN_REASON):
            raise ValueError(
                f"this needs a reason of {MIN_REASON} characters or more, in {MIN_WORDS} different words"
            )
        return self

    def filter(self) -> ExportFilter:
        """The same for the store."""
        asked = super().filter()
        return ExportFilter(
            asked.since,
            asked.until,
            asked.model,
            asked.language,
            asked.staff_only,
            self.crisis,
            self.unconsented,
        )

    def audited(self) -> Detail:
        """The same for the audit log; the reason only where one was needed."""
        needed = self.crisis or self.unconsented
        return {
            **super().audited(),
            "crisis": self.crisis,
            "unconsented": self.unconsented,
            "reason": self.reason if needed else None,
        }


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
