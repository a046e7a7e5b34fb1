"""A person's own data over HTTP: download it, delete it. The cookie decides whose it is."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.responses import StreamingResponse

from app.api.readable_data import Conversations, Memory, readable
from app.auth.person_cookie import PersonCookie


class PersonData(Conversations, Protocol):
    """See ``app.chat.session.ConversationService``."""

    def export(self, person_id: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Everything that is stored, row by row, with the name of its table."""
        ...

    async def delete_all(self, person_id: str) -> None:
        """Delete everything."""
        ...


def person_data_router(conversations: PersonData, cookie: PersonCookie, memory: Memory) -> APIRouter:
    """Routes below ``/api/me``; nothing that they send is kept on the server."""
    router = APIRouter(prefix="/api/me")

    def current_person(request: Request) -> str:
        person_id = cookie.read(request.cookies)
        if person_id is None:
            raise HTTPException(401, "This browser has no conversations here.")
        return person_id

    @router.get("/export")
    async def export(person_id: Annotated[str, Depends(current_person)]) -> Response:  # pyright: ignore[reportUnusedFunction]
        """Everything stored about this person, as JSON: tables by name, each a list of rows."""
        rows = conversations.export(person_id)
        return await _download(_as_json(rows), "application/json", "hearken-my-data.json")

    @router.get("/conversations.html")
    async def conversations_to_read(  # pyright: ignore[reportUnusedFunction]
        person_id: Annotated[str, Depends(current_person)],
    ) -> Response:
        """All conversations, as a page to keep and read."""
        pages = readable(conversations, memory, person_id)
        return await _download(pages, "text/html; charset=utf-8", "hearken-my-conversations.html")

    @router.delete("")
    async def delete(  # pyright: ignore[reportUnusedFunction]
        person_id: Annotated[str, Depends(current_person)], x_requested_with: Annotated[str, Header()]
    ) -> Response:
        """Delete everything; the custom header keeps other sites from asking for it."""
        del x_requested_with
        await conversations.delete_all(person_id)
        return Response(status_code=204)

    return router


async def _download(parts: AsyncGenerator[str], media_type: str, name: str) -> Response:
    """A file that is sent while it is made; what fails at its beginning is an error, not half a file."""
    first = await anext(parts)

    async def all_parts() -> AsyncGenerator[str]:
        yield first
        async for part in parts:
            yield part

    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return StreamingResponse(all_parts(), media_type=media_type, headers=headers)


async def _as_json(rows: AsyncIterator[tuple[str, dict[str, Any]]]) -> AsyncGenerator[str]:
    table: str | None = None
    async for name, row in rows:
        begin = "{" if table is None else "\n],"
        opened = f'{begin}\n"{name}": [\n' if name != table else ",\n"
        table = name
        yield opened + json.dumps(row, ensure_ascii=False)
    yield "{}\n" if table is None else "\n]\n}\n"
