"""The downloads of a person's data, over the real repositories on both databases."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.person_data import person_data_router
from app.auth.person_cookie import PersonCookie
from app.chat.own_memory import OwnMemory
from app.chat.session import ConversationService
from app.db.engine import SessionFactory
from app.db.facts import FactRepository
from app.db.feedback import FeedbackRepository
from app.db.messages import MessageRepository
from app.db.persons import PersonRepository
from app.db.risk import RiskRepository
from app.db.schema import METADATA
from app.db.sessions import SessionRepository
from safety.helplines import load_directory
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store
from tests.integration.app.db.test_ownership import NOT_A_PERSONS

COOKIE = PersonCookie("k" * 40, secure=False)


@pytest.fixture
def store(factory: SessionFactory) -> Store:
    return a_store(factory, FakeClock())


@pytest.fixture
async def web(factory: SessionFactory) -> AsyncIterator[httpx.AsyncClient]:
    service = ConversationService(
        PersonRepository(factory),
        SessionRepository(factory),
        MessageRepository(factory),
        FeedbackRepository(factory),
        RiskRepository(factory),
        load_directory(None),
        model_name="a-model",
        notice_minutes=120,
        max_sessions=200,
    )
    memory = OwnMemory(SessionRepository(factory), FactRepository(factory))
    app = FastAPI()
    app.include_router(person_data_router(service, COOKIE, memory))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


def cookie_of(person_id: str) -> dict[str, str]:
    return {"cookie": COOKIE.header(person_id).partition(";")[0]}


async def test_the_json_holds_a_row_of_every_table_of_a_person(store: Store, web: httpx.AsyncClient) -> None:
    person = await store.person()
    await store.full_life(person)
    answer = await web.get("/api/me/export", headers=cookie_of(person.id))
    data: dict[str, Any] = json.loads(answer.text)
    assert set(data) == set(METADATA.tables) - NOT_A_PERSONS
    assert data == await store.persons.export(person.id)
    assert answer.headers["content-disposition"] == 'attachment; filename="hearken-my-data.json"'
    assert answer.headers["cache-control"] == "no-store"


async def test_the_json_of_somebody_who_wrote_nothing_is_empty(store: Store, web: httpx.AsyncClient) -> None:
    await store.full_life(await store.person())
    answer = await web.get("/api/me/export", headers=cookie_of("00000000-0000-4000-8000-000000000009"))
    assert json.loads(answer.text) == {}


async def test_the_page_to_read_holds_all_conversations_of_the_person_and_of_nobody_else(
    store: Store, web: httpx.AsyncClient
) -> None:
    me, other = await store.person(), await store.person()
    for text in ("<i>first</i>", "second"):
        await store.turn(await store.session(me), text, {})
    await store.turn(await store.session(other), "somebody else's", {})
    page = (await web.get("/api/me/conversations.html", headers=cookie_of(me.id))).text
    assert "<p>&lt;i&gt;first&lt;/i&gt;</p>" in page
    assert "<p>second</p>" in page
    assert page.count("I hear you.") == 2
    assert "somebody else" not in page
    assert page.endswith("</body></html>\n")


async def test_the_page_to_read_holds_what_is_kept_in_mind(store: Store, web: httpx.AsyncClient) -> None:
    me = await store.person()
    await store.full_life(me)
    page = (await web.get("/api/me/conversations.html", headers=cookie_of(me.id))).text
    assert "<ul><li>Animals: my cat is 15</li></ul>" in page
    assert "Replies: Balanced" in page


async def test_both_downloads_hold_the_name_of_a_conversation(store: Store, web: httpx.AsyncClient) -> None:
    me = await store.person()
    await store.sessions.set_title((await store.session(me)).id, me.id, "my <new> job")
    page = (await web.get("/api/me/conversations.html", headers=cookie_of(me.id))).text
    assert "<h2>my &lt;new&gt; job</h2>" in page
    data = (await web.get("/api/me/export", headers=cookie_of(me.id))).json()
    assert [row["title"] for row in data["sessions"]] == ["my <new> job"]


async def test_a_forged_cookie_is_refused(store: Store, web: httpx.AsyncClient) -> None:
    person = await store.person()
    forged = {"cookie": f"hearken_person={person.id}.forged"}
    for path in ("export", "conversations.html"):
        assert (await web.get(f"/api/me/{path}", headers=forged)).status_code == 401
