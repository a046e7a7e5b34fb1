"""The OpenID Connect provider as a site that a browser visits: people choose who they are, or turn back."""

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tests.fakes.oidc_provider import Provider, httpx

People = Mapping[str, dict[str, Any]]
"""Claims by name; each needs a ``sub`` of its own."""


def provider_site(provider: Provider, people: People) -> FastAPI:
    """Discovery, keys and tokens of ``provider`` over HTTP, and the page on which somebody signs in.

    Args:
        provider: Its ``issuer`` must be the address of this site.
        people: Who has a login there.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)

    @app.get("/authorize")
    async def choose(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        hidden = "".join(
            f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
            for name, value in request.query_params.items()
        )
        buttons = "".join(f'<button name="who" value="{who}">{who}</button>' for who in people)
        return HTMLResponse(
            f'<title>Provider</title><h1>Who are you?</h1><form action="/chosen">{hidden}{buttons}'
            '<button name="who" value="">Turn back</button></form>'
        )

    @app.get("/chosen")
    async def chosen(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = request.query_params
        if not asked["who"]:
            error = urlencode({"error": "access_denied", "state": asked["state"]})
            return RedirectResponse(f"{asked['redirect_uri']}?{error}", 303)
        return RedirectResponse(provider.sign_in(str(request.url), people[asked["who"]]), 303)

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    async def other(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        sent = httpx.Request(
            request.method, str(request.url), headers=request.headers.raw, content=await request.body()
        )
        answer = await provider.handle_async_request(sent)
        return Response(answer.content, answer.status_code, {"content-type": "application/json"})

    return app
