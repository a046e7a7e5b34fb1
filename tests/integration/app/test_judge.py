"""The optional judge: a small real HTTP server speaks the OpenAI protocol."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from app.chat.crisis import CrisisDesk
from app.chat.events import Done, HelplineShown, ReplyText
from app.chat.second_opinion import SecondOpinion, raised
from app.chat.turn import TurnService
from app.db.crisis import CrisisRecorder
from app.metrics import Metrics
from models.judge_server import JudgeAnswerError
from models.risk_judge import RiskJudge
from safety.helplines import load_directory
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, SessionRisk
from safety.risk import load_assessor
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import World, a_world

CATEGORIES = [category.value for category in RiskCategory]


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer({"object": "list", "data": [{"id": "judge-1", "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        server: Any = self.server
        server.asked.append(asked)
        if server.delay_s:
            server.release.wait(server.delay_s)
        if server.status != 200:
            self._answer({"error": {"message": "no"}}, server.status)
            return
        message = {"role": "assistant", "content": server.content}
        self._answer(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "judge-1",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
        )

    def _answer(self, body: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        del format, args


@contextmanager
def _server(content: str = "", *, status: int = 200, delay_s: float = 0.0) -> Iterator[Any]:
    from threading import Event

    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.content, server.status, server.delay_s, server.asked = content, status, delay_s, []
    server.release = Event()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _judge(server: Any, timeout_s: float = 5.0) -> RiskJudge:
    return RiskJudge(f"http://127.0.0.1:{server.server_port}/v1", CATEGORIES, timeout_s=timeout_s)


def _opinion(level: str, category: str = "suicide") -> str:
    return json.dumps({"level": level, "category": category})


async def test_the_judge_asks_for_structured_output_and_reads_it() -> None:
    with _server(_opinion("moderate", "abuse")) as server:
        judge = _judge(server)
        opinion = await judge.judge("he checks my phone every night")
        await judge.close()
        asked = server.asked[0]
    assert (opinion.level, opinion.category) == ("moderate", "abuse")
    assert asked["response_format"]["json_schema"]["schema"]["properties"]["level"]["enum"][3] == "imminent"
    assert asked["model"] == "judge-1"
    assert asked["temperature"] == 0


@pytest.mark.parametrize(
    "content", ["", "fine", "[]", '{"level": "mild", "category": "suicide"}', '{"level": "low"}']
)
async def test_nonsense_is_no_opinion(content: str) -> None:
    with _server(content) as server:
        judge = _judge(server)
        with pytest.raises(JudgeAnswerError):
            await judge.judge("hello")
        await judge.close()


def _with_judge(world: World, judge: RiskJudge, timeout_s: float = 5.0) -> tuple[TurnService, SecondOpinion]:
    opinion = SecondOpinion(judge, world.metrics, timeout_s)
    desk = CrisisDesk(
        load_assessor(), load_directory(None), CrisisRecorder(world.factory), world.metrics, None, opinion
    )
    return TurnService(world.stores, desk, world.turns._maker, world.metrics, 4000, reveal_delay_s=0), opinion


async def _take(turns: TurnService, session: str, text: str) -> list[Any]:
    return [event async for event in turns.run(session, text)]


async def test_a_higher_opinion_brings_a_card_before_any_text_of_the_model(tmp_path: Path) -> None:
    with _server(_opinion("imminent")) as server:
        async with a_world(tmp_path, FakeChatModel(lambda *_: ["4.0 Tell me more."])) as world:
            judge = _judge(server)
            turns, _ = _with_judge(world, judge)
            session = await world.session()
            events = await _take(turns, session, "the garden is lovely today")
            await judge.close()
            stored = await world.stores.sessions.get(session)
    kinds = [type(event) for event in events]
    assert kinds.index(HelplineShown) < kinds.index(ReplyText)
    assert stored is not None
    assert stored.risk.level is RiskLevel.IMMINENT


async def test_a_lower_opinion_changes_nothing(tmp_path: Path) -> None:
    with _server(_opinion("none", "none")) as server:
        async with a_world(tmp_path, FakeChatModel(lambda *_: ["4.0 Tell me more."])) as world:
            judge = _judge(server)
            turns, _ = _with_judge(world, judge)
            events = await _take(turns, await world.session(), "I wish I was dead")
            await judge.close()
    shown = [event for event in events if isinstance(event, HelplineShown)]
    assert [event.card.level for event in shown] == [RiskLevel.MODERATE]


@pytest.mark.parametrize(("status", "delay_s"), [(500, 0.0), (200, 30.0)])
async def test_a_failing_or_slow_judge_is_counted_and_stops_nothing(
    tmp_path: Path, status: int, delay_s: float
) -> None:
    with _server("x", status=status, delay_s=delay_s) as server:
        async with a_world(tmp_path, FakeChatModel(lambda *_: ["4.0 Tell me more."])) as world:
            judge = _judge(server, timeout_s=0.3)
            turns, opinion = _with_judge(world, judge, timeout_s=0.3)
            async with asyncio.timeout(10):
                events = await _take(turns, await world.session(), "the garden is lovely today")
            await judge.close()
            failures = world.metrics.registry.get_sample_value(
                "hearken_safety_layer_failures_total", {"layer": "judge"}
            )
    assert isinstance(events[-1], Done)
    assert failures == 1.0
    assert opinion.status().startswith("failed")


async def test_an_unreachable_judge_means_caution_only() -> None:
    judge = RiskJudge("http://127.0.0.1:9/v1", CATEGORIES, timeout_s=0.5)
    before = RiskAssessment(RiskLevel.NONE, RiskCategory.NONE, (), SessionRisk())
    after = await SecondOpinion(judge, Metrics(), 1.0).add("hello", before)
    await judge.close()
    assert after.level is RiskLevel.LOW
    assert after.failed_layers == ("judge",)


@pytest.mark.parametrize(("opinion", "calm_turns"), [("moderate", 0), ("low", 4)])
def test_a_suspicion_that_the_judge_shares_fades_as_slowly_as_a_finding(
    opinion: str, calm_turns: int
) -> None:
    suspected = SessionRisk(RiskLevel.MODERATE, RiskCategory.ABUSE, calm_turns=4)
    before = RiskAssessment(RiskLevel.MODERATE, RiskCategory.ABUSE, (), suspected)
    after = raised(before, RiskLevel[opinion.upper()], RiskCategory.ABUSE, 3)
    assert after.session == replace(suspected, calm_turns=calm_turns)


def test_an_opinion_never_lowers() -> None:
    before = RiskAssessment(RiskLevel.IMMINENT, RiskCategory.ABUSE, (), SessionRisk(RiskLevel.IMMINENT))
    after = raised(before, RiskLevel.LOW, RiskCategory.SUICIDE, 3)
    assert replace(after, matches=()) == before
