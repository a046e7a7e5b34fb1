"""Exports over HTTP: who gets them, what is in the audit log, and how much of them is in memory."""

import csv
import io
import json
import shutil
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import URL
from starlette.requests import ClientDisconnect, Request

from app.api.exports import Kind, Kinds, export_kinds, export_router
from app.auth.roles import StaffGate
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.annotation import AnnotationRepository
from app.db.engine import SessionFactory
from app.db.export_records import ExportFilter
from app.db.preference_exports import PreferenceExportRepository
from app.db.rating_exports import RatingExportRepository
from app.db.records import StaffRole
from app.ui.export import ExportHandlers
from app.ui.export_desk import ExportDesk
from app.ui.staff_texts import load_staff_texts
from tests.browser.staff_site import CALM, CRISIS, PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store

FILES = (
    "ratings.csv",
    "rankings.csv",
    "kto.jsonl",
    "dpo.jsonl",
    "agreement.csv",
    "disagreements.csv",
)
REASON = "Ethics vote 12/2026, study of missed crises"
WITHHELD = {"crisis": "on", "unconsented": "on"}


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    """SQLite is enough here: the statements have their tests on both databases."""
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


@pytest.fixture
async def store(factory: SessionFactory) -> Store:
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    for reply in [row for row in await store.contents("messages") if row["role"] == "assistant"]:
        await store.feedback.set_rating(reply["id"], "staff:ann", -1, ["generic"], '=1+1, "quoted"\n第二行')
    return store


@pytest.fixture
async def client(store: Store, factory: SessionFactory) -> AsyncIterator[httpx.AsyncClient]:
    """A browser before the routes alone; the whole staff side takes a second to build."""
    kinds = export_kinds(RatingExportRepository(factory), PreferenceExportRepository(factory))
    async with a_browser(an_app(store, kinds)) as client:
        yield client


def a_browser(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


def an_app(store: Store, kinds: Kinds) -> FastAPI:
    app = FastAPI()
    app.state.staff_gate = StaffGate(
        StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock), store.audit
    )
    app.include_router(export_router(kinds, store.audit))
    return app


async def cookie(store: Store, role: StaffRole) -> dict[str, str]:
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    return {"cookie": f"{COOKIE_NAME}={(await auth.sign_in(role.value, PASSWORD)).token}"}


@pytest.fixture
async def admin(store: Store) -> dict[str, str]:
    return await cookie(store, StaffRole.ADMIN)


def at(name: str) -> str:
    return f"/api/staff/export/{name}"


@pytest.mark.parametrize("name", FILES)
async def test_an_export_is_for_admins_only(store: Store, client: httpx.AsyncClient, name: str) -> None:
    annotator = await cookie(store, StaffRole.ANNOTATOR)
    answers = [
        await client.get(at(name)),
        await client.post(at(name), data=WITHHELD | {"reason": REASON}),
        await client.get(at(name), headers=annotator),
        await client.post(at(name), headers=annotator, data=WITHHELD | {"reason": REASON}),
    ]
    assert [answer.status_code for answer in answers] == [401, 401, 403, 403]
    counted = [await client.post(f"{at(name)}/rows", headers=headers) for headers in ({}, annotator)]
    assert [answer.status_code for answer in counted] == [401, 403]
    assert "export.started" not in {entry.action for entry in await store.audit.recent()}


@pytest.mark.parametrize(
    "asked", [{}, WITHHELD | {"reason": REASON}, {"raters": "staff"}, {"language": "zh"}]
)
@pytest.mark.parametrize("name", ["ratings.csv", "rankings.csv", "kto.jsonl", "dpo.jsonl"])
async def test_the_rows_of_a_file_are_told_beside_it(
    client: httpx.AsyncClient, admin: dict[str, str], name: str, asked: dict[str, str]
) -> None:
    counted = await client.post(f"{at(name)}/rows", headers=admin, data=asked)
    file = (await client.post(at(name), headers=admin, data=asked)).text
    rows = file.count("\r\n") - 1 if name.endswith(".csv") else len(file.splitlines())
    assert counted.json() == {"rows": rows}


async def test_how_many_sums_a_file_will_have_is_known_at_its_end_only(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    assert (await client.post(f"{at('agreement.csv')}/rows", headers=admin)).json() == {"rows": None}
    assert (await client.post(f"{at('nothing.csv')}/rows", headers=admin)).status_code == 404


async def test_the_number_of_withheld_rows_needs_a_reason_and_a_page_of_this_site(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    rows = f"{at('kto.jsonl')}/rows"
    assert (await client.post(rows, headers=admin, data=WITHHELD)).status_code == 422
    foreign = admin | {"sec-fetch-site": "cross-site"}
    assert (await client.post(rows, headers=foreign)).status_code == 403


async def test_the_ratings_have_only_the_consented_calm_conversation(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    answer = await client.get(at("ratings.csv"), headers=admin)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="hearken-ratings.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert len(rows) == 2 == answer.text.count("\r\n") - 1
    assert rows[0]["comment"] == '\'=1+1, "quoted"\n第二行'
    assert all(row[name] for row in rows for name in ("session_id", "user_message_id", "message_id", "rater"))
    assert {row["thumbs"] for row in rows} == {"-1"}


async def test_a_csv_for_excel_begins_with_a_byte_order_mark(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    marked = await client.get(at("ratings.csv"), headers=admin, params={"bom": "true"})
    plain = await client.get(at("ratings.csv"), headers=admin)
    assert marked.content == b"\xef\xbb\xbf" + plain.content


async def test_agreement_and_disagreements_are_files_too(
    store: Store, client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    for reply in [row for row in await store.contents("feedback") if row["rater"] == "staff:ann"]:
        await store.feedback.set_rating(reply["message_id"], "staff:ben", 1)
    agreed = await client.get(at("agreement.csv"), headers=admin)
    month = f"{store.clock():%Y-%m}"
    # Two raters who always differ on two replies: 1 - 3 * 1 / (2 * 4 / 4) = -0.5.
    assert agreed.text.splitlines()[1:] == [
        "all,thumbs,nominal,-0.5,-0.5,-0.5,2,2,4",
        f"{month},thumbs,nominal,-0.5,-0.5,-0.5,2,2,4",
    ]
    disputed = await client.get(at("disagreements.csv"), headers=admin)
    rows = list(csv.DictReader(io.StringIO(disputed.text)))
    assert [(row["raters"], row["disagreement"], row["values"]) for row in rows] == [
        ("2", "1.0", "thumbs: -1 1")
    ] * 2


def asking(cookies: dict[str, str], language: str = "en") -> gr.Request:
    """A request as Gradio hands it to a handler."""
    headers = [(b"cookie", cookies.get("cookie", "").encode()), (b"accept-language", language.encode())]
    return gr.Request(Request({"type": "http", "method": "POST", "path": "/", "headers": headers}))


@pytest.fixture
def page(store: Store, factory: SessionFactory) -> ExportHandlers:
    gate = StaffGate(
        StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock), store.audit
    )
    desk = ExportDesk(
        RatingExportRepository(factory),
        store.messages,
        AnnotationRepository(factory),
        store.audit,
        store.clock,
    )
    return ExportHandlers(desk, gate, load_staff_texts())


@pytest.mark.parametrize("role", [None, StaffRole.ANNOTATOR])
async def test_every_handler_of_the_page_refuses_by_itself(
    store: Store, page: ExportHandlers, role: StaffRole | None
) -> None:
    request = asking({} if role is None else await cookie(store, role))
    for call in (page.begin(request), page.agree("ever", request), page.open("x", request)):
        with pytest.raises(gr.Error):
            await call


async def test_only_an_admin_gets_the_page_and_what_lies_below_it(
    store: Store, factory: SessionFactory, admin: dict[str, str]
) -> None:
    annotator = await cookie(store, StaffRole.ANNOTATOR)
    paths = [f"/export{rest}" for rest in ("", "/", "/config", "/gradio_api/info", "/gradio_api/queue/join")]
    paths += [at(name) for name in FILES]
    async with a_browser(build_staff_site(factory)) as client:
        assert {(await client.get(path)).status_code for path in paths} == {401}
        assert {(await client.get(path, headers=annotator)).status_code for path in paths} == {403}
        assert (await client.get("/export/", headers=admin)).status_code == 200
        assert {(await client.get(at(name), headers=admin)).status_code for name in FILES} == {200}


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_form_has_a_button_for_every_file_and_suggests_models(
    store: Store, page: ExportHandlers, admin: dict[str, str], language: str
) -> None:
    store.clock.advance(seconds=1)
    session = await store.session()
    await store.sessions.create(session.person_id, "en", '<b>"model"')
    form = await page.begin(asking(admin, language))
    assert all(f'formaction="{at(name)}"' in form for name in FILES)
    assert '<option value="a-model">' in form
    assert '<option value="&lt;b&gt;&quot;model&quot;">' in form


async def test_a_disputed_reply_is_opened_under_the_admins_name(
    store: Store, page: ExportHandlers, admin: dict[str, str]
) -> None:
    for reply in [row for row in await store.contents("feedback") if row["rater"] == "staff:ann"]:
        await store.feedback.set_rating(reply["message_id"], "staff:ben", 1)
    view = await page.agree("month", asking(admin))
    assert "<th scope='row'>Thumbs</th><td>-0.50</td><td>-0.50 … -0.50</td><td>2</td>" in view.table
    texts, ids = zip(*view.disputed["choices"], strict=True)
    assert all(text.startswith("1.00 · raters: 2 · Thumbs -1 / 1 · ") for text in texts)
    shown = [await page.open(message_id, asking(admin)) for message_id in ids]
    assert all("I hear you." in reply for reply in shown)
    assert any(CALM in reply for reply in shown)
    opened = [entry for entry in await store.audit.recent() if entry.action == "reply.opened"]
    assert {entry.object_id for entry in opened} == set(ids)


async def test_a_reply_of_a_crisis_is_not_opened_by_naming_it(
    store: Store, page: ExportHandlers, admin: dict[str, str]
) -> None:
    (flag,) = await store.flags.list_open()
    reply = (await store.messages.history(flag.session_id))[-1]
    assert await page.open(reply.id, asking(admin)) == "<p>⚠ This does not exist any more.</p>"


async def test_examples_are_json_lines_without_the_crisis(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    answer = await client.get(at("kto.jsonl"), headers=admin)
    examples = [json.loads(line) for line in answer.text.splitlines()]
    assert [example["label"] for example in examples] == [False, False]
    assert CALM in {example["prompt"][0]["content"] for example in examples}
    assert "do this any more" not in answer.text


@pytest.mark.parametrize("reason", [None, "", "because", "short            !   ", "a" * 24])
@pytest.mark.parametrize("asked", [{"crisis": "on"}, {"unconsented": "on"}])
async def test_what_is_withheld_stays_without_a_reason(
    store: Store, client: httpx.AsyncClient, admin: dict[str, str], asked: dict[str, str], reason: str | None
) -> None:
    data = asked | ({} if reason is None else {"reason": reason})
    answer = await client.post(at("kto.jsonl"), headers=admin, data=data)
    assert answer.status_code == 422
    assert "export.started" not in {entry.action for entry in await store.audit.recent()}


async def test_an_address_can_not_ask_for_what_is_withheld(
    client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    params = {"crisis": "true", "unconsented": "true", "reason": REASON}
    assert (await client.get(at("kto.jsonl"), headers=admin, params=params)).status_code == 422


async def test_a_form_of_another_site_is_refused(client: httpx.AsyncClient, admin: dict[str, str]) -> None:
    foreign = admin | {"sec-fetch-site": "cross-site"}
    assert (await client.post(at("kto.jsonl"), headers=foreign, data={})).status_code == 403


async def test_with_a_reason_the_crisis_is_there_and_the_audit_log_says_all_but_the_words(
    store: Store, client: httpx.AsyncClient, admin: dict[str, str]
) -> None:
    data = WITHHELD | {"reason": REASON, "language": "en", "since": "2026-01-01", "until": ""}
    answer = await client.post(at("kto.jsonl"), headers=admin, data=data)
    prompts = {json.loads(line)["prompt"][0]["content"] for line in answer.text.splitlines()}
    assert CRISIS in prompts
    log = {entry.action: entry for entry in await store.audit.recent()}
    assert log["export.started"].detail == {
        "since": "2026-01-01",
        "until": None,
        "model": None,
        "language": "en",
        "raters": "all",
        "crisis": True,
        "unconsented": True,
        "reason": REASON,
    }
    assert (log["export.finished"].object_id, log["export.finished"].detail) == ("kto.jsonl", {"rows": 3})
    account = await store.staff.by_username("admin")
    assert account is not None
    assert log["export.started"].actor == log["export.finished"].actor == account.id
    assert CRISIS not in repr(log)
    assert "第二行" not in repr(log)


@pytest.mark.parametrize(
    "params",
    [
        {"since": "yesterday"},
        {"until": "9999-12-31"},
        {"since": "2026-02-01", "until": "2026-01-01"},
        {"langauge": "en"},
        {"raters": "me"},
        {"model": "x" * 201},
    ],
)
async def test_a_wrong_filter_is_refused_instead_of_ignored(
    client: httpx.AsyncClient, admin: dict[str, str], params: dict[str, str]
) -> None:
    assert (await client.get(at("ratings.csv"), headers=admin, params=params)).status_code == 422


async def test_an_unknown_file_is_not_found(client: httpx.AsyncClient, admin: dict[str, str]) -> None:
    assert (await client.get(at("messages.csv"), headers=admin)).status_code == 404


class Flood:
    """Many batches; knows how many of them are alive."""

    def __init__(self, batches: int) -> None:
        self._batches = batches
        self.alive = self.most = self.read = 0

    async def count(self, _: object) -> int:
        return self._batches

    async def batches(self, _: object) -> AsyncIterator[Sequence[Any]]:
        for _number in range(self._batches):
            self.read += 1
            yield _Batch(self)


class _Batch(list[bytes]):
    def __init__(self, flood: Flood) -> None:
        super().__init__([b"x"])
        self._flood = flood
        flood.alive += 1
        flood.most = max(flood.most, flood.alive)

    def __del__(self) -> None:
        self._flood.alive -= 1


def flooded(store: Store, flood: Flood) -> FastAPI:
    return an_app(store, {"flood": Kind("text/plain", flood.count, flood.batches, lambda _: "row\n" * 1000)})


async def call(app: FastAPI, headers: dict[str, str], send: Any) -> None:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "path": "/api/staff/export/flood",
        "raw_path": b"/api/staff/export/flood",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "server": ("test", 80),
        "client": ("test", 1),
        "headers": [(b"cookie", headers["cookie"].encode())],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(scope, receive, send)


async def test_no_more_than_two_batches_are_in_memory_however_many_there_are(
    store: Store, admin: dict[str, str]
) -> None:
    flood, got = Flood(500), 0

    async def send(message: dict[str, Any]) -> None:
        nonlocal got
        got += len(message.get("body", b""))

    await call(flooded(store, flood), admin, send)
    assert got == 500 * 4000
    assert flood.most <= 2


async def test_a_file_does_not_wait_for_its_rows_to_be_counted(store: Store, admin: dict[str, str]) -> None:
    flood, sent = Flood(1), list[dict[str, Any]]()

    async def too_long(_: ExportFilter) -> int:
        raise AssertionError("the file waits for the count")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    kind = Kind("text/plain", too_long, flood.batches, lambda _: "row\n")
    await call(an_app(store, {"flood": kind}), admin, send)
    assert b"".join(message.get("body", b"") for message in sent) == b"row\n"


async def test_a_download_that_is_broken_off_stops_reading_and_is_noted_as_such(
    store: Store, admin: dict[str, str]
) -> None:
    flood, sent = Flood(500), 0

    async def send(message: dict[str, Any]) -> None:
        nonlocal sent
        sent += message["type"] == "http.response.body"
        if sent == 3:
            raise OSError("the browser is gone")

    with pytest.raises(ClientDisconnect):
        await call(flooded(store, flood), admin, send)
    assert flood.read == 3
    (entry,) = [one for one in await store.audit.recent() if one.action == "export.broken_off"]
    assert entry.detail == {"rows": 3}
