"""What a person sees when the database can't be written."""

import asyncio
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.ui.texts import load_texts
from tests.browser.conftest import Site, replied, send

CRISIS = "crisis: I want to kill myself tonight"
NOT_SAVED = load_texts()["en"]("errors.not_saved")


async def refuse(*_: Any, **__: Any) -> Any:
    raise OSError("no space left on device")


def test_a_first_message_brings_help_and_stays_in_the_box(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.conversations, "create", refuse)
    send(page, CRISIS)

    expect(page.locator("#hk-card")).to_contain_text("988")
    expect(page.locator("#hk-problem")).to_have_text(NOT_SAVED)
    expect(page.locator("#hk-message")).to_have_value(CRISIS)
    expect(page.locator("body")).not_to_contain_text("connection was lost")

    monkeypatch.undo()
    page.press("#hk-message", "Enter")
    replied(page)
    expect(page.locator("#hk-problem")).to_be_hidden()


def test_a_later_message_brings_help_and_stays_in_the_box_before_what_was_written_meanwhile(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(page, "hello")
    replied(page)
    held = asyncio.Event()

    async def locked(*_: Any, **__: Any) -> Any:
        await held.wait()
        raise OSError("database is locked")

    monkeypatch.setattr(site.conversations, "owns", locked)
    send(page, CRISIS)
    expect(page.locator("#hk-card")).to_contain_text("988")
    expect(page.locator("#hk-items")).to_contain_text(CRISIS)
    page.fill("#hk-message", "and nobody knows")
    held._loop.call_soon_threadsafe(held.set)  # type: ignore[attr-defined]

    expect(page.locator("#hk-problem")).to_have_text(NOT_SAVED)
    expect(page.locator("#hk-message")).to_have_value(f"{CRISIS}\n\nand nobody knows")
    expect(page.locator("#hk-card")).to_contain_text("988")
