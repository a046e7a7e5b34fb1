"""What axe finds: nothing serious in our own elements; what Gradio brings is listed beside this file."""

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE, OpenPage, replied, send

KNOWN = Path(__file__).parent / "gradio_findings.json"
SERIOUS = {"serious", "critical"}
OWN = "one => one.closest('[class*=hk-], [id^=hk-]') !== null && !one.matches('#hk-view')"


def _findings(page: Page) -> list[dict[str, Any]]:
    """One entry for each element with a fault: rule, impact, selector and whether it is ours."""
    found: list[dict[str, Any]] = []
    for fault in Axe().run(page).response["violations"]:
        for node in fault["nodes"]:
            selector = node["target"][-1]
            ours = page.locator(selector).first.evaluate(OWN)
            found.append({"rule": fault["id"], "impact": fault["impact"], "where": selector, "ours": ours})
    return found


def _check(page: Page) -> None:
    found = _findings(page)
    known = {entry["rule"] for entry in json.loads(KNOWN.read_text("utf-8"))}

    assert [one for one in found if one["ours"] and one["impact"] in SERIOUS] == []
    assert [one for one in found if not one["ours"] and one["rule"] not in known] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_conversation_in_a_crisis(open_page: OpenPage, size: dict[str, int], scheme: str) -> None:
    page = open_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    send(page, "hello")
    replied(page)
    send(page, "crisis: I want to end it")
    replied(page, 2)

    _check(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen(open_page: OpenPage, scheme: str) -> None:
    _check(open_page(color_scheme=scheme, reduced_motion="reduce"))


def test_the_rating_form(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    send(page, "hello")
    replied(page)
    page.get_by_role("button", name="Not helpful").click()
    page.wait_for_selector(".hk-reasons")

    _check(page)


@pytest.mark.parametrize("opener", ["#hk-help", "#hk-settings"])
def test_the_dialogs(open_page: OpenPage, opener: str) -> None:
    page = open_page(reduced_motion="reduce")
    page.click(opener)
    page.wait_for_selector("dialog[open] a")

    _check(page)


def test_a_reply_in_the_making_and_a_failed_one(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    send(page, "this will fail")
    page.wait_for_selector(".hk-trouble")
    page.fill("#hk-message", "x" * 4001)

    _check(page)


def test_chinese(open_page: OpenPage) -> None:
    page = open_page(locale="zh-CN", reduced_motion="reduce")
    send(page, "crisis")
    replied(page)

    _check(page)
