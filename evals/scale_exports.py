"""Downloads the exports as a browser would, over a large database: first byte, whole stream, memory."""

import asyncio
import gc
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI
from sqlalchemy import select

from app.api.exports import ADDRESS, export_kinds, export_router
from app.api.verdict_export import ADDRESS as VERDICTS
from app.api.verdict_export import verdict_export_router
from app.db.audit import AuditRepository
from app.db.engine import SessionFactory
from app.db.preference_exports import PreferenceExportRepository
from app.db.rating_exports import RatingExportRepository
from app.db.records import Staff, StaffRole
from app.db.staff import StaffRepository
from app.db.staff_tables import StaffRow
from app.db.verdicts import VerdictRepository

REASON = "Measuring the exports at scale"
_MB = 1024 * 1024


@dataclass
class _Download:
    """What came of one answer, and when; nothing of it is kept."""

    status: int = 0
    bytes: int = 0
    lines: int = 0
    first_ms: float = 0.0
    whole_s: float = 0.0
    grown: int = 0


async def downloads(factory: SessionFactory) -> dict[str, dict[str, Any]]:
    """Each export of all time, without and with what needs a reason.

    Args:
        factory: Of a filled database; the audit log gets its lines as ever.

    Returns:
        By name: ``first_ms`` until the first byte of the file, ``whole_s`` until its last one, ``lines``,
        ``mb``, and ``grown_mb``: the most memory that the process had beyond what it had at the start.

    Raises:
        RuntimeError: An export was refused.
    """
    app = await _application(factory)
    reason = {"reason": REASON}
    everything = {**reason, "crisis": "true", "unconsented": "true"}
    names = export_kinds(RatingExportRepository(factory), PreferenceExportRepository(factory))
    asked: dict[str, tuple[str, str, dict[str, str]]] = {}
    for name in names:
        asked[name] = ("POST", f"{ADDRESS}/{name}", {})
        asked[f"{name}, everything"] = ("POST", f"{ADDRESS}/{name}", everything)
    for kind in ("jsonl", "csv"):
        asked[f"verdicts.{kind}"] = ("POST", f"{VERDICTS}.{kind}", {**reason, "unconsented": "true"})
    return {name: await _measured(app, *how) for name, how in asked.items()}


async def _measured(app: FastAPI, method: str, path: str, fields: Mapping[str, str]) -> dict[str, Any]:
    gc.collect()
    found = await _download(app, method, path, fields)
    if found.status != 200:
        raise RuntimeError(f"{path}: {found.status}")
    return {
        "first_ms": round(found.first_ms, 1),
        "whole_s": round(found.whole_s, 2),
        "lines": found.lines,
        "mb": round(found.bytes / _MB, 2),
        "grown_mb": round(found.grown / _MB, 1),
    }


async def _download(app: FastAPI, method: str, path: str, fields: Mapping[str, str]) -> _Download:
    sent = urlencode(fields).encode()
    form = method == "POST"
    scope: dict[str, Any] = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"" if form else sent, "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")],
        "client": ("127.0.0.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    found, held, start = _Download(), _resident(), time.perf_counter()
    request: list[dict[str, Any]] = [
        {"type": "http.request", "body": sent if form else b"", "more_body": False}
    ]

    async def receive() -> dict[str, Any]:
        if not request:
            await asyncio.Event().wait()  # the browser stays until the end
        return request.pop()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            found.status = message["status"]
            return
        body: bytes = message.get("body", b"")
        if body and not found.bytes:
            found.first_ms = (time.perf_counter() - start) * 1000
        found.bytes += len(body)
        found.grown = max(found.grown, _resident() - held)
        found.lines += body.count(b"\n")

    await app(scope, receive, send)  # pyright: ignore[reportArgumentType]
    found.whole_s = time.perf_counter() - start
    return found


def _resident() -> int:
    """Bytes of memory that the process has now (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def _application(factory: SessionFactory) -> FastAPI:
    staff, audit = StaffRepository(factory), AuditRepository(factory)
    async with factory() as db:
        query = select(StaffRow.id).where(StaffRow.role == StaffRole.ADMIN).limit(1)
        admin = await staff.get((await db.execute(query)).scalar_one())
    if admin is None:
        raise RuntimeError("the database has no admin")
    app = FastAPI(openapi_url=None)
    app.state.staff_gate = _Admitted(admin)
    kinds = export_kinds(RatingExportRepository(factory), PreferenceExportRepository(factory))
    app.include_router(export_router(kinds, audit))
    app.include_router(verdict_export_router(VerdictRepository(factory), audit))
    return app


@dataclass(frozen=True)
class _Admitted:
    """A gate that takes everybody for one account: signing in is not what is measured."""

    staff: Staff

    async def require(self, *_: Any, **__: Any) -> Staff:
        """The account."""
        return self.staff
