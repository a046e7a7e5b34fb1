"""Exports for research over HTTP, for admins: streamed batch by batch, each one in the audit log."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import StreamingResponse

from app.agreement_report import agreement_report
from app.api.counted_download import CountedDownload, Piece, audited_end
from app.api.export_lines import (
    AGREEMENT_COLUMNS,
    BOM,
    DISAGREEMENT_COLUMNS,
    RANKING_COLUMNS,
    RATING_COLUMNS,
    agreement_cells,
    csv_lines,
    disagreement_cells,
    dpo_lines,
    kto_lines,
    ranking_cells,
    rating_cells,
)
from app.api.export_query import ExportForm, ExportQuery
from app.api.staff_login import must_be_from_here
from app.auth.roles import Admin
from app.db.audit import AuditRepository
from app.db.export_records import ExportFilter
from app.db.preference_exports import PreferenceExportRepository
from app.db.rating_exports import RatingExportRepository

ADDRESS = "/api/staff/export"
_DISPUTED = 500
"""Most rows of the list of disagreements."""

Written = Callable[[Sequence[Any]], str]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file.

    Attributes:
        media: Its media type.
        count: Number of rows it has now; ``None`` where only the finished file tells.
        batches: Its rows, some at a time.
        written: Rows as text.
        columns: Head of a CSV; none for JSON lines.
    """

    media: str
    count: Callable[[ExportFilter], Awaitable[int | None]]
    batches: Callable[[ExportFilter], AsyncIterator[Sequence[Any]]]
    written: Written
    columns: tuple[str, ...] = ()

    def head(self, bom: bool) -> str:
        """What comes before the first row."""
        return (BOM if bom else "") + csv_lines([self.columns]) if self.columns else ""


Kinds = dict[str, Kind]
"""Kinds by file name."""


def export_kinds(ratings: RatingExportRepository, preferences: PreferenceExportRepository) -> Kinds:
    """What can be exported: single judgements, examples for training, and agreement.

    Args:
        ratings: Judgements as they were given.
        preferences: Examples made of them.
    """

    async def agreed(asked: ExportFilter) -> AsyncIterator[Sequence[Any]]:
        yield (await agreement_report(ratings, asked)).measures

    async def disputed(asked: ExportFilter) -> AsyncIterator[Sequence[Any]]:
        yield (await agreement_report(ratings, asked, _DISPUTED)).disagreements

    text, lines = "text/csv; charset=utf-8", "application/jsonl; charset=utf-8"
    return {
        "ratings.csv": Kind(
            text,
            ratings.count_ratings,
            ratings.ratings,
            lambda rows: csv_lines(map(rating_cells, rows)),
            RATING_COLUMNS,
        ),
        "rankings.csv": Kind(
            text,
            ratings.count_rankings,
            ratings.rankings,
            lambda rows: csv_lines(map(ranking_cells, rows)),
            RANKING_COLUMNS,
        ),
        "kto.jsonl": Kind(lines, preferences.count_labelled, preferences.labelled, kto_lines),
        "dpo.jsonl": Kind(lines, preferences.count_pairs, preferences.pairs, dpo_lines),
        "agreement.csv": Kind(
            text,
            _unknown,
            agreed,
            lambda rows: csv_lines(map(agreement_cells, rows)),
            AGREEMENT_COLUMNS,
        ),
        "disagreements.csv": Kind(
            text,
            _unknown,
            disputed,
            lambda rows: csv_lines(map(disagreement_cells, rows)),
            DISAGREEMENT_COLUMNS,
        ),
    }


async def _unknown(_: ExportFilter) -> None:
    """These rows are sums: how many there are is known once all is read."""


def export_router(kinds: Kinds, audit: AuditRepository) -> APIRouter:
    """The routes: GET for what needs no reason, POST (the page's form) for everything.

    How many rows a file will have is asked apart from it: counting them all takes longer than reading the
    first ones, and the file should begin at once.
    """
    router = APIRouter()

    def known(name: str) -> Kind:
        kind = kinds.get(name)
        if kind is None:
            raise HTTPException(404, "There is no such export.")
        return kind

    async def answer(name: str, asked: ExportQuery, staff: Admin) -> StreamingResponse:
        kind = known(name)
        # Before the first row leaves: a file that nobody knows of must not exist.
        await audit.record(staff.id, "export.started", "export", name, asked.audited())
        headers = {
            "content-disposition": f'attachment; filename="hearken-{name}"',
            "cache-control": "no-store",
        }
        pieces = _pieces(kind, asked.filter(), asked.bom)
        return CountedDownload(pieces, kind.media, audited_end(audit, staff.id, name), headers)

    @router.get(f"{ADDRESS}/{{name}}")
    async def plain(  # pyright: ignore[reportUnusedFunction]
        name: str, staff: Admin, asked: Annotated[ExportQuery, Query()]
    ) -> StreamingResponse:
        """Consented judgements of conversations without a crisis."""
        return await answer(name, asked, staff)

    @router.post(f"{ADDRESS}/{{name}}")
    async def by_form(  # pyright: ignore[reportUnusedFunction]
        name: str, staff: Admin, request: Request, asked: Annotated[ExportForm, Form()]
    ) -> StreamingResponse:
        """The same and, with a reason, the rest."""
        must_be_from_here(request)
        return await answer(name, asked, staff)

    @router.post(f"{ADDRESS}/{{name}}/rows")
    async def rows(  # pyright: ignore[reportUnusedFunction]
        name: str, _: Admin, request: Request, asked: Annotated[ExportForm, Form()]
    ) -> dict[str, int | None]:
        """How many rows that file has now; ``null`` where only the finished file tells."""
        must_be_from_here(request)
        return {"rows": await known(name).count(asked.filter())}

    return router


async def _pieces(kind: Kind, asked: ExportFilter, bom: bool) -> AsyncIterator[Piece]:
    if head := kind.head(bom):
        yield 0, head
    async for batch in kind.batches(asked):
        yield len(batch), kind.written(batch)
