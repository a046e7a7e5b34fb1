"""What stands around Gradio, around applications that fail in each of the ways in turn."""

import pytest
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope, Send

from app.ui.quiet_errors import QuietErrors

TEXT = "what a person wrote"


async def messages_of(
    status: int, error: Exception | None, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> list[Message]:
    """What is sent when an application begins to answer (``status`` 0: does not) and then fails."""
    sent: list[Message] = []

    async def failing(_scope: Scope, _receive: Receive, send: Send) -> None:
        if status:
            await send({"type": "http.response.start", "status": status, "headers": list(headers)})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        if error is not None:
            raise error

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await QuietErrors(failing)({"type": "http", "method": "GET", "path": "/"}, receive, send)
    return sent


def late(status: int) -> RuntimeError:
    """How Starlette passes on a refusal that comes after the beginning of the answer."""
    error = RuntimeError("Caught handled exception, but response already started.")
    error.__cause__ = HTTPException(status)
    return error


async def test_a_refusal_on_the_way_ends_the_answer_and_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent = await messages_of(200, late(404))

    assert [not message.get("more_body", False) for message in sent[1:]] == [False, True]
    assert not caplog.records


async def test_an_answer_with_a_length_is_not_ended_short(caplog: pytest.LogCaptureFixture) -> None:
    sent = await messages_of(200, late(404), ((b"content-length", b"99"),))

    assert sent[-1]["more_body"] is True
    assert not caplog.records


@pytest.mark.parametrize("error", [late(503), ValueError(TEXT), KeyError(TEXT)])
async def test_a_failure_on_the_way_is_broken_off_with_one_line_without_text(
    caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    sent = await messages_of(200, error)

    assert sent[-1]["more_body"] is True
    assert len(caplog.records) == 1
    assert TEXT not in caplog.text


@pytest.mark.parametrize(("error", "status"), [(KeyError(TEXT), 404), (ValueError(TEXT), 500)])
async def test_a_failure_before_the_answer_gets_a_plain_one(error: Exception, status: int) -> None:
    sent = await messages_of(0, error)

    assert sent[0]["status"] == status
    assert TEXT.encode() not in sent[1]["body"]


async def test_a_stream_that_breaks_off_does_not_tell_why(caplog: pytest.LogCaptureFixture) -> None:
    sent: list[Message] = []
    inside = (
        'data: {"msg":"unexpected_error","message":"Cancelled by <Task at /srv/x.py>","success":false}\n\n'
    )
    said = 'data: {"msg":"process_completed","output":{"data":["unexpected_error"]}}\n\n'

    async def streaming(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for body in (said, inside):
            await send({"type": "http.response.body", "body": body.encode(), "more_body": True})

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await QuietErrors(streaming)({"type": "http", "method": "GET", "path": "/"}, receive, send)
    assert sent[1]["body"] == said.encode()
    assert b"/srv" not in sent[2]["body"]
    assert sent[2]["body"].startswith(b'data: {"msg":"unexpected_error","message":"lost"')
    assert not caplog.records
