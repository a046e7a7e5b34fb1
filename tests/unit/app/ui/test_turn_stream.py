"""A turn as the page sees it, from request to last view."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from app.address_limit import AddressLimit
from app.chat.events import TurnEvent
from app.ui.running import RunningTurns
from app.ui.services import PageLimits
from app.ui.texts import load_texts
from app.ui.turn_stream import TurnStream, outcome, turn_request
from app.ui.view import View, ViewBuilder
from models.chat_model import ChatModelError
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns

TEXTS = load_texts()
PERSON = "person-1"


@dataclass(frozen=True)
class World:
    """The stream and what lies behind it."""

    stream: TurnStream
    conversations: FakeConversations
    turns: FakeTurns
    running: RunningTurns

    async def take(self, person: str = PERSON, **data: Any) -> list[View]:
        """All views of one turn."""
        request = turn_request(person, {"action": "send", "locale": "en", **data}, "en-US")
        return [view async for view in self.stream.views(request)]


class BrokenTurns(FakeTurns):
    """A turn service with a fault nobody thought of."""

    async def _new(self, session_id: str, text: str) -> AsyncIterator[TurnEvent]:
        raise RuntimeError(f"{session_id} {text}")
        yield


def _world(turns: type[FakeTurns] = FakeTurns, per_hour: int = 0) -> World:
    helplines = load_directory()
    conversations = FakeConversations(helplines)
    service = turns(conversations, step_s=0.0, pause_s=0.0)
    running = RunningTurns()
    builder = ViewBuilder(conversations, helplines, TEXTS, resume_hours=12, running=running)
    newcomers = AddressLimit(per_hour)
    stream = TurnStream(conversations, service, builder, running, PageLimits(), lambda *_: "GB", newcomers)
    return World(stream, conversations, service, running)


@pytest.fixture
def world() -> World:
    return _world()


async def test_the_first_view_comes_before_any_work(world: World) -> None:
    views = await world.take(text="hello")

    assert views[0]["busy"] is True
    assert views[0]["items"] == []


async def test_the_last_view_holds_message_and_reply(world: World) -> None:
    views = await world.take(text="hello")

    assert len(views[-1]["items"]) == 2
    assert views[-1]["busy"] is False
    assert views[-1]["outcome"]["kind"] == "done"


async def test_no_two_views_are_alike(world: World) -> None:
    views = await world.take(text="hello")

    assert len({view["number"] for view in views}) == len(views)


async def test_a_new_conversation_has_the_guessed_country(world: World) -> None:
    await world.take(text="hello")

    assert world.conversations.persons[PERSON].country == "GB"


async def test_a_chosen_country_goes_before_the_guess(world: World) -> None:
    await world.take(text="hello", country="IN")

    assert world.conversations.persons[PERSON].country == "IN"


async def test_the_card_is_in_a_view_before_the_reply(world: World) -> None:
    views = await world.take(text="crisis")
    with_card = next(index for index, view in enumerate(views) if "card" in view)
    with_reply = next(index for index, view in enumerate(views) if view.get("replying"))

    assert with_card < with_reply


async def test_the_place_in_the_queue_is_told(world: World) -> None:
    views = await world.take(text="queue")

    assert "2 people are ahead of you" in [view.get("status") for view in views]


async def test_a_failed_turn_shows_what_is_stored(world: World) -> None:
    last = (await world.take(text="fail"))[-1]

    assert last["replace"] is True
    assert last["outcome"]["kind"] == "failed"
    assert "retry" in last["items"][-1]["html"]


async def test_another_persons_conversation_is_gone(world: World) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]

    views = await world.take("person-2", text="hello", conversation=session)

    assert views[-1]["outcome"]["text"] == TEXTS["en"]("errors.gone")
    assert len(world.conversations.messages[session]) == 2


async def test_an_overlong_first_message_leaves_no_conversation(world: World) -> None:
    last = (await world.take(text="x" * 4001))[-1]

    assert last["outcome"]["code"] == "too_long"
    assert last["conversation"] is None
    assert world.conversations.sessions == {}


async def test_an_overlong_crisis_message_still_brings_the_card(world: World) -> None:
    last = (await world.take(text="crisis " + "x" * 4001))[-1]

    assert "tel:" in last["card"]["html"]


@pytest.mark.parametrize("action", ["send", "edit", "", "delete", None, 7])
async def test_no_text_makes_no_conversation(world: World, action: object) -> None:
    last = (await world.take(action=action, text=" \n "))[-1]

    assert last["outcome"]["code"] == "empty"
    assert world.conversations.sessions == {}


async def test_an_unexpected_fault_is_told_kindly_and_not_in_detail() -> None:
    last = (await _world(BrokenTurns).take(text="my secret"))[-1]

    assert last["outcome"]["text"] == TEXTS["en"]("errors.not_saved")
    assert "my secret" not in str(last)


async def test_a_fault_does_not_put_text_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    await _world(BrokenTurns).take(text="my secret")

    assert "my secret" not in caplog.text


async def test_the_notice_is_shown_when_it_is_due(world: World) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]
    world.conversations.notices.add(session)

    last = (await world.take(text="again", conversation=session))[-1]

    assert TEXTS["en"]("notice.again") in last["items"][0]["html"]


async def test_a_stopped_turn_is_closed_and_can_be_tried_again(world: World) -> None:
    request = turn_request(PERSON, {"action": "send", "locale": "en", "text": "slowly"}, None)
    views: list[View] = []
    async for view in world.stream.views(request):
        views.append(view)
        world.running.stop(PERSON, view["conversation"])

    assert len(world.turns.aborted) == 1
    assert views[-1]["outcome"]["kind"] == "stopped"
    assert "retry" in views[-1]["items"][-1]["html"]


async def test_a_message_tried_again_loses_its_trouble(world: World) -> None:
    failed = (await world.take(text="fail"))[-1]

    last = (await world.take(action="retry", conversation=failed["conversation"]))[-1]

    message = next(item for item in last["items"] if item["id"] == failed["items"][-1]["id"])
    assert "fail" in message["html"]
    assert "hk-trouble" not in message["html"]


async def test_a_newer_message_is_taken_at_once_and_ends_the_reply_before_it(world: World) -> None:
    first = asyncio.ensure_future(world.take(text="slowly"))
    while not world.turns.going_on:
        await asyncio.sleep(0)
    (session,) = world.conversations.sessions

    second = (await world.take(text="crisis meanwhile", conversation=session))[-1]

    assert second["outcome"]["kind"] == "done"
    assert "tel:" in second["card"]["html"]
    assert (await first)[-1]["outcome"]["text"] == TEXTS["en"]("turn.gave_way")
    said = [(one.text, one.status) for one in world.conversations.messages[session] if one.role == "user"]
    assert said == [("slowly", "stopped"), ("crisis meanwhile", "answered")]


async def test_of_several_quick_messages_none_is_lost_and_the_order_is_kept(world: World) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]
    quick = [f"{number} slowly" for number in range(4)] + ["and the last"]

    await asyncio.gather(*(world.take(text=text, conversation=session) for text in quick))

    said = [one.text for one in world.conversations.messages[session] if one.role == "user"]
    assert said == ["hello", *quick]
    assert world.conversations.messages[session][-1].role == "assistant"


async def test_messages_keep_their_order_however_long_storage_takes_for_the_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]
    owns, waits = world.conversations.owns, [0.05, 0.02, 0.0]

    async def slowly(person_id: str, session_id: str) -> bool:
        await asyncio.sleep(waits.pop(0) if waits else 0.0)
        return await owns(person_id, session_id)

    monkeypatch.setattr(world.conversations, "owns", slowly)
    quick = ["the first", "the second", "the third"]

    await asyncio.gather(*(world.take(text=text, conversation=session) for text in quick))

    said = [one.text for one in world.conversations.messages[session] if one.role == "user"]
    assert said == ["hello", *quick]


async def test_a_conversation_of_somebody_else_is_not_kept_as_going_on(world: World) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]

    await world.take("person-2", text="hello", conversation=session)

    assert not world.running.goes_on("person-2", session)


@pytest.mark.parametrize("action", ["retry", "edit"])
async def test_what_another_tab_waits_for_is_not_changed(world: World, action: str) -> None:
    views = world.stream.views(
        turn_request(PERSON, {"action": "send", "locale": "en", "text": "slowly"}, None)
    )
    session = [await anext(views) for _ in range(3)][-1]["conversation"]

    second = (await world.take(action=action, text="meanwhile", conversation=session))[-1]

    assert second["outcome"]["code"] == "turn_running"
    assert second["elsewhere"] is True
    await views.aclose()


async def test_a_tab_that_is_behind_gets_the_whole_conversation_with_every_view(world: World) -> None:
    first = (await world.take(text="hello"))[-1]
    session, seen = first["conversation"], first["items"][-1]["id"]
    await world.take(text="from another tab", conversation=session)

    views = await world.take(text="from this one", conversation=session, seen=seen)

    # A browser that gets several views at once shows the last one only, whichever that is.
    assert [len(view["before"]["items"]) for view in views] == [4] * len(views)
    assert len({view["before"]["number"] for view in views}) == 1
    assert views[-1]["outcome"]["kind"] == "done"


@pytest.mark.parametrize("action", ["retry", "edit"])
async def test_a_tab_that_is_behind_changes_nothing_of_another_tab(world: World, action: str) -> None:
    first = (await world.take(text="hello"))[-1]
    session, seen = first["conversation"], first["items"][-1]["id"]
    await world.take(text="from another tab", conversation=session)
    before = list(world.conversations.messages[session])

    last = (await world.take(action=action, text="changed", conversation=session, seen=seen))[-1]

    assert last["outcome"]["code"] == "went_on"
    assert world.conversations.messages[session] == before


async def test_a_page_that_is_gone_ends_the_work(world: World) -> None:
    request = turn_request(PERSON, {"action": "send", "locale": "en", "text": "slowly"}, None)
    views = world.stream.views(request)
    for _ in range(3):
        await anext(views)

    await views.aclose()

    assert len(world.turns.aborted) == 1


async def test_twenty_turns_at_once_do_not_mix(world: World) -> None:
    async def one(index: int) -> View:
        return (await world.take(f"person-{index}", text=f"only of {index}."))[-1]

    lasts = await asyncio.gather(*(one(index) for index in range(20)))

    assert len({last["conversation"] for last in lasts}) == 20
    for index, last in enumerate(lasts):
        assert f"only of {index}." in last["items"][0]["html"]


def _codes(kind: type[ChatModelError]) -> set[str]:
    return {kind.code}.union(*map(_codes, kind.__subclasses__()))


@pytest.mark.parametrize(("locale", "saved"), [("en", "saved"), ("zh", "已保存")])
@pytest.mark.parametrize("code", [*sorted(_codes(ChatModelError)), "internal", "of another day"])
async def test_whatever_fails_after_a_message_was_stored_the_person_reads_that_it_is_saved(
    code: str, locale: str, saved: str
) -> None:
    assert saved in outcome("failed", code, TEXTS[locale])["text"]


async def test_nothing_is_said_to_be_saved_where_that_is_not_known() -> None:
    assert "saved" not in outcome("unknown", "internal", TEXTS["en"])["text"]


async def test_danger_is_noticed_without_a_cookie_and_nothing_is_stored(world: World) -> None:
    data = {"action": "send", "locale": "en", "country": "GB", "text": "crisis", "key": "k"}

    view = await world.stream.of_nobody(data, None)

    assert "tel:999" in view["card"]["html"]
    assert (view["outcome"]["code"], view["turn"]) == ("no_cookie", "k")
    assert world.conversations.sessions == {}


async def test_without_a_cookie_nothing_else_is_shown(world: World) -> None:
    view = await world.stream.of_nobody({"action": "send", "text": "hello"}, None)

    assert "card" not in view


async def test_without_a_cookie_junk_is_refused_kindly(world: World) -> None:
    assert (await world.stream.of_nobody(None, None))["outcome"]["kind"] == "unsent"
