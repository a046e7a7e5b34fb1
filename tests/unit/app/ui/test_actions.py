"""What the page can ask for beside a turn; everything is checked against the cookie's person."""

from dataclasses import dataclass
from typing import Any, cast

import gradio as gr
import pytest

from app.ui.actions import PersonActions
from app.ui.running import RunningTurns
from app.ui.texts import load_texts
from app.ui.view import ViewBuilder
from safety.helplines import load_directory
from tests.fakes.chat_world import FakeConversations, FakeTurns

ME, OTHER = "person-1", "person-2"


class PlainCookie:
    """The cookie's value is the person's id."""

    def read(self, cookies: dict[str, str]) -> str | None:
        return cookies.get("person")


@dataclass
class FakeRequest:
    """What an action reads of a request."""

    cookies: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True)
class World:
    """The actions, one conversation of ME with one reply, and what lies behind."""

    actions: PersonActions
    conversations: FakeConversations
    running: RunningTurns
    session: str
    reply: str

    async def ask(self, name: str, person: str | None = ME, **data: Any) -> dict[str, Any]:
        """Call an action by its name, as ``person``."""
        cookies = {} if person is None else {"person": person}
        request = cast("gr.Request", FakeRequest(cookies, {"accept-language": "en-GB"}))
        return await getattr(self.actions, name)({"locale": "en", **data}, request)


@pytest.fixture
async def world() -> World:
    helplines = load_directory()
    conversations = FakeConversations(helplines)
    running = RunningTurns()
    builder = ViewBuilder(conversations, helplines, load_texts(), resume_hours=12, running=running)
    actions = PersonActions(conversations, builder, helplines, running, PlainCookie(), lambda *_: "GB")
    session = await conversations.create(ME, "en")
    turns = FakeTurns(conversations, step_s=0.0, pause_s=0.0)
    async for _ in turns.run(session.id, "hello"):
        pass
    reply = conversations.messages[session.id][-1].message_id
    return World(actions, conversations, running, session.id, reply)


ALL = [call.__name__ for call in PersonActions.all(cast("PersonActions", PersonActions))]


@pytest.mark.parametrize("name", ALL)
async def test_without_a_cookie_nothing_is_answered(world: World, name: str) -> None:
    assert await world.ask(name, None) == {"ok": False, "error": "no_cookie"}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("junk", [None, 7, [], "x", {"conversation": {"a": 1}, "message": [], "country": 5}])
async def test_junk_is_answered_kindly(world: World, name: str, junk: object) -> None:
    request = cast("gr.Request", FakeRequest({"person": ME}, {}))

    answer = await getattr(world.actions, name)(junk, request)

    assert answer["ok"] or answer["error"] in ("gone", "internal")


@pytest.mark.parametrize("locale", ["en", "zh"])
async def test_help_for_the_persons_country_is_there_from_the_start(world: World, locale: str) -> None:
    assert "tel:999" in (await world.ask("start", OTHER))["help"][locale]["menu"]

    await world.ask("set_country", country="JP")

    assert "tel:119" in (await world.ask("start"))["help"][locale]["menu"]


async def test_another_country_brings_its_help_in_place_of_the_one_before(world: World) -> None:
    answer = await world.ask("set_country", country="JP")

    assert "tel:119" in answer["help"]["zh"]["steps"]


@pytest.mark.parametrize("name", ["open", "set_locale", "delete", "set_country"])
async def test_a_conversation_of_someone_else_is_gone(world: World, name: str) -> None:
    answer = await world.ask(name, OTHER, conversation=world.session, country="GB")

    assert answer == {"ok": False, "error": "gone"}
    assert world.session in world.conversations.sessions


async def test_a_start_opens_the_recent_conversation(world: World) -> None:
    answer = await world.ask("start")

    assert answer["view"]["conversation"] == world.session


async def test_a_start_with_someone_elses_id_opens_nothing(world: World) -> None:
    answer = await world.ask("start", OTHER, conversation=world.session)

    assert answer["view"]["conversation"] is None
    assert not answer["known"]


async def test_the_stored_language_goes_before_the_pages(world: World) -> None:
    await world.ask("set_locale", locale="zh")

    assert (await world.ask("start"))["locale"] == "zh"


async def test_a_rating_is_stored_with_known_reasons_only(world: World) -> None:
    await world.ask("rate", message=world.reply, value=-1, reasons=["generic", "<b>", 4], comment=" a ")

    rated = world.conversations.messages[world.session][-1]
    assert (rated.rating, rated.reasons, rated.comment) == (-1, ("generic",), "a")


async def test_a_reply_of_someone_else_cannot_be_rated(world: World) -> None:
    answer = await world.ask("rate", OTHER, message=world.reply, value=1)

    assert answer == {"ok": False, "error": "gone"}


async def test_nobody_stops_the_turn_of_someone_else(world: World) -> None:
    turn = world.running.begin(ME, world.session)
    turn.stored()

    answer = await world.ask("stop", OTHER, conversation=world.session)

    assert answer["stopped"] is False
    assert not turn.signal.is_set()


async def test_deleting_everything_stops_what_is_going_on(world: World) -> None:
    turn = world.running.begin(ME, world.session)
    turn.stored()

    await world.ask("delete_all")

    assert turn.signal.is_set()
    assert world.conversations.sessions == {}


async def test_help_shows_emergency_numbers_without_a_crisis(world: World) -> None:
    assert "tel:999" in (await world.ask("help", country="GB"))["help"]["en"]["menu"]


async def test_consent_needs_a_plain_yes(world: World) -> None:
    await world.ask("set_consent", consent="yes")

    assert not world.conversations.persons[ME].consent


@pytest.mark.parametrize("country", ["ZZ", "us", "\x00\x00"])
async def test_an_unknown_country_is_refused_without_an_error_in_the_log(
    world: World, caplog: pytest.LogCaptureFixture, country: str
) -> None:
    assert await world.ask("set_country", country=country) == {"ok": False, "error": "refused"}
    assert caplog.records == []


async def test_a_message_is_found_by_the_key_it_was_sent_with(world: World) -> None:
    world.conversations.keys["key"] = world.session

    assert (await world.ask("find", key="key"))["conversation"] == world.session
    assert (await world.ask("find", key="another"))["conversation"] is None
    assert (await world.ask("find", OTHER, key="key"))["conversation"] is None
