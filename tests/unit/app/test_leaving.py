"""The end of the server: turns first, then streams, and nothing of the inside on the way."""

import asyncio

from starlette.types import Message, Receive, Scope, Send

from app.leaving import Leaving, LeavingMiddleware


class Turns:
    """Turns that end by themselves or only when they are interrupted."""

    def __init__(self, *, endless: bool) -> None:
        self.done: list[str] = []
        self._endless = endless

    async def finished(self) -> None:
        if self._endless:
            await asyncio.Event().wait()
        self.done.append("finished")

    async def interrupt(self) -> None:
        self.done.append("interrupted")


async def endless(_scope: Scope, _receive: Receive, send: Send) -> None:
    """A stream as Gradio makes them: it tells its own cancellation."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"begun", "more_body": True})
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError as error:
        await send({"type": "http.response.body", "body": f"inside: {error!r}".encode(), "more_body": True})
        raise


async def receive() -> Message:
    await asyncio.Event().wait()
    return {"type": "http.disconnect"}


async def stream(leaving: Leaving, path: str) -> tuple["asyncio.Task[None]", list[Message]]:
    """A stream that has begun, and what it has sent."""
    sent: list[Message] = []
    begun = asyncio.Event()

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            begun.set()

    app = LeavingMiddleware(endless, leaving=leaving)
    task = asyncio.ensure_future(app({"type": "http", "path": path}, receive, send))
    await begun.wait()
    return task, sent


async def test_streams_end_after_the_turns_and_say_nothing_of_it() -> None:
    turns = Turns(endless=True)
    leaving = Leaving(turns, grace_s=0, telling_s=0)
    beats = await stream(leaving, "/gradio_api/heartbeat/x")
    events = await stream(leaving, "/review/gradio_api/queue/data")
    await leaving.leave()
    assert turns.done == ["interrupted"]
    for task, sent in (beats, events):
        await task
        assert [message.get("body") for message in sent] == [None, b"begun", b""]
        assert sent[-1]["more_body"] is False


async def test_a_turn_that_ends_in_time_is_waited_for() -> None:
    turns = Turns(endless=False)
    await Leaving(turns, grace_s=3600, telling_s=0).leave()
    assert turns.done == ["finished", "interrupted"]


async def test_what_is_no_stream_goes_on() -> None:
    leaving = Leaving(Turns(endless=False), grace_s=0, telling_s=0)
    task, sent = await stream(leaving, "/api/me/export")
    await leaving.leave()
    assert not task.done()
    assert len(sent) == 2
    task.cancel()


async def test_a_stream_whose_reader_is_gone_is_cancelled() -> None:
    task, _ = await stream(Leaving(Turns(endless=False)), "/gradio_api/queue/data")
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
