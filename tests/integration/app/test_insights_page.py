"""The insights page and its files: who gets them, what they tell, and what they never hold."""

import csv
import io
import re
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gradio as gr
import httpx
import pytest
from sqlalchemy import URL

from app.auth.roles import StaffGate
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.engine import SessionFactory
from app.db.insights_fill import InsightsCounter
from app.db.insights_flags import FlagInsights
from app.db.insights_read import InsightsRepository
from app.db.insights_records import Figure
from app.db.records import StaffRole
from app.ui.insights import InsightsHandlers
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskLevel
from tests.browser.staff_site import CALM, CRISIS, PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store
from tests.integration.app.test_staff_pages import ADDRESSES, asking

FILES = [f"/api/staff/insights/{name}.csv" for name in (*Figure, "responses")]


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    """SQLite is enough here: the repositories behind the page have their tests on both databases."""
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


@pytest.fixture
async def store(factory: SessionFactory) -> Store:
    """Filled with six conversations, three of them small counts of other kinds, and counted."""
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    for _ in range(4):
        session = await store.session()
        _, reply = await store.turn(session, "hello", {"advice": 1})
        await store.feedback.set_rating(reply.id, "person:x", -1, ["generic"], "my secret comment")
    await InsightsCounter(factory, store.clock).count()
    return store


@pytest.fixture
def auth(store: Store) -> StaffAuth:
    return StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)


@pytest.fixture
async def client(factory: SessionFactory) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_staff_site(factory))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def cookie(auth: StaffAuth, role: StaffRole) -> dict[str, str]:
    token = (await auth.sign_in(role.value, PASSWORD)).token
    return {"cookie": f"{COOKIE_NAME}={token}"}


def handlers(store: Store, auth: StaffAuth) -> InsightsHandlers:
    return InsightsHandlers(
        InsightsRepository(store.factory, 5, store.clock),
        FlagInsights(store.factory, store.clock),
        StaffGate(auth, store.audit),
        load_staff_texts(),
        {RiskLevel.IMMINENT: timedelta(minutes=15)},
    )


async def shown(store: Store, auth: StaffAuth, period: str = "all") -> str:
    token = (await auth.sign_in("admin", PASSWORD)).token
    return str((await handlers(store, auth).show(period, "", "", asking(token))).figures)


async def test_without_a_login_there_is_nothing(client: httpx.AsyncClient) -> None:
    paths = [*FILES, *(f"/insights{rest}" for rest in ADDRESSES)]
    assert {(await client.get(path)).status_code for path in paths} == {401}


async def test_an_annotator_gets_neither_the_page_nor_a_file(
    auth: StaffAuth, client: httpx.AsyncClient
) -> None:
    headers = await cookie(auth, StaffRole.ANNOTATOR)
    paths = [*FILES, *(f"/insights{rest}" for rest in ADDRESSES)]
    assert {(await client.get(path, headers=headers)).status_code for path in paths} == {403}


@pytest.mark.parametrize("name", ["load", "show"])
async def test_no_handler_answers_an_annotator(store: Store, auth: StaffAuth, name: str) -> None:
    token = (await auth.sign_in("annotator", PASSWORD)).token
    given = [] if name == "load" else ["all", "", ""]
    with pytest.raises(gr.Error, match="may not do this"):
        await getattr(handlers(store, auth), name)(*given, asking(token))


async def test_an_admin_gets_every_file_and_the_audit_log_knows(
    store: Store, auth: StaffAuth, client: httpx.AsyncClient
) -> None:
    headers = await cookie(auth, StaffRole.ADMIN)
    answers = [await client.get(path, headers=headers) for path in FILES]
    assert {answer.status_code for answer in answers} == {200}
    logged = [entry for entry in await store.audit.recent() if entry.action == "insights.exported"]
    assert len(logged) == len(FILES)


async def test_a_series_that_is_none_is_not_found(auth: StaffAuth, client: httpx.AsyncClient) -> None:
    headers = await cookie(auth, StaffRole.ADMIN)
    assert (await client.get("/api/staff/insights/messages.csv", headers=headers)).status_code == 404


async def test_a_file_tells_enough_as_a_number_and_few_as_masked(
    auth: StaffAuth, client: httpx.AsyncClient
) -> None:
    headers = await cookie(auth, StaffRole.ADMIN)

    async def rows(name: str) -> list[dict[str, str]]:
        answer = await client.get(f"/api/staff/insights/{name}.csv", headers=headers)
        return list(csv.DictReader(io.StringIO(answer.text)))

    (conversations,) = await rows("conversations")
    assert (conversations["count"], conversations["at_least"], conversations["at_most"]) == ("6", "6", "6")
    (reasons,) = await rows("reasons")
    assert (reasons["kind"], reasons["count"], reasons["at_most"]) == ("person.generic", "<5", "4")


async def test_the_page_has_a_plot_and_a_table_for_every_figure(store: Store, auth: StaffAuth) -> None:
    page = await shown(store, auth)
    assert len(re.findall("<svg class='hk-plot'", page)) == len(Figure)
    assert len(re.findall("<details>", page)) == len(Figure)
    assert all(f"id='hk-insight-{figure.value}'" in page for figure in Figure)


async def test_before_anything_was_counted_no_zeros_are_shown(factory: SessionFactory) -> None:
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    page = await shown(store, auth)
    assert "Nothing has been counted yet." in page
    assert re.findall("id='hk-insight-([a-z_]+)'", page) == ["waiting", "responses"]


async def test_the_page_tells_small_counts_as_masked(store: Store, auth: StaffAuth) -> None:
    page = await shown(store, auth)
    reasons = page.split("id='hk-insight-reasons'")[1].split("</section>")[0]
    assert "&lt;5" in reasons
    assert ">4<" not in reasons
    conversations = page.split("id='hk-insight-conversations'")[1].split("</section>")[0]
    assert "<strong>6</strong>" in conversations


async def test_an_open_imminent_flag_is_counted_as_it_is(store: Store, auth: StaffAuth) -> None:
    page = await shown(store, auth)
    assert "imminent 1" in page.split("id='hk-insight-waiting'")[1].split("</section>")[0]


async def test_nothing_that_anybody_wrote_is_on_the_page_or_in_a_file(
    store: Store, auth: StaffAuth, client: httpx.AsyncClient
) -> None:
    headers = await cookie(auth, StaffRole.ADMIN)
    files = [(await client.get(path, headers=headers)).text for path in FILES]
    everything = "\n".join([await shown(store, auth), *files])
    assert not [text for text in (CALM, CRISIS, "I hear you.", "my secret comment") if text in everything]


async def test_the_choice_offers_models_and_languages_there_are(store: Store, auth: StaffAuth) -> None:
    token = (await auth.sign_in("admin", PASSWORD)).token
    view = await handlers(store, auth).load(asking(token))
    assert view.model["choices"] == [("All", ""), ("a-model", "a-model")]
    assert view.language["choices"] == [("All", ""), ("English", "en")]
