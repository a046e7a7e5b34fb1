"""A TCP server that treats each connection as a test wrote down: for faults that a real server rarely has."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

Behaviour = Literal[
    "drop", "silence", "answer", "break in stream", "end in stream", "empty stream", "stream", "body"
]

_MODELS = {"object": "list", "data": [{"id": "m", "object": "model", "created": 0, "owned_by": "test"}]}


@dataclass
class FlakyServer:
    """Where it listens, and what it was asked for."""

    url: str
    script: list[Behaviour]
    body: tuple[str, str] = ("", "application/json")
    models: str = json.dumps(_MODELS)
    asked: list[str] = field(default_factory=list)
    open: set["asyncio.Task[None]"] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Treat one connection; only chat completions follow the script."""
        own = asyncio.current_task()
        assert own is not None
        self.open.add(own)
        try:
            path = await _read_request(reader)
            if not path:
                return
            if path.endswith("/models"):
                writer.write(_response(self.models, "application/json"))
            elif not path.endswith("/chat/completions"):
                writer.write(_response("", "text/plain"))
            else:
                self.asked.append(path)
                await self._behave(self.script.pop(0) if self.script else "answer", writer)
            await writer.drain()
        finally:
            writer.close()
            self.open.discard(own)

    async def _behave(self, behaviour: Behaviour, writer: asyncio.StreamWriter) -> None:
        if behaviour == "silence":
            await asyncio.Event().wait()
        elif behaviour == "answer":
            writer.write(_response(json.dumps(_answer()), "application/json"))
        elif behaviour == "body":
            writer.write(_response(*self.body))
        elif behaviour == "stream":
            writer.write(_response(_chunk("Hello.", None) + _chunk("", "stop"), "text/event-stream"))
        elif behaviour == "break in stream":
            # More is announced than comes.
            writer.write(_response(_chunk("Hel", None), "text/event-stream", missing=100))
        elif behaviour == "end in stream":
            # The connection ends in order, the reply does not.
            writer.write(_response(_chunk("Hel", None), "text/event-stream"))
        elif behaviour == "empty stream":
            writer.write(_response("", "text/event-stream"))


@asynccontextmanager
async def flaky_server(script: Sequence[Behaviour]) -> AsyncIterator[FlakyServer]:
    """Listen on a free port of this machine."""
    flaky = FlakyServer("", list(script))
    server = await asyncio.start_server(flaky.serve, "127.0.0.1", 0)
    flaky.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield flaky
    finally:
        server.close()
        left = list(flaky.open)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _read_request(reader: asyncio.StreamReader) -> str:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return ""
    length = [line.split(":")[1] for line in head.lower().split("\r\n") if line.startswith("content-length")]
    await reader.readexactly(int(length[0]) if length else 0)
    return head.split(" ")[1]


def _response(body: str, kind: str, missing: int = 0) -> bytes:
    data = body.encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(data) + missing}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + data


def _answer() -> dict[str, object]:
    message = {"role": "assistant", "content": "Hello."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def _chunk(text: str, reason: str | None) -> str:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"
