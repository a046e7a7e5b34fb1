"""False alarms and misses, to improve rules from: JSONL that ``python -m evals.crisis`` reads, or CSV."""

import csv
import io
import json
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Form, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.api.counted_download import CountedDownload, Piece, audited_end
from app.api.export_lines import harmless
from app.api.export_query import MAX_REASON
from app.api.staff_login import must_be_from_here
from app.api.stated_reason import MIN_WORDS, tells_why
from app.auth.roles import Admin
from app.db.audit import AuditRepository, Detail
from app.db.verdicts import Verdict, VerdictRepository

ADDRESS = "/api/staff/verdicts"
_TYPES = {"jsonl": "application/x-ndjson; charset=utf-8", "csv": "text/csv; charset=utf-8"}
MIN_REASON = 10
"""Readable characters of a reason."""
KINDS = ("jsonl", "csv")
_COLUMNS = (
    "id",
    "lang",
    "text",
    "label",
    "category",
    "outcome",
    "given",
    "layer",
    "rules",
    "consent",
    "found_at",
)


class VerdictForm(BaseModel):
    """What an admin asks for; only by a form, because a reason in an address ends up in the logs of proxies.

    Attributes:
        reason: Why; kept in the audit log.
        unconsented: Messages of persons who did not agree to research, too.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: Annotated[str, Field(max_length=MAX_REASON)]
    unconsented: bool = False

    @model_validator(mode="after")
    def _with_reason(self) -> Self:
        if not tells_why(self.reason, MIN_REASON):
            raise ValueError(
                f"state a reason of {MIN_REASON} characters or more, in {MIN_WORDS} different words"
            )
        return self


def verdict_export_router(verdicts: VerdictRepository, audit: AuditRepository) -> APIRouter:
    """The route; the audit log has each download and its reason before the first line, then its rows."""
    router = APIRouter()

    @router.post(ADDRESS + ".{kind}")
    async def export(  # pyright: ignore[reportUnusedFunction]
        staff: Admin, request: Request, kind: Literal["jsonl", "csv"], asked: Annotated[VerdictForm, Form()]
    ) -> StreamingResponse:
        """What reviewers found wrong; without ``unconsented`` only of persons who agreed to research."""
        must_be_from_here(request)
        detail: Detail = {"kind": kind, "reason": asked.reason, "unconsented": asked.unconsented}
        await audit.record(staff.id, "verdicts.exported", "report", None, detail)
        found = verdicts.all(consented_only=not asked.unconsented)
        return CountedDownload(
            _jsonl(found) if kind == "jsonl" else _csv(found),
            _TYPES[kind],
            audited_end(audit, staff.id, f"verdicts.{kind}"),
            {
                "content-disposition": f'attachment; filename="hearken-verdicts.{kind}"',
                "cache-control": "no-store",
            },
        )

    return router


def _row(verdict: Verdict) -> dict[str, Any]:
    values = (
        verdict.id,
        verdict.lang,
        verdict.text,
        verdict.truth.label,
        verdict.category.value,
        verdict.outcome,
        None if verdict.given is None else verdict.given.label,
        verdict.layer,
        list(verdict.rules),
        verdict.consent,
        verdict.at.isoformat(),
    )
    return dict(zip(_COLUMNS, values, strict=True))


async def _jsonl(found: AsyncGenerator[Verdict]) -> AsyncGenerator[Piece]:
    async for verdict in found:
        yield 1, json.dumps(_row(verdict), ensure_ascii=False) + "\n"


async def _csv(found: AsyncGenerator[Verdict]) -> AsyncGenerator[Piece]:
    yield 0, _line(_COLUMNS)
    async for verdict in found:
        row = _row(verdict) | {"rules": " ".join(verdict.rules)}
        yield 1, _line([harmless(value) if isinstance(value, str) else value for value in row.values()])


def _line(values: Any) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(values)
    return out.getvalue()
