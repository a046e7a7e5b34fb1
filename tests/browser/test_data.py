"""A person's own data: download, consent, delete."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, replied, send


def _settings(page: Page) -> None:
    page.get_by_role("button", name="Privacy and settings").click()


def test_all_data_can_be_downloaded(page: Page) -> None:
    send(page, "what I wrote")
    replied(page)
    _settings(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data", exact=False).click()

    data = json.loads(Path(download.value.path()).read_text("utf-8"))

    assert {"text": "what I wrote"} in data["messages"]


def test_the_conversations_can_be_downloaded_to_read(page: Page) -> None:
    send(page, "what <b>I</b> wrote")
    replied(page)
    _settings(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my conversations to read").click()

    text = Path(download.value.path()).read_text("utf-8")

    assert download.value.suggested_filename == "hearken-my-conversations.html"
    assert "<p>what &lt;b&gt;I&lt;/b&gt; wrote</p>" in text
    assert "You have not answered yet" in text


def test_consent_is_off_until_it_is_given(page: Page, site: Site) -> None:
    send(page, "hello")
    replied(page)
    _settings(page)
    box = page.get_by_label("My conversations may be used")
    expect(box).not_to_be_checked()

    box.check()

    expect(page.locator(".hk-toast")).to_contain_text("Saved")
    session = page.evaluate("history.state.conversation")
    person = site.conversations.sessions[session].person_id
    assert site.conversations.persons[person].consent


def test_one_conversation_can_be_deleted(page: Page, site: Site) -> None:
    send(page, "delete me")
    replied(page)
    session = page.evaluate("history.state.conversation")
    _settings(page)
    page.get_by_role("button", name="Delete this conversation").click()
    page.get_by_role("dialog", name="Delete this conversation?").get_by_role("button", name="Delete").click()

    expect(page.locator(".hk-item")).to_have_count(0)
    expect(page.locator("#hk-conversations [data-open]")).to_have_count(0)
    assert session not in site.conversations.sessions


def test_everything_can_be_deleted(page: Page, site: Site) -> None:
    send(page, "delete all of me")
    replied(page)
    session = page.evaluate("history.state.conversation")
    person = site.conversations.sessions[session].person_id
    _settings(page)
    page.get_by_role("button", name="Delete all my data").click()
    page.get_by_role("dialog", name="Delete everything?").get_by_role("button", name="Delete").click()

    expect(page.locator(".hk-toast")).to_contain_text("Everything was deleted")
    assert person not in site.conversations.persons


def test_nothing_is_deleted_without_a_second_yes(page: Page, site: Site) -> None:
    send(page, "keep me")
    replied(page)
    session = page.evaluate("history.state.conversation")
    _settings(page)
    page.get_by_role("button", name="Delete all my data").click()

    page.get_by_role("dialog", name="Delete everything?").get_by_role("button", name="Cancel").click()

    assert session in site.conversations.sessions
    expect(page.locator(".hk-mine .hk-bubble")).to_have_text("keep me")


@pytest.mark.parametrize(
    ("service", "press", "told"),
    [
        ("export", ("Download my data, all of it (JSON)",), "could not be downloaded"),
        ("transcript", ("Download my conversations to read",), "could not be downloaded"),
        ("delete", ("Delete this conversation", "Delete"), "could not be deleted"),
        ("delete_all", ("Delete all my data", "Delete"), "could not be deleted"),
    ],
)
def test_what_failed_is_what_is_told(
    page: Page, site: Site, monkeypatch: pytest.MonkeyPatch, service: str, press: tuple[str, ...], told: str
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    send(page, "hello")
    replied(page)
    monkeypatch.setattr(site.conversations, service, broken)
    _settings(page)
    for name in press:
        page.get_by_role("button", name=name, exact=True).click()

    # One look: the words go away after some seconds.
    expect(page.locator(".hk-toast-error")).to_have_text(re.compile(f"^(?!.*saved).*{told}"))
