"""What a person sees when the database can't be written."""

import asyncio
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.ui.texts import load_texts
from tests.browser.conftest import Site, conversation_of, replied, send, until

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


def test_a_message_that_could_not_be_stored_while_a_newer_one_was_sent_is_sent_again(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(page, "hello")
    replied(page)
    owns, held, calls = site.conversations.owns, asyncio.Event(), []

    async def locked_once(person_id: str, session_id: str) -> bool:
        calls.append(session_id)
        if len(calls) == 1:
            await held.wait()
            raise OSError("database is locked")
        return await owns(person_id, session_id)

    monkeypatch.setattr(site.conversations, "owns", locked_once)
    send(page, "the one before")
    until(page, lambda: len(calls) == 1)
    send(page, "the newer one")
    until(page, lambda: len(calls) > 1)
    held._loop.call_soon_threadsafe(held.set)  # type: ignore[attr-defined]

    replied(page, 3)
    said = [one.text for one in site.conversations.messages[conversation_of(page)] if one.role == "user"]
    assert said == ["hello", "the newer one", "the one before"]
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text(said)
