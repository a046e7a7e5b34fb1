"""Results of the blind rankings as a CSV for admins: numbers by model and by choice, no text."""

import csv
import io
from collections.abc import Iterable

from fastapi import APIRouter, Response

from app.api.export_lines import harmless
from app.auth.roles import Admin
from app.db.audit import AuditRepository, Detail
from app.db.ranking_outcomes import RankingOutcomes
from app.ranking_table import Interval, SettingRow, by_choice, by_model

ADDRESS = "/api/staff/rankings.csv"
_FIGURES = ("win_rate", "top_two_rate", "mean_rank")
_COLUMNS = (
    "by",
    "setting",
    "rankings",
    "candidates",
    "win_by_chance",
    *(f"{name}{end}" for name in _FIGURES for end in ("", "_low", "_high")),
)


def ranking_report_router(outcomes: RankingOutcomes, audit: AuditRepository) -> APIRouter:
    """The route; each download is in the audit log."""
    router = APIRouter()

    @router.get(ADDRESS)
    async def report(staff: Admin) -> Response:  # pyright: ignore[reportUnusedFunction]
        """Win rate, top-2 rate and mean rank with 95 % intervals."""
        rows = await outcomes.latest()
        tables = {"model": by_model(rows), "choice": by_choice(rows, "chosen", "others")}
        detail: Detail = {"candidates": len(rows), "rows": sum(map(len, tables.values()))}
        await audit.record(staff.id, "rankings.exported", "report", None, detail)
        text = _csv(tables.items())
        return Response(
            text,
            media_type="text/csv; charset=utf-8",
            headers={
                "content-disposition": 'attachment; filename="hearken-rankings.csv"',
                "cache-control": "no-store",
            },
        )

    return router


def _csv(tables: Iterable[tuple[str, list[SettingRow]]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for kind, table in tables:
        for row in table:
            figures = [number for one in (row.win, row.top_two, row.mean_rank) for number in _numbers(one)]
            writer.writerow(
                (kind, harmless(row.setting), row.rankings, row.candidates, f"{row.by_chance:.4f}", *figures)
            )
    return out.getvalue()


def _numbers(value: Interval) -> tuple[str, str, str]:
    return f"{value.mean:.4f}", f"{value.low:.4f}", f"{value.high:.4f}"
