"""Whoever says that they are under 18 is told once where young people find help."""

from typing import Any

import pytest

from app.ui.texts import load_texts
from app.ui.turn_markup import young_item
from safety.helplines import load_directory
from tests.unit.app.ui.test_turn_stream import World, world

__all__ = ["world"]
TOLD = "made for adults"


def told(views: list[dict[str, Any]]) -> list[int]:
    """Places of the notice among the last view's items."""
    return [place for place, item in enumerate(views[-1]["items"]) if TOLD in item["html"]]


async def test_the_line_of_the_country_stands_between_message_and_reply(world: World) -> None:
    views = await world.take(text="im 11, mum is mad at me")
    assert told(views) == [1]
    notice = views[-1]["items"][1]["html"]
    assert '<a href="tel:08001111" rel="noreferrer">Childline, 0800 1111</a>' in notice
    assert views[-1]["outcome"]["text"].startswith("Hearken is made for adults")
    assert "Childline, 0800 1111" in views[-1]["outcome"]["text"]


async def test_it_opens_no_card_and_the_talk_goes_on(world: World) -> None:
    views = await world.take(text="im 11")
    assert all("card" not in view for view in views)
    assert views[-1]["outcome"]["kind"] == "done"
    assert 'data-role="assistant"' in views[-1]["items"][2]["html"]


async def test_it_comes_once_a_conversation(world: World) -> None:
    session = (await world.take(text="im 11"))[-1]["conversation"]
    assert told(await world.take(text="i told you im 11", conversation=session)) == []
    assert told(await world.take(text="im 11")) == [1]


async def test_it_stays_when_the_reply_is_made_again(world: World) -> None:
    session = (await world.take(text="im 11"))[-1]["conversation"]
    assert told(await world.take(action="retry", text="im 11", conversation=session)) == [1]


@pytest.mark.parametrize("text", ["my son is 11", "i was 11 when he left"])
async def test_an_age_that_is_not_theirs_brings_nothing(world: World, text: str) -> None:
    assert told(await world.take(text=text)) == []


async def test_it_is_there_when_the_conversation_is_opened_again(world: World) -> None:
    session = (await world.take(text="hello"))[-1]["conversation"]
    await world.take(text="im 11", conversation=session)
    await world.take(text="im 11 i said", conversation=session)
    whole = await world.stream._builder.conversation("person-1", session, "en")  # pyright: ignore[reportPrivateUsage]
    kinds = [TOLD in item["html"] for item in whole["items"]]
    assert kinds == [False, False, False, True, False, False, False]


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_country_without_such_a_line_has_the_directory(locale: str) -> None:
    html = young_item("m-1", load_directory().for_young("HU", locale), load_texts()[locale]).html
    assert 'href="https://findahelpline.com/"' in html
