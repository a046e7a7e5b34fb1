"""Liveness, readiness and metrics for operators and load balancers."""

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Literal

from fastapi import APIRouter, HTTPException, Request, Response

from app.metrics import Metrics

PartState = Literal["ok", "degraded", "missing"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the application as readiness sees it.

    Attributes:
        name: What it is, for example ``chat model``.
        state: ``ok``, ``degraded`` (works with less) or ``missing``.
        detail: One sentence for an operator; never message text or a secret.
        needed: Whether persons can't be served without it.
    """

    name: str
    state: PartState
    detail: str
    needed: bool


Probe = Callable[[], Awaitable[list[Part]]]


def health_router(probe: Probe, metrics: Metrics, metrics_token: str | None) -> APIRouter:
    """Routes ``/healthz``, ``/readyz`` and ``/metrics``."""
    router = APIRouter()

    @router.head("/healthz")
    @router.get("/healthz")
    async def healthz() -> dict[str, str]:  # pyright: ignore[reportUnusedFunction]
        """Whether the process answers at all."""
        return {"status": "alive"}

    @router.head("/readyz")
    @router.get("/readyz")
    async def readyz(response: Response) -> dict[str, object]:  # pyright: ignore[reportUnusedFunction]
        """Each part by name; 503 while a needed one is missing."""
        parts = await probe()
        ready = all(part.state != "missing" for part in parts if part.needed)
        response.status_code = 200 if ready else 503
        return {"ready": ready, "parts": [asdict(part) for part in parts]}

    @router.get("/metrics")
    async def prometheus(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        """Counters in Prometheus form, for a token or for loopback only."""
        if not _may_read_metrics(request, metrics_token):
            raise HTTPException(403, "Metrics need the token of HEARKEN_SERVER__METRICS_TOKEN.")
        return Response(metrics.render(), media_type="text/plain; version=0.0.4")

    return router


def _may_read_metrics(request: Request, token: str | None) -> bool:
    if token is not None:
        given = request.headers.get("authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    # Behind a proxy every client looks like loopback: a forwarded request is never local.
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return not forwarded and request.client is not None and request.client.host in ("127.0.0.1", "::1")
