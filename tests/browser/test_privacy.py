"""What leaves the page, what stays in the browser, and what text can do."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Site, ready, replied, send

HOSTILE = """<script>window.hit = 1</script><img src=x onerror="window.hit = 2">
[link](javascript:window.hit=3) **bold** <a href="javascript:window.hit=4">a</a> ${window.hit=5}
{{hit}} </textarea>"""


def test_no_request_goes_to_another_host(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto(site.url)
    ready(page)
    send(page, "crisis")
    replied(page)
    page.get_by_role("button", name="Help lines", exact=True).click()
    page.wait_for_selector("#hk-help-body .hk-lines")

    assert hosts - {""} == {urlsplit(site.url).netloc}


def test_nothing_written_is_kept_in_the_browsers_storage(page: Page) -> None:
    send(page, "a very private sentence")
    replied(page)

    kept = page.evaluate(
        """async () => {
          const bases = await indexedDB.databases();
          return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, bases.map((one) => one.name)]);
        }"""
    )

    assert kept == "[{},{},[]]"
    assert page.evaluate("JSON.stringify(history.state)").count("private") == 0


def test_the_person_cookie_is_out_of_reach_of_scripts(page: Page) -> None:
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}

    assert cookies["hearken_person"]["httpOnly"]
    assert "hearken_person" not in page.evaluate("document.cookie")


def test_markup_in_a_message_is_shown_as_text(page: Page) -> None:
    send(page, HOSTILE)
    replied(page)
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(HOSTILE)

    page.reload()
    ready(page)

    assert page.locator(".hk-mine .hk-bubble").evaluate("one => one.children.length") == 0
    page.click("#hk-conversations [data-name]")
    page.fill("#hk-conversations input", HOSTILE[:60])
    page.press("#hk-conversations input", "Enter")
    expect(page.locator(".hk-list-title")).to_have_text(HOSTILE[:60].strip())
    assert page.evaluate("window.hit") is None


def test_gradios_other_pages_are_not_there(page: Page, site: Site) -> None:
    paths = (
        "config",
        "login",
        "monitoring",
        "gradio_api/runs",
        "gradio_api/info",
        "gradio_api/openapi.json",
        "gradio_api/file=/etc/passwd",
        "gradio_api/proxy=http://127.0.0.1/",
        "gradio_api/upload",
        "gradio_api/vibe-code",
    )

    statuses = {path: page.request.get(site.url + path).status for path in paths}

    assert set(statuses.values()) == {404}, statuses


def test_there_is_no_link_to_gradios_own_views(page: Page) -> None:
    expect(page.locator("footer:not(.hk-foot)")).to_have_count(0)
    assert "gradio.app" not in page.content()


def test_the_calls_of_the_page_need_its_cookie(page: Page, site: Site) -> None:
    send(page, "secret words")
    replied(page)
    session = page.evaluate("history.state.conversation")
    with page.expect_request("**/component_server/**") as asked:
        page.reload()
    # The number is this server's own: one counter goes through all pages.
    part: int = json.loads(asked.value.post_data or "{}")["component_id"]
    data = {"conversation": session}
    body: dict[str, Any] = {"data": data, "component_id": part, "fn_name": "open", "session_hash": "forged"}

    page.context.clear_cookies()
    answer = page.request.post(site.url + "gradio_api/component_server/", data=body)

    assert answer.json() == {"ok": False, "error": "no_cookie"}
