"""False alarms and misses as admins download them, on both databases."""

import csv
import io
import json
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.api.verdict_export import verdict_export_router
from app.auth.roles import StaffGate
from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import COOKIE_NAME
from app.db.engine import SessionFactory
from app.db.records import Flag, FlagOutcome, Message, Staff, StaffRole
from evals.crisis_data import read_file
from safety.levels import RiskCategory, RiskLevel
from tests.browser.staff_site import PASSWORD, _hash
from tests.fakes.clock import FakeClock
from tests.integration.app.auth.conftest import RULES
from tests.integration.app.db.store import Store, a_store, an_assessment

REASON = "rules of the spring release"


@pytest.fixture
def store(factory: SessionFactory) -> Store:
    return a_store(factory, FakeClock())


async def message_of(
    store: Store, text: str, *, consent: bool, given: RiskLevel = RiskLevel.MODERATE
) -> Message:
    person = await store.person()
    await store.persons.update(person.id, consent=consent)
    session = await store.session(person)
    message = await store.messages.add_user(session.id, text)
    await store.risk.add(message.id, session.id, an_assessment(given))
    return message


async def false_alarm(store: Store, staff: Staff, text: str, *, consent: bool = True) -> None:
    message = await message_of(store, text, consent=consent)
    flag = await store.flags.raise_flag(
        message.session_id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE
    )
    store.clock.advance(minutes=1)
    await store.flags.set_outcome(flag.id, FlagOutcome.FALSE_ALARM, staff.id, flag.version)


async def miss(
    store: Store,
    staff: Staff,
    text: str,
    outcome: FlagOutcome | None = None,
    given: RiskLevel = RiskLevel.LOW,
) -> Flag:
    """A message marked as missed, and what its flag was closed with."""
    message = await message_of(store, text, consent=True, given=given)
    flag = await store.missed.mark(
        message.id, message.session_id, RiskLevel.IMMINENT, RiskCategory.SELF_HARM, staff.id
    )
    store.clock.advance(minutes=1)
    return (
        flag if outcome is None else await store.flags.set_outcome(flag.id, outcome, staff.id, flag.version)
    )


async def found(store: Store) -> list[tuple[str, str]]:
    return [(one.text, one.outcome) async for one in store.verdicts.all(consented_only=True)]


async def download(
    store: Store, kind: str, role: StaffRole = StaffRole.ADMIN, method: str = "POST", **query: str
) -> httpx.Response:
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, store.clock)
    app = FastAPI()
    app.state.staff_gate = StaffGate(auth, store.audit)
    app.include_router(verdict_export_router(store.verdicts, store.audit))
    account = await store.staff.create(f"{role.value} {len(await store.staff.list_all())}", _hash(), role)
    token = (await auth.sign_in(account.username, PASSWORD)).token
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        headers = {"cookie": f"{COOKIE_NAME}={token}"}
        sent = {"data": query} if method == "POST" else {"params": query}
        return await client.request(method, f"/api/staff/verdicts.{kind}", headers=headers, **sent)


@pytest.fixture
async def reviewer(store: Store) -> Staff:
    return await store.staff.create("reviewer", None, StaffRole.ADMIN)


async def test_false_alarms_and_misses_are_what_the_crisis_evaluation_reads(
    store: Store, reviewer: Staff, tmp_path: Path
) -> None:
    await false_alarm(store, reviewer, "this song kills me")
    await miss(store, reviewer, "I packed the rope")
    answer = await download(store, "jsonl", reason=REASON)
    file = tmp_path / "verdicts.jsonl"
    file.write_text(answer.text, encoding="utf-8")
    assert [(case.lang, case.turns, case.labels) for case in read_file(file)] == [
        ("en", ("this song kills me",), (RiskLevel.NONE,)),
        ("en", ("I packed the rope",), (RiskLevel.IMMINENT,)),
    ]
    first = json.loads(answer.text.splitlines()[0])
    assert (first["given"], first["layer"], first["rules"], first["outcome"]) == (
        "moderate",
        "rules",
        ["en.plan"],
        "false_alarm",
    )


async def test_texts_of_persons_who_did_not_agree_are_left_out_unless_asked_for(
    store: Store, reviewer: Staff
) -> None:
    await false_alarm(store, reviewer, "private", consent=False)
    assert (await download(store, "jsonl", reason=REASON)).text == ""
    assert "private" in (await download(store, "jsonl", reason=REASON, unconsented="true")).text


async def test_each_download_is_audited_with_its_reason_and_without_texts(
    store: Store, reviewer: Staff
) -> None:
    await false_alarm(store, reviewer, "this song kills me")
    await download(store, "csv", reason=REASON, unconsented="true")
    (entry,) = [one for one in await store.audit.recent() if one.action == "verdicts.exported"]
    assert dict(entry.detail) == {"kind": "csv", "reason": REASON, "unconsented": True}


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
async def test_the_audit_log_has_the_number_of_rows_that_left(
    store: Store, reviewer: Staff, kind: str
) -> None:
    await false_alarm(store, reviewer, "this song kills me")
    await miss(store, reviewer, "I packed the rope")
    await download(store, kind, reason=REASON)
    (entry,) = [one for one in await store.audit.recent() if one.action == "export.finished"]
    assert (entry.object_id, dict(entry.detail)) == (f"verdicts.{kind}", {"rows": 2})


async def test_without_a_reason_nothing_is_given(store: Store, reviewer: Staff) -> None:
    await false_alarm(store, reviewer, "this song kills me")
    assert (await download(store, "jsonl")).status_code == 422


async def test_a_reason_in_the_address_gives_nothing(store: Store, reviewer: Staff) -> None:
    await false_alarm(store, reviewer, "this song kills me")
    answer = await download(store, "jsonl", method="GET", reason=REASON)
    assert answer.status_code == 405


async def test_an_annotator_gets_nothing(store: Store) -> None:
    assert (await download(store, "jsonl", StaffRole.ANNOTATOR, reason=REASON)).status_code == 403


async def test_a_text_like_a_formula_is_harmless_in_a_spreadsheet(store: Store, reviewer: Staff) -> None:
    await false_alarm(store, reviewer, "=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO((await download(store, "csv", reason=REASON)).text)))
    assert [row["text"] for row in rows] == ["'=HYPERLINK(1)"]


async def test_pages_follow_each_other_without_gap_or_repetition(
    store: Store, reviewer: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.db.verdicts._PAGE", 2)
    for number in range(5):
        await false_alarm(store, reviewer, f"text {number}")
    assert [one.text async for one in store.verdicts.all(consented_only=True)] == [
        f"text {number}" for number in range(5)
    ]


@pytest.mark.parametrize("reason", ["          ", "\u200b" * 12, "because", "a" * 24, "test test test"])
async def test_a_reason_that_nobody_can_read_gives_nothing(
    store: Store, reviewer: Staff, reason: str
) -> None:
    await false_alarm(store, reviewer, "private", consent=False)
    answer = await download(store, "jsonl", reason=reason, unconsented="true")
    assert answer.status_code == 422
    assert "private" not in answer.text


@pytest.mark.parametrize(
    ("outcome", "listed"),
    [
        (None, [("tomorrow", "missed")]),
        (FlagOutcome.TRUE_ALARM, [("tomorrow", "missed")]),
        (FlagOutcome.ESCALATED, [("tomorrow", "missed")]),
        (FlagOutcome.NEEDS_FOLLOW_UP, [("tomorrow", "missed")]),
        (FlagOutcome.FALSE_ALARM, []),
    ],
)
async def test_a_mark_counts_until_a_reviewer_closes_its_flag_as_a_false_alarm(
    store: Store, reviewer: Staff, outcome: FlagOutcome | None, listed: list[tuple[str, str]]
) -> None:
    await miss(store, reviewer, "tomorrow", outcome)
    assert await found(store) == listed


async def test_a_flag_that_is_open_again_leaves_its_mark_standing(store: Store, reviewer: Staff) -> None:
    flag = await miss(store, reviewer, "tomorrow", FlagOutcome.FALSE_ALARM)
    await store.flags.reopen(flag.id, flag.version)
    assert await found(store) == [("tomorrow", "missed")]


async def test_what_the_layers_flagged_too_is_their_false_alarm_once(store: Store, reviewer: Staff) -> None:
    message = await message_of(store, "this song kills me", consent=True)
    session = message.session_id
    first = await store.flags.raise_flag(session, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    await store.flags.set_outcome(first.id, FlagOutcome.FALSE_ALARM, reviewer.id, first.version)
    store.clock.advance(minutes=1)
    marked = await store.missed.mark(
        message.id, session, RiskLevel.IMMINENT, RiskCategory.SUICIDE, reviewer.id
    )
    assert await found(store) == [("this song kills me", "missed")]
    await store.flags.set_outcome(marked.id, FlagOutcome.FALSE_ALARM, reviewer.id, marked.version)
    assert await found(store) == [("this song kills me", "false_alarm")]


async def test_a_mark_that_raised_the_flag_of_the_layers_leaves_them_their_false_alarm(
    store: Store, reviewer: Staff
) -> None:
    await miss(store, reviewer, "this song kills me", FlagOutcome.FALSE_ALARM, given=RiskLevel.MODERATE)
    assert await found(store) == [("this song kills me", "false_alarm")]
