"""A server of the OpenAI protocol that answers by a rule: what a judge would say, or what goes wrong."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from models.judged_text import CLOSE, OPEN


@dataclass(frozen=True)
class Says:
    """One answer.

    Attributes:
        content: Text of the message.
        status: HTTP status; the text is an error's when it is not 200.
        finish: Why the answer ended.
        refusal: What a server says when it refuses.
        silent: No answer comes until the server ends.
        raw: Body to send instead of everything else.
        several: Texts of the candidates, where more than one was asked for.
    """

    content: str | None = ""
    status: int = 200
    finish: str = "stop"
    refusal: str | None = None
    silent: bool = False
    raw: str | None = None
    several: Sequence[str] = ()


Rule = Callable[[dict[str, Any]], Says]


@dataclass
class JudgeWorld:
    """Where the server listens, what it was asked, with which keys, and how much of it at once."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    most_at_once: int = 0
    open_now: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    ends: threading.Event = field(default_factory=threading.Event)


def subject_of(asked: dict[str, Any]) -> Any:
    """The data of a question as a reader of JSON understands it."""
    text = asked["messages"][1]["content"]
    assert text.startswith(OPEN)
    assert text.endswith(CLOSE)
    return json.loads(text[len(OPEN) : -len(CLOSE)])


def grades(asked: dict[str, Any], grade: int) -> Says:
    """The same grade for every item that is asked for."""
    names = asked["response_format"]["json_schema"]["schema"]["required"]
    return Says(json.dumps(dict.fromkeys(names, grade)))


def form_of(asked: dict[str, Any]) -> str:
    """Name of the form of answer that is asked for; empty for a chat."""
    return asked.get("response_format", {}).get("json_schema", {}).get("name", "")


@contextmanager
def judge_server(
    rule: Rule, *, work_s: float = 0.0, models: Sequence[str] = ("judge-1",)
) -> Iterator[JudgeWorld]:
    """Listen on a free port of this machine.

    Args:
        rule: From a request to its answer.
        work_s: How long each answer takes, so that questions overlap.
        models: What it says it serves.
    """
    world = JudgeWorld()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served = [{"id": name, "object": "model", "max_model_len": 8192} for name in models]
            self._send(json.dumps({"object": "list", "data": served}), 200)

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with world.lock:
                world.asked.append(asked)
                world.keys.add(self.headers["authorization"])
                world.open_now += 1
                world.most_at_once = max(world.most_at_once, world.open_now)
            time.sleep(work_s)
            says = rule(asked)
            if says.silent:
                world.ends.wait(60)
            with world.lock:
                world.open_now -= 1
            self._send(_body(says, int(asked.get("n") or 1)), says.status)

        def _send(self, body: str, status: int) -> None:
            data = body.encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                return  # whoever asked has hung up

        def log_message(self, format: str, *args: Any) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    world.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield world
    finally:
        world.ends.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _body(says: Says, n: int) -> str:
    if says.raw is not None:
        return says.raw
    if says.status != 200:
        return json.dumps({"error": {"message": says.content or "no", "code": says.status}})
    texts = list(says.several) or [says.content] * n
    messages = [{"role": "assistant", "content": text, "refusal": says.refusal} for text in texts]
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "judge-1",
            "choices": [
                {"index": index, "message": message, "finish_reason": says.finish}
                for index, message in enumerate(messages)
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    )
