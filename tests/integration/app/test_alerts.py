"""Reviewers are told of flags by mail and webhook: once a level, again when late, and never what was said."""

import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from pydantic import HttpUrl, SecretStr

from app.alert_channels import Channel, channels_for
from app.alert_job import AlertJob
from app.db.engine import SessionFactory
from app.db.records import Flag, FlagOutcome, StaffRole
from app.settings_alerts import AlertSettings
from app.settings_staff import ReviewSettings
from safety.levels import RiskCategory, RiskLevel
from tests.fakes.clock import FakeClock
from tests.fakes.mail_server import MailServer, a_mail_server
from tests.integration.app.db.store import Store, a_store

LIMITS = ReviewSettings().limits
SAID = "I have the pills here"
SECRET = "a shared secret of some length"


@dataclass
class WebServer:
    """What was posted; ``status`` is what it answers."""

    port: int = 0
    status: int = 204
    posts: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def events(self) -> list[str]:
        return [json.loads(body)["event"] for _, body in self.posts]


@pytest.fixture
def web() -> Any:
    taken = WebServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            taken.posts.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(taken.status)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    taken.port = server.server_port
    Thread(target=server.serve_forever, daemon=True).start()
    yield taken
    server.shutdown()
    server.server_close()


@pytest.fixture
async def post_office() -> AsyncIterator[MailServer]:
    async with a_mail_server() as server:
        yield server


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(factory: SessionFactory, clock: FakeClock) -> Store:
    return a_store(factory, clock)


def webhook(web: WebServer, secret: str | None = None) -> list[Channel]:
    url = HttpUrl(f"http://127.0.0.1:{web.port}/hook?token=hidden-in-the-address")
    return channels_for(
        AlertSettings(webhook_url=url, webhook_secret=None if secret is None else SecretStr(secret))
    )


def mail(server: MailServer) -> list[Channel]:
    return channels_for(
        AlertSettings(
            smtp_host="127.0.0.1",
            smtp_port=server.port,
            smtp_security="none",
            mail_to="duty@example.org, lead@example.org",
        )
    )


def a_job(store: Store, channels: list[Channel]) -> AlertJob:
    return AlertJob(store.notices, channels, LIMITS, "https://talk.example.org", store.clock)


async def alarm(store: Store, level: RiskLevel, session_id: str | None = None) -> Flag:
    session_id = session_id or (await store.session()).id
    message = await store.messages.add_user(session_id, SAID)
    return await store.flags.raise_flag(session_id, message.id, level, RiskCategory.SUICIDE)


async def test_a_mail_names_level_category_and_place_and_nothing_that_was_said(
    store: Store, post_office: MailServer
) -> None:
    flag = await alarm(store, RiskLevel.IMMINENT)
    await a_job(store, mail(post_office)).tell_all()
    (sent,) = post_office.mails
    assert post_office.recipients == ["duty@example.org", "lead@example.org"]
    assert sent["subject"] == "Hearken: imminent, suicide – new flag · 新标记"
    assert f"https://talk.example.org/review/?flag={flag.id}" in str(sent.get_content())
    assert "pills" not in sent.as_string()


async def test_a_webhook_gets_facts_and_a_signature_over_time_and_body(store: Store, web: WebServer) -> None:
    flag = await alarm(store, RiskLevel.MODERATE)
    await a_job(store, webhook(web, SECRET)).tell_all()
    ((headers, body),) = web.posts
    assert json.loads(body) == {
        "event": "opened",
        "flag": flag.id,
        "level": "moderate",
        "category": "suicide",
        "due_at": (flag.opened_at + timedelta(hours=24)).isoformat(),
        "review": f"https://talk.example.org/review/?flag={flag.id}",
    }
    signed = headers["x-hearken-timestamp"].encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["x-hearken-signature"] == f"sha256={expected}"


async def test_a_flag_is_told_once_even_after_a_restart(store: Store, web: WebServer) -> None:
    await alarm(store, RiskLevel.MODERATE)
    for _ in range(3):
        await a_job(store, webhook(web)).tell_all()
    assert web.events() == ["opened"]


async def test_a_flag_is_told_again_when_its_level_rises(
    store: Store, clock: FakeClock, web: WebServer
) -> None:
    job, session = a_job(store, webhook(web)), await store.session()
    await alarm(store, RiskLevel.MODERATE, session.id)
    await job.tell_all()
    clock.advance(minutes=1)
    await alarm(store, RiskLevel.MODERATE, session.id)
    await job.tell_all()
    assert web.events() == ["opened"]
    await alarm(store, RiskLevel.IMMINENT, session.id)
    await job.tell_all()
    assert web.events() == ["opened", "raised"]


async def test_an_alarm_after_a_follow_up_was_agreed_is_told_again(
    store: Store, clock: FakeClock, web: WebServer
) -> None:
    job, session = a_job(store, webhook(web)), await store.session()
    staff = await store.staff.create("a", None, StaffRole.ADMIN)
    flag = await alarm(store, RiskLevel.IMMINENT, session.id)
    await job.tell_all()
    answered = await store.flags.set_outcome(flag.id, FlagOutcome.NEEDS_FOLLOW_UP, staff.id, flag.version)
    clock.advance(hours=1)
    await job.tell_all()
    assert web.events() == ["opened"]
    again = await alarm(store, RiskLevel.MODERATE, session.id)
    assert (again.id, again.level, again.clock_from) == (answered.id, RiskLevel.IMMINENT, clock.time)
    await job.tell_all()
    assert web.events() == ["opened", "raised"]


async def test_a_flag_that_is_late_is_reminded_of_once(
    store: Store, clock: FakeClock, web: WebServer
) -> None:
    job = a_job(store, webhook(web))
    await alarm(store, RiskLevel.IMMINENT)
    await job.tell_all()
    clock.advance(minutes=14)
    await job.tell_all()
    assert web.events() == ["opened"]
    clock.advance(minutes=1)
    for _ in range(3):
        await job.tell_all()
    assert web.events() == ["opened", "overdue"]


async def test_an_answered_flag_is_not_reminded_of(store: Store, clock: FakeClock, web: WebServer) -> None:
    staff, flag = await store.staff.create("a", None, StaffRole.ADMIN), await alarm(store, RiskLevel.IMMINENT)
    job = a_job(store, webhook(web))
    await job.tell_all()
    await store.flags.set_outcome(flag.id, FlagOutcome.TRUE_ALARM, staff.id, flag.version)
    clock.advance(hours=1)
    await job.tell_all()
    assert web.events() == ["opened"]


async def test_a_failure_is_tried_again_with_growing_waits(
    store: Store, clock: FakeClock, web: WebServer
) -> None:
    web.status = 500
    job = a_job(store, webhook(web))
    await alarm(store, RiskLevel.MODERATE)
    for seconds, attempts in ((0, 1), (29, 1), (1, 2), (59, 2), (1, 3)):
        clock.advance(seconds=seconds)
        await job.tell_all()
        assert len(web.posts) == attempts
    web.status = 204
    clock.advance(minutes=2)
    assert await job.tell_all() == 1
    clock.advance(hours=1)
    assert await job.tell_all() == 0


async def test_a_redirect_counts_as_a_failure(store: Store, web: WebServer) -> None:
    web.status = 307
    await alarm(store, RiskLevel.MODERATE)
    assert await a_job(store, webhook(web)).tell_all() == 0
    assert len(web.posts) == 1


async def test_one_channel_does_not_hold_up_the_other(
    store: Store, web: WebServer, post_office: MailServer
) -> None:
    post_office.refusing = True
    await alarm(store, RiskLevel.IMMINENT)
    job = a_job(store, [*mail(post_office), *webhook(web)])
    assert await job.tell_all() == 1
    assert [(part.name, part.state) for part in job.parts()] == [
        ("notifications by mail", "degraded"),
        ("notifications by webhook", "ok"),
    ]


async def test_a_failure_is_logged_and_reported_without_the_address(
    store: Store, web: WebServer, caplog: pytest.LogCaptureFixture
) -> None:
    web.status = 500
    flag = await alarm(store, RiskLevel.IMMINENT)
    job = a_job(store, webhook(web))
    with caplog.at_level(logging.DEBUG, logger="app"):
        await job.tell_all()
    said = " ".join(record.getMessage() for record in caplog.records if record.name.startswith("app"))
    assert f"flag {flag.id} was not told by webhook" in said
    assert "hidden-in-the-address" not in said + repr(job.parts())
    (part,) = job.parts()
    assert part.state == "degraded"


async def test_two_processes_tell_a_flag_once(store: Store, web: WebServer) -> None:
    await alarm(store, RiskLevel.MODERATE)
    (notice,) = await store.notices.pending("webhook", LIMITS)
    later = store.clock.time + timedelta(seconds=30)
    assert await store.notices.claim(notice.flag.id, "webhook", later)
    assert not await store.notices.claim(notice.flag.id, "webhook", later)
    assert await a_job(store, webhook(web)).tell_all() == 0


@pytest.mark.parametrize(
    "url",
    [
        "ftp://hook.example.org",
        "http://hook.example.org/x",
        "https://user:word@hook.example.org",
        "http://169.254.169.254/latest",
        "https://0.0.0.0/x",
    ],
)
def test_an_address_that_no_webhook_can_have_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="webhook_url"):
        AlertSettings.model_validate({"webhook_url": url})


@pytest.mark.parametrize("url", ["https://hook.example.org/x", "http://relay:8080/x", "http://10.0.0.7/x"])
def test_an_address_inside_or_over_https_is_taken(url: str) -> None:
    assert str(AlertSettings.model_validate({"webhook_url": url}).webhook_url) == url


@pytest.mark.parametrize("value", ["nobody", "a@b.org\nBcc: c@d.org", "a@b.org,,c@d.org"])
def test_what_is_no_list_of_addresses_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="mail_to"):
        AlertSettings.model_validate({"mail_to": value})
