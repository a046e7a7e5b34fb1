"""A Chinese model with thoughts and an English one, both on real vLLM, and a person who writes to them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.ui.texts import load_texts
from models.ecot_form import stored_sections
from models.ecot_tags import SECTIONS
from tests.browser.conftest import READY_MS, ready, replied, send
from tests.browser.page_witness import pages_seen, replies_seen, watch
from tests.browser.staff_server import sign_in
from tests.browser.two_models import CHINESE, ENGLISH, ENGLISH_REPLY, TwoModels, two_models
from tests.integration.models.vllm_world import require_vllm

# Two servers and the application start one after the other, on two busy cores perhaps.
pytestmark = [pytest.mark.vllm, pytest.mark.timeout(2400)]

REPLY_MS = 300_000
SAID = (
    "我昨天被公司裁员了，心里特别乱",
    "房贷下个月就要还，还没想好怎么跟老婆说",
    "我真的不想活了",
    "我想周末跟家里人说说",
    "谢谢你听我说这些",
)
TAG = re.compile(
    r"(?:<|＜|&lt;|&#60;)\s*[/／]?\s*(?:think|thinking|situation|motivation|strategy|answer)\b", re.I
)
OTHER_MODEL = {texts("notice.other_model") for texts in load_texts().values()}
SHORTEST = 6
"""Characters of a clause that tells something; shorter ones are in what people say, too."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoModels]:
    require_vllm()
    with two_models(tmp_path_factory.mktemp("two_models")) as running:
        yield running


@pytest.fixture
def both(world: TwoModels) -> TwoModels:
    world.both_run()
    world.proxy.forget()
    return world


@pytest.fixture
def chinese_browser(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    return new_context(locale="zh-CN", timezone_id="Asia/Shanghai", reduced_motion="reduce")


def opened(context: BrowserContext, world: TwoModels) -> Page:
    page = context.new_page()
    page.set_default_timeout(REPLY_MS)
    page.goto(world.address)
    ready(page)
    return page


def stored(page: Page, world: TwoModels) -> dict[str, list[dict[str, Any]]]:
    """All rows of the person who sits before the page."""
    tables: dict[str, list[dict[str, Any]]] = page.request.get(f"{world.address}api/me/export").json()
    return tables


def thoughts_of(tables: dict[str, list[dict[str, Any]]]) -> list[dict[str, str]]:
    """The sections of every candidate of the Chinese model."""
    rows = [stored_sections(row["reasoning"] or "")[0] for row in tables["candidates"]]
    return [sections for sections in rows if sections]


def given_thoughts(tables: dict[str, list[dict[str, Any]]]) -> list[dict[str, str]]:
    """The sections of the replies that were given; of a misshapen one, those that it has."""
    chosen = [row for row in tables["candidates"] if row["chosen"]]
    return [sections for row in chosen if (sections := stored_sections(row["reasoning"] or "")[0])]


def clauses(thoughts: list[dict[str, str]], visible: str) -> set[str]:
    """What the thoughts say, in pieces; what may be seen anyway is no sign of a thought."""
    parts = {
        part for one in thoughts for text in one.values() for part in re.split("[，。；：、？！\\s]+", text)
    }
    return {part for part in parts if len(part) >= SHORTEST and part not in visible}


def found_in(parts: set[str], texts: list[str]) -> set[str]:
    return {part for part in parts for text in texts if part in text}


def models_of(tables: dict[str, list[dict[str, Any]]]) -> list[str | None]:
    return [row["model"] for row in tables["messages"] if row["role"] == "assistant"]


def test_five_chinese_turns_show_answers_and_no_thought_anywhere(
    both: TwoModels, chinese_browser: BrowserContext, new_context: Callable[..., BrowserContext]
) -> None:
    watch(chinese_browser)
    page = opened(chinese_browser, both)
    for number, text in enumerate(SAID, start=1):
        send(page, text)
        replied(page, number)
    frames, pages, growing = both.proxy.sent(), pages_seen(page), replies_seen(page)
    replies = page.locator(".hk-reply .hk-bubble").all_inner_texts()

    tables = stored(page, both)
    thoughts = thoughts_of(tables)
    answered = [model for model in models_of(tables) if model == CHINESE]
    assert len(answered) >= len(SAID) - 1  # at risk, a written reply may take the model's place
    parts = clauses(thoughts, "".join((*SAID, *replies)))
    assert len(parts) > len(SAID)
    assert len([one for one in thoughts if len(one) == len(SECTIONS)]) >= len(answered)
    assert all(reply in frames for reply in replies)  # the recorder hears what the page gets
    assert found_in(parts, [frames, *pages]) == set()
    assert [text for text in (frames, *pages) if TAG.search(text)] == []

    # Each reply came piece by piece.
    for reply in replies:
        beginnings = {text for text in growing if text and len(text) < len(reply) and reply.startswith(text)}
        assert len(beginnings) > 2, reply

    # Staff see the three parts of what was thought before each reply, after opening the conversation.
    both.proxy.forget()
    desk = new_context(reduced_motion="reduce").new_page()
    desk.set_default_timeout(READY_MS)
    sign_in(desk, both.proxy.url, both.add_admin(), "/review")
    desk.click(".hk-queue button >> nth=0")
    expect(desk.locator("#hk-case-facts h2")).to_be_visible(timeout=READY_MS)
    expect(desk.locator("body")).not_to_contain_text(SAID[0])
    desk.click("#hk-reveal")
    expect(desk.locator("#hk-log")).to_contain_text(SAID[0], timeout=READY_MS)
    told = Counter(name.capitalize() for one in given_thoughts(tables) for name in one)
    assert min(told.values()) >= len(answered) - 1
    expect(desk.locator(".hk-thoughts dt")).to_have_count(told.total())
    assert Counter(desk.locator(".hk-thoughts dt").all_inner_texts()) == told
    shown = desk.locator(".hk-thoughts dd").all_inner_texts()
    assert {text for one in thoughts for text in one.values()} >= set(shown)
    assert found_in(parts, [both.proxy.sent()])  # the recorder would have heard a thought


def test_each_message_goes_to_the_server_of_its_language_and_the_page_can_be_switched(
    both: TwoModels, new_context: Callable[..., BrowserContext]
) -> None:
    page = opened(new_context(), both)
    note_notices(page)
    send(page, "I lost my job yesterday and my head is a mess")
    replied(page, 1)
    expect(page.locator(".hk-reply .hk-bubble").last).to_have_text(ENGLISH_REPLY)
    send(page, "我昨天被公司裁员了，心里特别乱")
    replied(page, 2)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.get_by_role("button", name="发送")).to_be_visible()
    send(page, "还是好累")
    replied(page, 3)
    send(page, "Let me say it in English, nobody at home knows about it")
    replied(page, 4)
    assert models_of(stored(page, both)) == [ENGLISH, CHINESE, CHINESE, ENGLISH]
    assert OTHER_MODEL.isdisjoint(page.evaluate("window.notices"))


def test_when_the_chinese_server_dies_the_english_one_answers_and_the_page_says_so(
    both: TwoModels, chinese_browser: BrowserContext
) -> None:
    page = opened(chinese_browser, both)
    send(page, SAID[0])
    replied(page, 1)
    both.chinese.kill()
    note_notices(page)
    send(page, SAID[1])
    replied(page, 2)
    expect(page.locator(".hk-reply .hk-bubble").last).to_have_text(ENGLISH_REPLY)
    assert "负责这种语言的模型暂时用不了，现在由另一个模型来回复，可能没有那么贴切。" in page.evaluate(
        "window.notices"
    )
    assert models_of(stored(page, both)) == [CHINESE, ENGLISH]


def test_when_the_english_server_dies_that_is_said_and_chinese_is_answered_as_before(
    both: TwoModels, new_context: Callable[..., BrowserContext]
) -> None:
    page = opened(new_context(), both)
    both.english.kill()
    send(page, "I lost my job yesterday and my head is a mess")
    trouble = page.locator(".hk-trouble")
    expect(trouble).to_contain_text("Your message is saved", timeout=REPLY_MS)
    send(page, "我想周末跟家里人说说")
    replied(page, 1)
    assert models_of(stored(page, both)) == [CHINESE]


def note_notices(page: Page) -> None:
    """Notices of a turn in progress go when it is over."""
    page.evaluate(
        """() => {
          window.notices = [];
          new MutationObserver(() => {
            for (const one of document.querySelectorAll('.hk-notice')) {
              if (!window.notices.includes(one.textContent)) window.notices.push(one.textContent);
            }
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
