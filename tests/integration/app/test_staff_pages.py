"""The staff side over HTTP and handler by handler: who gets in, what is logged, what is refused."""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import gradio as gr
import httpx
import pytest
from sqlalchemy import URL
from starlette.requests import Request

from app.auth.page_list import PAGES
from app.auth.roles import StaffGate
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.annotation import AnnotationRepository
from app.db.engine import SessionFactory
from app.db.ranking_outcomes import RankingOutcomes
from app.db.records import StaffRole
from app.settings_staff import ReviewSettings
from app.ui.annotate import AnnotateCalls
from app.ui.annotation_desk import AnnotationDesk, AnnotationStore, rater_of
from app.ui.rank import RankCalls
from app.ui.ranking_desk import RankingDesk, RankingStore
from app.ui.review import Opened, ReviewHandlers
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskCategory, RiskLevel
from tests.browser.staff_site import CRISIS, PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store
from tests.integration.app.staff_desks import a_review_desk

HTML = {"accept": "text/html"}
LIMITS = ReviewSettings().limits


@dataclass
class House:
    """The staff side over one database: over HTTP, and its handlers without the outer door."""

    store: Store
    auth: StaffAuth
    review: ReviewHandlers
    annotate: AnnotateCalls
    rank: RankCalls

    async def token(self, role: StaffRole) -> str:
        return (await self.auth.sign_in(role.value, PASSWORD)).token

    async def flag_id(self) -> str:
        (flag,) = await self.store.flags.list_open()
        return flag.id


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    """SQLite is enough here: the repositories behind the pages have their tests on both databases."""
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


@pytest.fixture
async def house(factory: SessionFactory) -> House:
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    gate, texts = StaffGate(auth, store.audit), load_staff_texts()
    desk = a_review_desk(store)
    queue = AnnotationRepository(factory)
    replies = AnnotationDesk(
        AnnotationStore(queue, store.messages, store.feedback, store.scores, store.candidates, store.audit)
    )
    ranks = RankingDesk(RankingStore(queue, store.messages, store.candidates, store.rankings, store.audit))
    review = ReviewHandlers(desk, gate, texts, LIMITS, store.clock)
    rank = RankCalls(ranks, RankingOutcomes(factory), gate, texts)
    return House(store, auth, review, AnnotateCalls(replies, gate, texts), rank)


@pytest.fixture
async def client(factory: SessionFactory) -> AsyncIterator[httpx.AsyncClient]:
    """A browser before the whole staff side."""
    transport = httpx.ASGITransport(build_staff_site(factory))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


def asking(token: str | None) -> gr.Request:
    """A request as Gradio hands it to a handler."""
    cookie = f"{COOKIE_NAME}={token}" if token else ""
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"cookie", cookie.encode())]}
    return gr.Request(Request(scope))


ADDRESSES = ("", "/", "/config", "/gradio_api/info", "/gradio_api/queue/status", "/theme.css", "/static/x")


async def test_nothing_below_a_staff_page_answers_without_a_login(client: httpx.AsyncClient) -> None:
    paths = [page + rest for page in ("/review", "/annotate") for rest in ADDRESSES]
    assert {(await client.get(path)).status_code for path in paths} == {401}


async def test_nothing_below_a_staff_page_takes_data_without_a_login(client: httpx.AsyncClient) -> None:
    paths = ["/review/gradio_api/queue/join", "/annotate/gradio_api/upload", "/review/gradio_api/call/x"]
    answers = [await client.post(path, json={"fn_index": 0, "data": []}) for path in paths]
    assert [(answer.status_code, answer.json()) for answer in answers] == [
        (401, {"detail": "Sign in first."})
    ] * 3


async def test_an_annotator_gets_nothing_below_the_review(house: House, client: httpx.AsyncClient) -> None:
    cookies = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ANNOTATOR)}"}
    answers = [await client.get(f"/review{rest}", headers=cookies) for rest in ADDRESSES]
    assert {answer.status_code for answer in answers} == {403}


async def test_an_address_without_its_slash_leads_to_the_page(
    house: House, client: httpx.AsyncClient
) -> None:
    cookies = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ADMIN)}"}
    answer = await client.get("/review", headers=cookies)
    assert (answer.status_code, answer.headers["location"]) == (307, "/review/")


async def test_an_annotator_gets_the_annotation_page(house: House, client: httpx.AsyncClient) -> None:
    cookies = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ANNOTATOR)}"}
    assert (await client.get("/annotate/", headers=cookies)).status_code == 200


async def test_a_person_in_a_browser_is_led_to_the_sign_in(client: httpx.AsyncClient) -> None:
    answer = await client.get("/review", headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/review")


async def sign_in(
    client: httpx.AsyncClient, headers: dict[str, str] | None = None, **fields: str
) -> httpx.Response:
    form = {"username": "admin", "password": PASSWORD, **fields}
    return await client.post("/login", data=form, headers=headers)


@pytest.mark.usefixtures("house")
async def test_signing_in_leads_to_the_page_of_the_role_with_a_strict_cookie(
    client: httpx.AsyncClient,
) -> None:
    answer = await sign_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/review")
    assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["set-cookie"].split("; "))


@pytest.mark.usefixtures("house")
async def test_a_wrong_password_is_told_without_saying_what_was_wrong(client: httpx.AsyncClient) -> None:
    known = await sign_in(client, password="a wrong password")
    unknown = await sign_in(client, username="nobody")
    assert known.status_code == unknown.status_code == 401
    assert known.text == unknown.text
    assert "set-cookie" not in known.headers


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("wanted", ["https://evil.example", "//evil.example", "/review/../x", "javascript:1"])
async def test_signing_in_never_leads_off_this_site(client: httpx.AsyncClient, wanted: str) -> None:
    assert (await sign_in(client, next=wanted)).headers["location"] == "/review"
    assert "evil" not in (await client.get("/login", params={"next": wanted})).text


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil.example"}],
)
async def test_a_form_of_another_site_is_refused(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    answer = await sign_in(client, headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


async def test_signing_out_ends_the_login_and_clears_the_cookie(
    house: House, client: httpx.AsyncClient
) -> None:
    token = await house.token(StaffRole.ADMIN)
    answer = await client.post("/logout", headers={"cookie": f"{COOKIE_NAME}={token}"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    assert await house.auth.who(token) is None


async def test_signing_out_everywhere_needs_a_login(client: httpx.AsyncClient) -> None:
    assert (await client.post("/logout/everywhere")).status_code == 401


@pytest.mark.parametrize("role", [None, StaffRole.ANNOTATOR])
async def test_every_review_handler_refuses_by_itself(house: House, role: StaffRole | None) -> None:
    request = asking(None if role is None else await house.token(role))
    flag_id = await house.flag_id()
    opened = Opened(flag_id, 1, revealed=True)
    flag = await house.store.flags.get(flag_id)
    assert flag is not None
    calls = [
        house.review.begin(request),
        house.review.open_flag(flag_id, "", Opened(), request),
        house.review.reveal(opened, request),
        house.review.take(opened, request),
        house.review.assign(None, opened, request),
        house.review.save_note("a note", opened, request),
        house.review.save_outcome("false_alarm", "", opened, request),
        house.review.reopen(opened, request),
        house.review.mark_missed(flag.message_id, "imminent", "suicide", opened, request),
    ]
    for call in calls:
        with pytest.raises(gr.Error):
            await call
    assert await house.store.flags.get(flag_id) == flag
    assert await house.store.flags.notes(flag_id) == []
    assert await house.flag_id() == flag_id


async def test_every_annotation_handler_refuses_by_itself(house: House) -> None:
    request = asking(None)
    calls = [call({}, request) for call in (*house.annotate.all(), *house.rank.all())]
    assert len(calls) == 8
    for call in calls:
        with pytest.raises(gr.Error):
            await call


async def first_reply(house: House, request: gr.Request) -> str:
    """The id of the reply that the page shows first."""
    return (await house.annotate.begin({}, request))["task"]["id"]


async def test_a_rating_is_stored_under_the_account_that_is_signed_in(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    sent = {"message": reply, "value": -1, "reasons": ["generic"], "comment": "  flat ", "rater": "staff:x"}
    assert (await house.annotate.save(sent, request))["saved"] == reply
    annotator = await house.store.staff.by_username("annotator")
    assert annotator is not None
    stored = await house.store.feedback.get(reply, rater_of(annotator))
    assert stored is not None
    assert (stored.value, stored.reasons, stored.comment) == (-1, ("generic",), "flat")


async def test_a_rating_is_refused_after_consent_was_withdrawn(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    message = await house.store.messages.get(reply)
    assert message is not None
    session = await house.store.sessions.get(message.session_id)
    assert session is not None
    await house.store.persons.update(session.person_id, consent=False)
    after = await house.annotate.save({"message": reply, "value": 1}, request)
    assert after["notice"].startswith("This reply can't be rated any more.")
    assert (await house.store.rows())["feedback"] == 0


async def test_a_reply_of_a_crisis_cannot_be_rated_or_seen_by_naming_it(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    (flag,) = await house.store.flags.list_open()
    reply = (await house.store.messages.history(flag.session_id))[-1]
    named = {"message": reply.id, "value": 1, "scores": {"tactic.advice": 1}, "places": {}}
    for call in (*house.annotate.all(), *house.rank.all()):
        answer = await call(named, request)
        assert CRISIS[:20] not in repr(answer)
        assert (answer.get("task") or {}).get("id") != reply.id
    rows = await house.store.rows()
    assert (rows["feedback"], rows["scores"], rows["rankings"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "sent",
    [
        {"reasons": ["made up"]},
        {"value": 7},
        {"value": 1, "scores": {"empathy.validating_emotions": 6}},
        {"value": 1, "scores": {"made.up": 1}},
        {"value": 1, "scores": [1]},
        {"value": 1, "comment": 5},
    ],
)
async def test_what_the_page_never_sends_is_refused_and_nothing_is_stored(
    house: House, sent: dict[str, object]
) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    answer = await house.annotate.save({"message": reply, **sent}, request)
    assert "saved" not in answer
    rows = await house.store.rows()
    assert (rows["feedback"], rows["scores"]) == (0, 0)


async def test_a_thumb_down_without_a_reason_is_not_stored(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    down: dict[str, object] = {"message": reply, "value": -1}
    nothing_chosen: list[str] = []
    for sent in (down, down | {"reasons": nothing_chosen}):
        answer = await house.annotate.save(sent, request)
        assert (answer.get("saved"), answer["missing"]) == (None, "reasons")
    assert (await house.store.rows())["feedback"] == 0


async def test_a_reason_that_is_stored_counts_until_it_is_taken_away(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    down = {"message": reply, "value": -1, "reasons": ["generic"]}
    assert (await house.annotate.save(down, request))["saved"] == reply
    assert (await house.annotate.save({"message": reply, "comment": "flat"}, request))["saved"] == reply
    assert (await house.annotate.save({"message": reply, "reasons": []}, request))["missing"] == "reasons"
    assert (await house.annotate.save({"message": reply, "value": 1}, request))["saved"] == reply
    assert (await house.annotate.save({"message": reply, "value": -1}, request))["missing"] == "reasons"


async def test_what_is_taken_back_comes_along_to_begin_from(house: House) -> None:
    request = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, request)
    scores = {"empathy.validating_emotions": 4, "tactic.advice": 0}
    sent = {"message": reply, "value": -1, "reasons": ["generic"], "comment": "flat", "scores": scores}
    await house.annotate.save(sent, request)
    given = (await house.annotate.undo({"message": reply}, request))["given"]
    wanted = {
        "value=-1": True,
        "reason=generic": True,
        "hk-comment-text": "flat",
        "empathy.validating_emotions=4": True,
        "tactic.advice=1": False,
        "tags_right=1": True,
    }
    assert wanted.items() <= given.items()
    rows = await house.store.rows()
    assert (rows["feedback"], rows["scores"]) == (0, 0)


async def test_only_the_rater_can_take_a_rating_back(house: House) -> None:
    annotator = asking(await house.token(StaffRole.ANNOTATOR))
    reply = await first_reply(house, annotator)
    await house.annotate.save({"message": reply, "value": 1}, annotator)
    await house.annotate.undo({"message": reply}, asking(await house.token(StaffRole.ADMIN)))
    assert (await house.store.rows())["feedback"] == 1


async def a_turn_to_rank(house: House) -> str:
    """A turn with three candidates, two of them equal; the id of its reply."""
    person = await house.store.person()
    await house.store.persons.update(person.id, consent=True)
    session = await house.store.session(person)
    _, reply = await house.store.turn(session, "The evenings are long", {"advice": 1}, {"validation": 1}, {})
    return reply.id


async def test_candidates_are_shown_without_a_word_of_where_they_came_from(house: House) -> None:
    reply = await a_turn_to_rank(house)
    answer = await house.rank.rank_begin({}, asking(await house.token(StaffRole.ANNOTATOR)))
    assert answer["task"]["id"] == reply
    assert all(f"text {number}" in answer["task"]["html"] for number in range(3))
    assert "a-model" not in repr(answer)
    assert "chosen" not in answer["task"]["html"].lower()
    assert "results" not in answer


async def test_a_ranking_with_a_tie_is_stored_with_its_places(house: House) -> None:
    reply = await a_turn_to_rank(house)
    request = asking(await house.token(StaffRole.ANNOTATOR))
    ids = [one.id for one in await house.store.candidates.for_message(reply)]
    places = dict(zip(ids, (3, 1, 1), strict=True))
    answer = await house.rank.rank_save({"message": reply, "places": places}, request)
    assert answer["saved"] == reply
    stored = {row["candidate_id"]: row["place"] for row in await house.store.contents("ranking_places")}
    assert stored == places
    await house.rank.rank_undo({"message": reply}, request)
    assert await house.store.contents("ranking_places") == []


async def test_a_ranking_that_leaves_a_candidate_out_is_refused(house: House) -> None:
    reply = await a_turn_to_rank(house)
    request = asking(await house.token(StaffRole.ANNOTATOR))
    (first, *_) = await house.store.candidates.for_message(reply)
    answer = await house.rank.rank_save({"message": reply, "places": {first.id: 1}}, request)
    assert answer["notice"].startswith("Give every candidate a place first")
    assert (await house.store.rows())["rankings"] == 0


async def test_results_of_rankings_are_for_admins_on_the_page_and_as_csv(
    house: House, client: httpx.AsyncClient
) -> None:
    reply = await a_turn_to_rank(house)
    admin = await house.token(StaffRole.ADMIN)
    ids = [one.id for one in await house.store.candidates.for_message(reply)]
    places = dict(zip(ids, (1, 2, 3), strict=True))
    answer = await house.rank.rank_save({"message": reply, "places": places}, asking(admin))
    assert "Chosen by Hearken" in answer["results"]
    address = "/api/staff/rankings.csv"
    annotator = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ANNOTATOR)}"}
    assert (await client.get(address, headers=annotator)).status_code == 403
    lines = (await client.get(address, headers={"cookie": f"{COOKIE_NAME}={admin}"})).text.splitlines()
    assert "choice,chosen,1,1,0.3333,1.0000,1.0000,1.0000,1.0000,1.0000,1.0000,1.0000,1.0000,1.0000" in lines
    assert any(line.startswith("model,a-model,1,3,") for line in lines)
    (entry,) = [one for one in await house.store.audit.recent() if one.action == "rankings.exported"]
    assert entry.detail["rows"] == len(lines) - 1


async def test_the_referral_report_is_for_admins_and_each_download_is_audited(
    house: House, client: httpx.AsyncClient
) -> None:
    address = "/api/staff/referrals.csv"
    annotator = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ANNOTATOR)}"}
    admin = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ADMIN)}"}
    assert (await client.get(address)).status_code == 401
    assert (await client.get(address, headers=annotator)).status_code == 403
    answer = await client.get(address, headers=admin)
    assert answer.status_code == 200
    assert answer.text.splitlines()[0] == "month,country,level,category,referrals"
    audited = [entry for entry in await house.store.audit.recent() if entry.action == "referrals.exported"]
    assert len(audited) == 1


@pytest.mark.parametrize("category", [RiskCategory.ABUSE, RiskCategory.GAMBLING])
async def test_the_referral_report_holds_counts_and_nothing_of_a_person(
    house: House, client: httpx.AsyncClient, category: RiskCategory
) -> None:
    session = await house.store.session()
    message = await house.store.messages.add_user(session.id, "hello")
    counted = {
        (row.month, row.level, row.category): row.count
        for row in await house.store.referrals.count_by_month()
    }
    await house.store.referrals.add(session.id, message.id, "US", RiskLevel.MODERATE, category, ["a line"])
    month = f"{datetime.now(UTC):%Y-%m}"
    before = counted.get((month, RiskLevel.MODERATE, category), 0)
    admin = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ADMIN)}"}
    year = datetime.now(UTC).year
    lines = (await client.get(f"/api/staff/referrals.csv?year={year}", headers=admin)).text.splitlines()
    assert f"{month},US,moderate,{category.value},{before + 1}" in lines
    assert session.id not in "".join(lines)
    other = (await client.get(f"/api/staff/referrals.csv?year={year - 1}", headers=admin)).text
    assert other.splitlines() == ["month,country,level,category,referrals"]


@pytest.mark.parametrize("fn_index", [99999, -1])
async def test_an_event_that_a_page_does_not_have_is_not_found_and_not_logged(
    house: House, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, fn_index: int
) -> None:
    cookies = {"cookie": f"{COOKIE_NAME}={await house.token(StaffRole.ADMIN)}"}
    body = {"fn_index": fn_index, "data": [], "session_hash": "a"}
    for page in PAGES:
        answer = await client.post(f"{page.address}/gradio_api/queue/join", json=body, headers=cookies)
        assert (page.address, answer.status_code, answer.text) == (page.address, 404, "Not found")
    assert not caplog.records


async def test_a_name_of_any_length_does_not_fit_like_every_other(client: httpx.AsyncClient) -> None:
    for data in ({"username": "x" * 5000}, {"username": "admin", "password": "x" * 5000}):
        answer = await client.post("/login", data=data, headers=HTML)
        assert answer.status_code == 401
        assert "Name and password do not fit" in answer.text
