"""A download that is sent bit by bit and says in the end how many rows have left."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, cast

import anyio
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from app.db.audit import AuditRepository

Piece = tuple[int, str]
"""How many rows a piece of the file has, and its text."""
Ended = Callable[[int, bool], Awaitable[None]]
"""Told of the rows that left, and whether they were all."""


class CountedDownload(StreamingResponse):
    """Says how it ended, also when the browser goes away.

    Args:
        pieces: The file, piece by piece.
        media: Its media type.
        ended: Told when it is over.
        headers: Of the answer.
    """

    def __init__(
        self, pieces: AsyncIterator[Piece], media: str, ended: Ended, headers: dict[str, str]
    ) -> None:
        self._rows = 0
        self._complete = False
        self._ended = ended
        super().__init__(self._body(pieces), media_type=media, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send everything and note how far it came."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await cast(Any, self.body_iterator).aclose()
                await self._ended(self._rows, self._complete)

    async def _body(self, pieces: AsyncIterator[Piece]) -> AsyncGenerator[bytes]:
        async for rows, text in pieces:
            self._rows += rows
            yield text.encode()
        self._complete = True


def audited_end(audit: AuditRepository, staff_id: str, name: str) -> Ended:
    """The second line of a download in the audit log.

    Args:
        audit: The log.
        staff_id: Whose download it is.
        name: Of the file.
    """

    async def ended(rows: int, complete: bool) -> None:
        action = "export.finished" if complete else "export.broken_off"
        await audit.record(staff_id, action, "export", name, {"rows": rows})

    return ended
