import datetime as dt
from pathlib import Path

import pytest

from app.chat.events import Done
from app.chat.session import NotYoursError
from app.ui.texts import load_texts
from app.ui.turn_markup import transcript_items
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import OTHER, PERSON, World, a_world


def one(*_: object) -> list[str]:
    return ["4.0 I am listening."]


async def a_reply(world: World, session: str) -> str:
    done = (await world.take(session, "hello there"))[-1]
    assert isinstance(done, Done)
    return done.reply_id


async def test_a_visit_leaves_no_row(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        assert await world.conversations.person(PERSON) is None
        assert await world.conversations.list(PERSON) == []


async def test_conversations_of_others_can_not_be_read_rated_or_deleted(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        reply = await a_reply(world, session)
        await world.session(OTHER)
        with pytest.raises(NotYoursError):
            await world.conversations.transcript(OTHER, session)
        with pytest.raises(NotYoursError):
            await world.conversations.rate(OTHER, reply, -1)
        with pytest.raises(NotYoursError):
            await world.conversations.delete(OTHER, session)
        assert not await world.conversations.owns(OTHER, session)
        page = await world.conversations.transcript(PERSON, session)
        assert page.messages[-1].rating is None


async def test_a_rating_can_be_given_changed_and_taken_back(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        reply = await a_reply(world, session)

        async def rating() -> tuple[int | None, tuple[str, ...]]:
            shown = (await world.conversations.transcript(PERSON, session)).messages[-1]
            return shown.rating, shown.reasons

        await world.conversations.rate(PERSON, reply, 1)
        assert await rating() == (1, ())
        await world.conversations.rate(PERSON, reply, -1, ("generic",), "too vague")
        assert await rating() == (-1, ("generic",))
        await world.conversations.rate(PERSON, reply, None)
        assert await rating() == (None, ())


async def test_the_first_message_that_says_an_age_under_the_limit_is_known_after_a_reload(
    tmp_path: Path,
) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        for text in ("hello", "im 11", "im still 11"):
            await world.take(session, text)
        page = await world.conversations.transcript(PERSON, session)
        assert [message.text for message in page.messages if message.message_id == page.young_after] == [
            "im 11"
        ]
        assert page.young_line == world.conversations._helplines.for_young("US")  # pyright: ignore[reportPrivateUsage]


async def test_no_words_of_a_message_become_a_title(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        await a_reply(world, await world.session())
        assert [session.title for session in await world.conversations.list(PERSON)] == [None]


async def test_a_conversation_goes_by_the_name_its_person_gave_it_until_they_take_it_away(
    tmp_path: Path,
) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await world.session(OTHER)

        async def title() -> str | None:
            return (await world.conversations.list(PERSON))[0].title

        await world.conversations.name(PERSON, session, "  my\n new \x00 job ")
        assert await title() == "my new job"
        with pytest.raises(NotYoursError):
            await world.conversations.name(OTHER, session, "theirs")
        await world.conversations.name(PERSON, session, "x" * 61)
        assert await title() == "x" * 60
        await world.conversations.name(PERSON, session, " ")
        assert await title() is None


async def test_a_persons_own_message_can_not_be_rated(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await a_reply(world, session)
        own = (await world.stores.messages.history(session))[0]
        with pytest.raises(NotYoursError):
            await world.conversations.rate(PERSON, own.id, 1)


async def test_deleting_everything_leaves_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await a_reply(world, session)
        await world.conversations.delete_all(PERSON)
        await world.conversations.delete_all(PERSON)
        assert await world.conversations.person(PERSON) is None
        assert [row async for row in world.conversations.export(PERSON)] == []
        assert await world.stores.sessions.get(session) is None


async def test_the_download_holds_what_was_written(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await a_reply(world, session)
        data = [row async for row in world.conversations.export(PERSON)]
        assert "hello there" in str(data)
        assert "I am listening." in str(data)


async def test_the_ai_notice_comes_back_after_two_hours_and_only_once(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        assert not await world.conversations.notice_due(PERSON, session)
        past = dt.datetime.now(dt.UTC) - dt.timedelta(minutes=121)
        await world.stores.sessions.mark_notice(session, past)
        assert await world.conversations.notice_due(PERSON, session)
        assert not await world.conversations.notice_due(PERSON, session)


async def test_an_unknown_country_is_refused(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        await world.session()
        with pytest.raises(ValueError, match="country"):
            await world.conversations.set_country(PERSON, "XX")
        await world.conversations.set_country(PERSON, "GB")
        person = await world.conversations.person(PERSON)
        assert person is not None
        assert person.country == "GB"


async def test_the_repeated_notice_is_still_there_after_a_reload(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await world.take(session, "first")
        past = dt.datetime.now(dt.UTC) - dt.timedelta(hours=3)
        await world.stores.sessions.mark_notice(session, past)
        assert await world.conversations.notice_due(PERSON, session)
        await world.take(session, "second")
        transcript = await world.conversations.transcript(PERSON, session)
        (second,) = [message for message in transcript.messages if message.text == "second"]
        assert transcript.notice_before == second.message_id
        items = [str(item.html) for item in transcript_items(transcript, load_texts()["en"])]
        at = next(index for index, html in enumerate(items) if "second" in html)
        assert load_texts()["en"]("notice.again").split(":")[0] in items[at - 1]


async def test_a_break_is_never_suggested_when_the_setting_says_so(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        await world.take(session, "first")
        assert not await world.conversations.nudge_due(PERSON, session)


async def test_a_message_is_found_by_its_key_by_its_person_only(tmp_path: Path) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        session = await world.session()
        async for _ in world.turns.run(session, "hello", client_key="key"):
            pass

        assert await world.conversations.conversation_with(PERSON, "key") == session
        assert await world.conversations.conversation_with(PERSON, "another") is None
        assert await world.conversations.conversation_with(OTHER, "key") is None


@pytest.mark.parametrize(
    ("text", "helped"), [("I am going to kill myself tonight", True), ("a nice day", False)]
)
async def test_help_for_what_is_kept_nowhere(tmp_path: Path, text: str, helped: bool) -> None:
    async with a_world(tmp_path, FakeChatModel(one)) as world:
        card = await world.turns.help_for(text, "GB", "en")

        assert (card is not None and card.country == "GB") is helped


@pytest.mark.parametrize(
    "text", ["I am going to kill myself tonight", "he is outside banging on the door right now"]
)
async def test_another_reply_in_a_crisis_says_it_in_other_words(tmp_path: Path, text: str) -> None:
    def silent(*_: object) -> list[str]:
        return []

    async with a_world(tmp_path, FakeChatModel(silent)) as world:
        session = await world.session()
        first = (await world.take(session, text))[-1]
        other = [event async for event in world.turns.retry(session)][-1]

        assert isinstance(first, Done)
        assert isinstance(other, Done)
        assert other.text != first.text
