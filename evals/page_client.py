"""A person's page without a browser: the same requests, cookie and event stream that a page has."""

import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx


class PageClient:
    """One open page of one person; make it with :func:`open_page`."""

    def __init__(self, http: httpx.AsyncClient, component: int, turn: int) -> None:
        self._http = http
        self._component = component
        self._turn = turn
        self._tab = uuid.uuid4().hex[:11]
        self.conversation: str | None = None

    async def call(self, name: str, **data: Any) -> dict[str, Any]:
        """One of the page's calls, such as ``rate`` or ``open``."""
        answer = await self._http.post(
            "/gradio_api/component_server",
            json={
                "data": {"locale": "en", "conversation": self.conversation, **data},
                "component_id": self._component,
                "fn_name": name,
                "session_hash": self._tab,
            },
        )
        answer.raise_for_status()
        return answer.json()

    async def take_turn(self, text: str) -> AsyncIterator[dict[str, Any]]:
        """Send a message and yield the views that come back, to the end of the turn."""
        joined = await self._http.post(
            "/gradio_api/queue/join",
            json={
                "data": [],
                "event_data": {
                    "action": "send",
                    "text": text,
                    "key": uuid.uuid4().hex,
                    "locale": "en",
                    "conversation": self.conversation,
                },
                "fn_index": self._turn,
                "session_hash": self._tab,
                "trigger_id": self._component,
            },
        )
        joined.raise_for_status()
        address = f"/gradio_api/queue/data?session_hash={self._tab}"
        value: dict[str, Any] = {}
        async with self._http.stream("GET", address) as stream:
            async for line in stream.aiter_lines():
                if not line.startswith("data:"):
                    continue
                message = json.loads(line[5:])
                if message["msg"] in ("process_generating", "process_completed"):
                    value = _newest(value, message)
                    if value.get("conversation"):
                        self.conversation = value["conversation"]
                    yield value
                if message["msg"] in ("process_completed", "close_stream"):
                    return


@asynccontextmanager
async def open_page(address: str) -> AsyncGenerator[PageClient]:
    """Load the page as a new browser does."""
    async with httpx.AsyncClient(base_url=address, timeout=600, trust_env=False) as http:
        page = await http.get("/", headers={"accept": "text/html"})
        page.raise_for_status()
        marker = "window.gradio_config = "
        config, _ = json.JSONDecoder().raw_decode(page.text[page.text.index(marker) + len(marker) :])
        turn = next(dep for dep in config["dependencies"] if any(t[1] == "turn" for t in dep["targets"]))
        yield PageClient(http, turn["targets"][0][0], turn["id"])


def _newest(before: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The view in a message; Gradio sends differences after the first."""
    output: dict[str, Any] = message.get("output") or {}
    data: list[Any] = output.get("data") or []
    first: Any = data[0] if data else None
    if isinstance(first, list):
        return _patched(before, cast("list[Any]", first))
    if not isinstance(first, dict):
        return before
    found = cast("dict[str, Any]", first)
    return found["value"] if "__type__" in found and "value" in found else found


def _patched(value: Any, steps: list[Any]) -> Any:
    """Apply Gradio's list of (action, path, value) to a copy of ``value``."""
    result: Any = json.loads(json.dumps(value))
    for action, path, new in steps:
        if not path:
            result = result + new if action == "append" else new
            continue
        holder = result
        for key in path[:-1]:
            holder = holder[key]
        last = path[-1]
        if action == "delete":
            del holder[last]
        elif action == "append":
            holder[last] = holder[last] + new
        elif action == "add" and isinstance(holder, list):
            cast("list[Any]", holder).insert(last, new)
        else:
            holder[last] = new
    return result
