"""The count of referrals for the yearly report: a CSV for admins that points to nobody."""

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BeforeValidator, Field

from app.api.export_query import filled
from app.auth.roles import Admin
from app.db.audit import AuditRepository, Detail
from app.db.records import ReferralCount
from app.db.referrals import ReferralRepository

ADDRESS = "/api/staff/referrals.csv"
FIRST_YEAR, LAST_YEAR = 2000, 9999
Year = Annotated[Annotated[int, Field(ge=FIRST_YEAR, le=LAST_YEAR)] | None, BeforeValidator(filled), Query()]
"""Empty is every year, as the form of the exports page sends it."""
_COLUMNS = ("month", "country", "level", "category", "referrals")


def referral_report_router(referrals: ReferralRepository, audit: AuditRepository) -> APIRouter:
    """The route; each download is in the audit log."""
    router = APIRouter()

    @router.get(ADDRESS)
    async def report(  # pyright: ignore[reportUnusedFunction]
        staff: Admin, year: Year = None
    ) -> Response:
        """Referrals by month (UTC), country, level and category, of one year or of all."""
        counts = [row for row in await referrals.count_by_month() if year in (None, int(row.month[:4]))]
        detail: Detail = {"year": year, "rows": len(counts)}
        await audit.record(staff.id, "referrals.exported", "report", None, detail)
        name = f"hearken-referrals-{year or 'all'}.csv"
        return Response(
            _csv(counts),
            media_type="text/csv; charset=utf-8",
            headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
        )

    return router


def _csv(counts: list[ReferralCount]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for row in counts:
        writer.writerow((row.month, row.country or "", row.level.label, row.category.value, row.count))
    return out.getvalue()
