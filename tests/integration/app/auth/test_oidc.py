"""Signing in by a provider: what gets in, and everything that must not."""

import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError
from starlette.routing import Mount

from app.address_limit import AddressLimit
from app.api.oidc_login import ADDRESS, oidc_app
from app.api.staff_login import staff_login_router
from app.api.staff_me import staff_me_router
from app.auth.accounts import Accounts
from app.auth.oidc import ProviderSignIn
from app.auth.staff_cookie import COOKIE_NAME
from app.db.engine import SessionFactory
from app.db.records import Staff, StaffRole
from app.settings import Settings, SettingsError, load_settings
from app.settings_oidc import OidcSettings
from app.staff import add_staff
from app.ui.login_page import StaffPages
from app.ui.staff_texts import load_staff_texts
from safety.helplines import load_directory
from tests.fakes.oidc_provider import CLIENT_ID, CLIENT_SECRET, ISSUER, Provider
from tests.integration.app.auth.conftest import Desk
from tests.integration.app.test_staff_pages import database_url

__all__ = ["database_url"]
SITE = "http://localhost"
ANNA = {"email": "anna@example.org", "email_verified": True}


@dataclass
class World:
    """The staff side with a provider, and a browser before it."""

    desk: Desk
    provider: Provider
    browser: httpx.AsyncClient

    async def account(self, role: StaffRole = StaffRole.ANNOTATOR) -> Staff:
        """An account that can sign in by the provider only."""
        return await self.desk.store.staff.create("anna@example.org", None, role)

    async def to_provider(self, wanted: str = "") -> str:
        answer = await self.browser.get("/login/oidc/start", params={"next": wanted})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    async def sign_in(self, wanted: str = "") -> httpx.Response:
        """The whole way, there and back."""
        return await self.browser.get(self.provider.sign_in(await self.to_provider(wanted)))

    async def why(self) -> list[tuple[str, object]]:
        """What the audit log says about failures, oldest first."""
        entries = reversed(await self.desk.store.audit.recent())
        return [(one.action, one.detail.get("why")) for one in entries if one.action.startswith("sign_in.")]


Build = Callable[..., World]


@pytest.fixture
async def build(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Build]:
    monkeypatch.chdir(tmp_path)
    browsers: list[httpx.AsyncClient] = []

    def make(public_url: str | None = None, sign_ins_per_hour: int = 0, **options: Any) -> World:
        provider = Provider(claims=dict(ANNA))
        oidc = OidcSettings.model_validate(
            {
                "discovery_url": f"{ISSUER}/.well-known/openid-configuration",
                "client_id": CLIENT_ID,
                "client_secret": CLIENT_SECRET,
                **options,
            }
        )
        settings = Settings.model_validate({"oidc": oidc, "server": {"public_url": public_url}})
        pages = StaffPages(load_staff_texts(), oidc.label)
        attempts = AddressLimit(sign_ins_per_hour)
        app = FastAPI(openapi_url=None)
        app.state.staff_gate = desk.gate
        app.include_router(staff_login_router(desk.auth, pages, attempts, secure=settings.secure_cookies))
        app.include_router(staff_me_router(lambda _: None))
        admit = ProviderSignIn(desk.auth, desk.store.staff, desk.store.audit, oidc)
        app.mount(ADDRESS, oidc_app(settings, "a key", admit, pages, attempts, provider))
        transport = httpx.ASGITransport(app)
        browsers.append(httpx.AsyncClient(transport=transport, base_url=public_url or SITE))
        return World(desk, provider, browsers[-1])

    yield make
    for browser in browsers:
        await browser.aclose()


def token_in(answer: httpx.Response) -> str:
    """The login that the answer gives to the browser."""
    found = re.search(rf"{COOKIE_NAME}=([^;]+)", ",".join(answer.headers.get_list("set-cookie")))
    assert found is not None
    return found[1]


def refused(answer: httpx.Response) -> bool:
    """Whether it is the one page for all failures, without a login."""
    kind = "Signing in by the provider did not work" in answer.text
    return kind and answer.status_code == 401 and COOKIE_NAME not in answer.headers.get("set-cookie", "")


async def test_an_account_without_a_password_gets_in_by_the_provider_only(build: Build) -> None:
    world = build()
    await world.account()
    answer = await world.sign_in()
    assert (answer.status_code, answer.headers["refresh"]) == (200, "0;url=/annotate")
    who = await world.desk.auth.who(token_in(answer))
    assert who is not None
    assert who.username == "anna@example.org"
    by_password = await world.browser.post("/login", data={"username": "anna@example.org", "password": ""})
    assert by_password.status_code == 401


async def test_the_form_names_the_provider_and_leads_there(build: Build) -> None:
    page = (await build(label="Example & Co").browser.get("/login", params={"next": "/review"})).text
    assert '<a href="/login/oidc/start?next=%2Freview">Sign in with Example &amp; Co</a>' in page


async def test_the_request_carries_state_nonce_and_a_challenge_that_differ_each_time(build: Build) -> None:
    world = build()
    asked = [parse_qs(urlsplit(await world.to_provider()).query) for _ in range(2)]
    for name in ("state", "nonce", "code_challenge"):
        assert len({one[name][0] for one in asked}) == 2
    assert asked[0]["redirect_uri"] == [f"{SITE}/login/oidc/callback"]


async def test_behind_a_proxy_the_address_to_come_back_to_is_the_public_one(build: Build) -> None:
    world = build(public_url="https://talk.example.org")
    asked = parse_qs(urlsplit(await world.to_provider()).query)
    assert asked["redirect_uri"] == ["https://talk.example.org/login/oidc/callback"]


async def test_what_is_remembered_meanwhile_is_for_these_addresses_and_minutes_only(build: Build) -> None:
    world = build(public_url="https://talk.example.org")
    answer = await world.browser.get("/login/oidc/start")
    flags = {part.lower() for part in answer.headers["set-cookie"].split("; ")[1:]}
    assert flags == {"path=/login/oidc", "max-age=600", "httponly", "samesite=lax", "secure"}


async def test_a_sign_in_gets_a_fresh_token_whatever_the_browser_brought(build: Build) -> None:
    world = build()
    await world.account()
    world.browser.cookies.set(COOKIE_NAME, "planted by somebody else")
    answer = await world.sign_in()
    assert token_in(answer) != "planted by somebody else"
    assert await world.desk.auth.who("planted by somebody else") is None


async def test_a_wrong_state_is_refused(build: Build) -> None:
    world = build()
    await world.account()
    back = world.provider.sign_in(await world.to_provider())
    answer = await world.browser.get(re.sub(r"state=[^&]+", "state=made-up", back))
    assert refused(answer)
    assert await world.why() == [("sign_in.failed", "answer")]


async def test_the_first_sign_in_binds_the_account_to_the_providers_user(build: Build) -> None:
    world = build()
    await world.account()
    assert (await world.sign_in()).status_code == 200
    bound = await world.desk.store.staff.by_username("anna@example.org")
    assert bound is not None
    assert bound.provider_subject == f"{ISSUER} 1"
    assert "staff.bound" in await world.desk.actions()


async def test_somebody_else_of_the_same_name_is_refused_until_an_operator_unbinds_it(
    build: Build,
) -> None:
    world = build()
    await world.account()
    await world.sign_in()
    world.provider.claims = {**ANNA, "sub": "2"}
    assert refused(await world.sign_in())
    assert ("sign_in.failed", "other_subject") in await world.why()
    store = world.desk.store
    bound = await store.staff.by_username("anna@example.org")
    assert bound is not None
    await Accounts(store.staff, store.audit, "system:test").unbind(bound)
    assert (await world.sign_in()).status_code == 200


async def test_who_got_a_new_name_at_the_provider_keeps_the_account(build: Build) -> None:
    world = build()
    await world.account()
    await world.sign_in()
    world.provider.claims = {**ANNA, "email": "anna.new@example.org"}
    who = await world.desk.auth.who(token_in(await world.sign_in()))
    assert who is not None
    assert who.username == "anna@example.org"


async def test_a_provider_that_tells_no_subject_is_refused(build: Build) -> None:
    world = build()
    await world.account()
    world.provider.claims = {**ANNA, "sub": ""}
    assert refused(await world.sign_in())


async def test_attempts_by_provider_and_by_password_are_limited_together(build: Build) -> None:
    world = build(sign_ins_per_hour=2)
    await world.account()
    form = {"username": "nobody", "password": "no such password"}
    tried = [(await world.browser.post("/login", data=form)).status_code for _ in range(2)]
    answer = await world.sign_in()
    assert tried == [401, 401]
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert COOKIE_NAME not in answer.headers.get("set-cookie", "")


async def test_an_answer_in_another_browser_is_refused(build: Build) -> None:
    world, other = build(), build()
    await world.account()
    back = world.provider.sign_in(await world.to_provider())
    assert refused(await other.browser.get(back))


async def test_an_answer_works_once(build: Build) -> None:
    world = build()
    await world.account()
    back = world.provider.sign_in(await world.to_provider())
    assert (await world.browser.get(back)).status_code == 200
    assert refused(await world.browser.get(back))


@pytest.mark.parametrize(
    "spoil",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"iss": "https://evil.example"},
        {"aud": "another-client"},
        {"exp": int(time.time()) - 3600},
    ],
    ids=lambda spoil: next(iter(spoil)),
)
async def test_a_token_that_was_not_made_for_this_sign_in_is_refused(
    build: Build, spoil: dict[str, Any]
) -> None:
    world = build()
    await world.account()
    world.provider.spoil = spoil
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.failed", "answer")]


async def test_a_token_signed_with_another_key_is_refused(build: Build) -> None:
    world = build()
    await world.account()
    world.provider.foreign_key = True
    assert refused(await world.sign_in())


async def test_an_unknown_user_is_refused_and_no_account_is_made(build: Build) -> None:
    world = build()
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.failed", "unknown")]
    assert await world.desk.store.staff.list_all() == []


async def test_a_disabled_account_is_refused(build: Build) -> None:
    world = build()
    anna = await world.account()
    await world.desk.store.staff.disable(anna.id)
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.refused", None)]


@pytest.mark.parametrize("said", [False, None, "true", "false", 1])
async def test_an_unverified_address_is_refused(build: Build, said: object) -> None:
    world = build()
    await world.account()
    world.provider.claims["email_verified"] = said
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.failed", "unverified")]


async def test_a_refusal_by_the_provider_is_the_same_page_and_repeats_nothing(build: Build) -> None:
    answer = await build().browser.get("/login/oidc/callback?error=x&error_description=<b>come+in</b>")
    assert refused(answer)
    assert "come in" not in answer.text


async def test_a_provider_that_does_not_answer_is_told_kindly(build: Build) -> None:
    world = build()
    world.provider.down = True
    assert refused(await world.browser.get("/login/oidc/start"))


@pytest.mark.parametrize("wanted", ["https://evil.example", "//evil.example", "/review/../x", "/login"])
async def test_the_way_back_never_leads_off_this_site(build: Build, wanted: str) -> None:
    world = build()
    await world.account()
    assert (await world.sign_in(wanted)).headers["refresh"] == "0;url=/annotate"


async def test_the_page_that_was_asked_for_is_opened(build: Build) -> None:
    world = build()
    await world.account(StaffRole.ADMIN)
    assert (await world.sign_in("/staff")).headers["refresh"] == "0;url=/staff"


async def test_roles_follow_groups_when_they_are_set(build: Build) -> None:
    world = build(admin_groups="leads, heads", annotator_groups="raters")
    anna = await world.account()
    world.provider.claims["groups"] = ["raters", "heads"]
    await world.sign_in()
    after = await world.desk.store.staff.get(anna.id)
    assert after is not None
    assert after.role is StaffRole.ADMIN
    audited = {(one.actor, one.action) for one in await world.desk.store.audit.recent()}
    assert ("system:oidc", "staff.role_changed") in audited


async def test_the_last_admin_stays_one_whatever_the_groups_say(build: Build) -> None:
    world = build(admin_groups="leads", annotator_groups="raters")
    anna = await world.account(StaffRole.ADMIN)
    world.provider.claims["groups"] = ["raters"]
    assert (await world.sign_in()).status_code == 200
    now = await world.desk.store.staff.get(anna.id)
    assert now == replace(anna, provider_subject=f"{ISSUER} 1")


@pytest.mark.parametrize("groups", [None, [], ["others"], "raters"])
async def test_whoever_is_in_no_group_is_refused(build: Build, groups: object) -> None:
    world = build(annotator_groups="raters")
    await world.account()
    world.provider.claims["groups"] = groups
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.failed", "no_group")]


async def test_accounts_are_made_only_when_the_setting_says_so(build: Build) -> None:
    world = build(create_accounts=True)
    assert (await world.sign_in()).headers["refresh"] == "0;url=/annotate"
    (made,) = await world.desk.store.staff.list_all()
    assert (made.username, made.role, made.password_hash) == ("anna@example.org", StaffRole.ANNOTATOR, None)


async def test_a_provider_makes_no_account_of_a_name_that_can_not_be_seen_whole(build: Build) -> None:
    world = build(create_accounts=True)
    world.provider.claims["email"] = "anna\u200b@example.org"
    assert refused(await world.sign_in())
    assert await world.why() == [("sign_in.failed", "odd_name")]


@pytest.mark.parametrize("url", [None, f"{ISSUER}/.well-known/openid-configuration"])
async def test_the_addresses_are_there_when_a_provider_is_set(
    factory: SessionFactory, tmp_path: Path, url: str | None
) -> None:
    given = {"discovery_url": url, "client_id": "i", "client_secret": "s"}
    settings = Settings.model_validate({"oidc": given, "storage": {"folder": tmp_path}})
    app = FastAPI(openapi_url=None)
    add_staff(app, settings, factory, load_directory())
    mounted = {route.path for route in app.routes if isinstance(route, Mount)}
    assert (ADDRESS in mounted) is (url is not None)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (
            {"DISCOVERY_URL": "http://id.example.org/x"},
            "HEARKEN_OIDC__DISCOVERY_URL: must begin with https://",
        ),
        ({"DISCOVERY_URL": "no address"}, "HEARKEN_OIDC__DISCOVERY_URL: "),
        ({"DISCOVERY_URL": ISSUER, "CLIENT_SECRET": "s"}, "HEARKEN_OIDC__CLIENT_ID: is needed when"),
        ({"DISCOVERY_URL": ISSUER, "CLIENT_ID": "i"}, "HEARKEN_OIDC__CLIENT_SECRET: is needed when"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_its_name(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], named: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(f"HEARKEN_OIDC__{name}", value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert str(error.value).startswith(named)


def test_a_provider_on_this_machine_needs_no_tls() -> None:
    with pytest.raises(ValidationError):
        OidcSettings.model_validate({"discovery_url": "http://localhost:9/x"})
    given = {"discovery_url": "http://localhost:9/x", "client_id": "i", "client_secret": "s"}
    assert OidcSettings.model_validate(given).client_id == "i"
