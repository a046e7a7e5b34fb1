"""A person who writes on while a reply is made, over the real turn and a real database."""

import asyncio
from pathlib import Path

from app.address_limit import AddressLimit
from app.ui.running import RunningTurns
from app.ui.services import PageLimits
from app.ui.texts import load_texts
from app.ui.turn_stream import TurnStream, turn_request
from app.ui.view import View, ViewBuilder
from safety.helplines import load_directory
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import PERSON, World, a_world


def _three(*_: object) -> list[str]:
    return ["4.5 I hear how much this weighs on you.", "3.0 Tell me more.", "2.0 Hm."]


def _stream(world: World) -> TurnStream:
    running, helplines = RunningTurns(), load_directory(None)
    builder = ViewBuilder(world.conversations, helplines, load_texts(), resume_hours=1, running=running)
    limits, newcomers = PageLimits(), AddressLimit(0)
    return TurnStream(world.conversations, world.turns, builder, running, limits, lambda *_: "US", newcomers)


async def _views(stream: TurnStream, session: str, text: str) -> list[View]:
    data = {"action": "send", "locale": "en", "conversation": session, "text": text, "key": text}
    return [view async for view in stream.views(turn_request(PERSON, data, None))]


async def test_danger_is_read_at_once_and_every_message_is_kept_in_order(tmp_path: Path) -> None:
    model = FakeChatModel(_three, hold=True)
    async with a_world(tmp_path, model) as world:
        session, stream = await world.session(), _stream(world)
        first = asyncio.ensure_future(_views(stream, session, "one more"))
        await model.started.wait()
        danger = "please i took all my pills"

        second, third = (
            asyncio.ensure_future(_views(stream, session, text)) for text in (danger, "are you there")
        )
        # The model still holds its first answer: nobody waits for it.
        await asyncio.wait({first, second}, timeout=20)
        assert first.done()
        assert second.done()
        model.release.set()
        last = (await third)[-1]

        said = [one.text for one in await world.stores.messages.history(session) if one.role == "user"]
        assert said == ["one more", danger, "are you there"]
        assert "tel:911" in str((await second)[-1]["card"])
        assert last["outcome"]["kind"] == "done"
