"""A danger that nobody noticed, flagged by whoever rates the reply: from the page to review and export."""

import json
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gradio as gr
import httpx
import pytest
from sqlalchemy import URL
from starlette.requests import Request

from app.auth.roles import StaffGate
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.annotation import AnnotationRepository
from app.db.engine import SessionFactory
from app.db.records import Message, StaffRole
from app.ui.annotation_desk import CONTEXT_MESSAGES
from app.ui.danger import DangerCalls
from app.ui.danger_desk import DangerDesk
from app.ui.review_markup import facts_markup
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskCategory, RiskLevel
from tests.browser.staff_site import PASSWORD, build_staff_site, fill
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store, an_assessment
from tests.integration.app.staff_desks import a_review_desk

TEXTS = load_staff_texts()
REASON = "She writes that she has given her cat away"
HINT = "I gave my cat away, she will be fine without me"


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> URL:
    shutil.copy(sqlite_template, tmp_path / "staff.sqlite3")
    return URL.create("sqlite", database=str(tmp_path / "staff.sqlite3"))


class House:
    """The page's call over a filled database, with one conversation in which a danger was missed."""

    def __init__(self, factory: SessionFactory, store: Store) -> None:
        self.factory, self.store = factory, store
        self.auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
        self.queue = AnnotationRepository(factory, store.clock)
        desk = DangerDesk(self.queue, store.messages, store.missed, store.audit)
        self.calls = DangerCalls(desk, StaffGate(self.auth, store.audit), TEXTS)

    async def seen(self, level: RiskLevel | None = None) -> tuple[Message, Message]:
        """A message and its reply, with the layers' verdict on it if a level is given."""
        person = await self.store.person()
        await self.store.persons.update(person.id, consent=True)
        message, reply = await self.store.turn(await self.store.session(person), HINT, {"validation": 1})
        if level is not None:
            await self.store.risk.add(message.id, message.session_id, an_assessment(level))
        return message, reply

    async def flag(self, role: StaffRole | None, **fields: Any) -> dict[str, Any]:
        token = "" if role is None else (await self.auth.sign_in(role.value, PASSWORD)).token
        cookie = [(b"cookie", f"{COOKIE_NAME}={token}".encode())]
        scope = {"type": "http", "method": "POST", "path": "/", "headers": cookie}
        return await self.calls.flag_danger(fields, gr.Request(Request(scope)))


@pytest.fixture
async def house(factory: SessionFactory) -> House:
    store = a_store(factory, FakeClock(datetime.now(UTC)))
    await fill(store)
    return House(factory, store)


def said(message: Message, reply: Message, **changes: Any) -> dict[str, Any]:
    """What the page's script sends."""
    fields = {"level": "imminent", "category": "suicide", "reason": REASON}
    return {"message": reply.id, "danger": message.id, **fields, **changes}


@pytest.mark.parametrize("role", list(StaffRole))
async def test_an_annotator_or_an_admin_raises_a_flag_that_counts_as_a_miss(
    house: House, role: StaffRole
) -> None:
    message, reply = await house.seen(RiskLevel.LOW)
    answer = await house.flag(role, **said(message, reply))
    assert answer == {"notice": TEXTS["en"]("danger.saved"), "flagged": True}
    flag = await house.store.flags.open_for(message.session_id)
    assert flag is not None
    assert (flag.message_id, flag.level, flag.category) == (
        message.id,
        RiskLevel.IMMINENT,
        RiskCategory.SUICIDE,
    )
    (note,) = await house.store.flags.notes(flag.id)
    (missed,) = await house.store.missed.for_session(message.session_id)
    account = await house.store.staff.by_username(role.value)
    assert account is not None
    assert (note.text, note.author_id) == (REASON, account.id)
    assert (missed.message_id, missed.level, missed.marked_by) == (
        message.id,
        RiskLevel.IMMINENT,
        account.id,
    )


async def test_reviewers_read_that_staff_flagged_it_and_not_a_layer(house: House) -> None:
    message, reply = await house.seen(RiskLevel.LOW)
    await house.flag(StaffRole.ANNOTATOR, **said(message, reply))
    flag = await house.store.flags.open_for(message.session_id)
    assert flag is not None
    store = house.store
    desk = a_review_desk(store)
    brief = await desk.brief(flag.id)
    for locale, words in (("en", "flagged by staff"), ("zh", "由工作人员标记")):
        facts = facts_markup(brief, store.clock(), {}, TEXTS[locale])
        assert words in facts
        assert "en.plan" not in facts
    assert [note.text for note in brief.notes] == [REASON]


async def test_the_conversation_leaves_the_queue_of_replies(house: House) -> None:
    message, reply = await house.seen()
    assert await house.queue.may_rate(reply.id)
    await house.flag(StaffRole.ANNOTATOR, **said(message, reply))
    assert not await house.queue.may_rate(reply.id)
    waiting = await house.store.contents("annotation_queue")
    assert reply.id not in {row["message_id"] for row in waiting}


async def test_the_audit_log_knows_who_flagged_what_and_no_text(house: House) -> None:
    message, reply = await house.seen()
    await house.flag(StaffRole.ANNOTATOR, **said(message, reply))
    (entry,) = await house.store.audit.recent(object_type="message", object_id=message.id)
    flag = await house.store.flags.open_for(message.session_id)
    assert flag is not None
    assert entry.action == "flag.raised_by_hand"
    assert entry.detail == {"flag": flag.id, "level": "imminent", "category": "suicide"}
    assert "cat" not in str([one.detail for one in await house.store.audit.recent()]).replace("category", "")


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"reason": "too short"}, ["reason"]),
        ({"reason": "\u200b" * 40}, ["reason"]),
        ({"reason": None}, ["reason"]),
        ({"level": "low"}, ["level"]),
        ({"level": None, "category": None, "reason": ""}, ["level", "category", "reason"]),
        ({"category": "none"}, ["category"]),
        ({"category": "made up"}, ["category"]),
        ({"danger": None}, ["message"]),
        ({"message": "no id"}, []),
    ],
)
async def test_without_reason_level_category_and_message_nothing_is_flagged(
    house: House, changes: dict[str, Any], missing: list[str]
) -> None:
    message, reply = await house.seen()
    answer = await house.flag(StaffRole.ANNOTATOR, **(said(message, reply) | changes))
    assert answer == {"notice": TEXTS["en"]("danger.choose"), "flagged": False, "missing": missing}
    assert await house.store.flags.open_for(message.session_id) is None


async def test_who_has_no_role_flags_nothing(house: House) -> None:
    message, reply = await house.seen()
    with pytest.raises(gr.Error):
        await house.flag(None, **said(message, reply))
    assert await house.store.flags.open_for(message.session_id) is None


async def test_only_what_was_shown_beside_the_reply_can_be_flagged(house: House) -> None:
    message, reply = await house.seen()
    other, _ = await house.seen()
    answers = [
        await house.flag(StaffRole.ANNOTATOR, **said(named, reply))
        for named in (other, reply)  # of another conversation; written by the model
    ]
    session = await house.store.sessions.get(message.session_id)
    assert session is not None
    for number in range(CONTEXT_MESSAGES):
        _, last = await house.store.turn(session, f"and then {number}", {"validation": 1})
    answers.append(await house.flag(StaffRole.ANNOTATOR, **said(message, last)))
    assert {answer["notice"] for answer in answers} == {TEXTS["en"]("annotate.withdrawn")}
    assert await house.store.flags.open_for(message.session_id) is None
    assert await house.store.flags.open_for(other.session_id) is None


async def test_a_conversation_without_consent_can_not_be_flagged_from_here(house: House) -> None:
    message, reply = await house.store.turn(await house.store.session(), HINT, {"validation": 1})
    answer = await house.flag(StaffRole.ADMIN, **said(message, reply))
    assert answer["notice"] == TEXTS["en"]("annotate.withdrawn")
    assert await house.store.flags.open_for(message.session_id) is None


@pytest.fixture
async def admin(factory: SessionFactory, house: House) -> AsyncIterator[httpx.AsyncClient]:
    token = (await house.auth.sign_in("admin", PASSWORD)).token
    transport = httpx.ASGITransport(build_staff_site(factory))
    cookies = {COOKIE_NAME: token}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", cookies=cookies) as client:
        yield client


async def test_what_staff_flagged_is_in_the_list_and_in_the_export_of_misses(
    house: House, admin: httpx.AsyncClient
) -> None:
    message, reply = await house.seen(RiskLevel.LOW)
    await house.flag(StaffRole.ANNOTATOR, **said(message, reply))
    flag = await house.store.flags.open_for(message.session_id)
    assert flag is not None
    listed = await admin.get("/api/staff/flags")
    export = await admin.post("/api/staff/verdicts.jsonl", data={"reason": "improving the rules"})
    assert flag.id in listed.text
    (row,) = [json.loads(line) for line in export.text.splitlines()]
    assert (row["id"], row["text"], row["label"]) == (message.id, HINT, "imminent")
    assert (row["outcome"], row["given"], row["category"]) == ("missed", "low", "suicide")
