"""Each series of the insights page as a CSV for admins, masked like the page."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Response

from app.api.export_lines import harmless
from app.auth.roles import Admin
from app.db.audit import AuditRepository, Detail
from app.db.insights_flags import FlagInsights
from app.db.insights_read import Choice, InsightsRepository
from app.db.insights_records import MEASURED, Cell, Figure, counted
from app.insights import latency_s, mean, stickiness
from safety.levels import RiskLevel

ADDRESS = "/api/staff/insights/{name}.csv"
RESPONSES = "responses"
_Rows = Iterable[Sequence[object]]


def insights_report_router(
    figures: InsightsRepository,
    flags: FlagInsights,
    audit: AuditRepository,
    allowed: Mapping[RiskLevel, timedelta],
) -> APIRouter:
    """The route; each download is in the audit log."""
    router = APIRouter()

    @router.get(ADDRESS)
    async def report(  # pyright: ignore[reportUnusedFunction]
        staff: Admin,
        name: str,
        days: Annotated[int | None, Query(ge=1, le=36500)] = None,
        model: Annotated[str | None, Query(max_length=200)] = None,
        language: Annotated[str | None, Query(max_length=16)] = None,
    ) -> Response:
        """One series: every base cell (see docs/operators.md), or the response times by level and step."""
        choice = Choice(days, model or None, language or None)
        if name == RESPONSES:
            head, rows = (
                _responses(),
                [
                    (
                        one.level.label,
                        one.step.value,
                        one.flags,
                        one.done,
                        one.in_time,
                        one.late,
                        _number(one.median_s),
                        _number(one.slow_s),
                    )
                    for one in await flags.response_times(choice, allowed)
                ],
            )
        elif name in set(Figure):
            figure = Figure(name)
            head, rows = _series(figure, await figures.base_cells(choice, figure), figures.least_shown)
        else:
            raise HTTPException(404, "There is no such series.")
        detail: Detail = {"series": name, "days": days, "rows": len(rows)}
        await audit.record(staff.id, "insights.exported", "report", None, detail)
        return Response(
            _csv([head, *rows]),
            media_type="text/csv; charset=utf-8",
            headers={
                "content-disposition": f'attachment; filename="hearken-{name}-{days or "all"}.csv"',
                "cache-control": "no-store",
            },
        )

    return router


def _responses() -> Sequence[object]:
    return ("level", "step", "flags", "done", "in_time", "late", "median_seconds", "p95_seconds")


def _series(
    figure: Figure, cells: Sequence[Cell], least: int
) -> tuple[Sequence[object], list[Sequence[object]]]:
    if figure in MEASURED:
        return _measures(figure, cells, least)
    head = ("begin", "kind", "model", "language", "count", "at_least", "at_most")
    return head, [
        (one.bin, one.part, one.model, one.language, counted(one, least), one.at_least(), one.at_most(least))
        for one in cells
    ]


def _measures(
    figure: Figure, cells: Sequence[Cell], least: int
) -> tuple[Sequence[object], list[Sequence[object]]]:
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.bin, cell.model, cell.language), []).append(cell)
    names = ("median_seconds", "p95_seconds") if figure is Figure.LATENCY else (figure.value,)
    head = ("begin", "model", "language", *names, "masked")
    return head, [
        (*place, *_values(figure, found), f"<{least}" if any(cell.masked for cell in found) else "")
        for place, found in groups.items()
    ]


def _values(figure: Figure, cells: list[Cell]) -> list[str]:
    if figure is Figure.LATENCY:
        return [_number(latency_s(cells, 0.5)), _number(latency_s(cells, 0.95))]
    return [_number(mean(cells) if figure is Figure.QUALITY else stickiness(cells))]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def _csv(rows: _Rows) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(
        [[harmless(value) if isinstance(value, str) else value for value in row] for row in rows]
    )
    return out.getvalue()
