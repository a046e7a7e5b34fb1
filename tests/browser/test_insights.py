"""The insights page in a real browser, on a desk and on a phone."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import URL

from app.db.insights_fill import InsightsCounter
from app.db.insights_records import Figure
from tests.browser.conftest import DESK, PHONE
from tests.browser.staff_server import sign_in, staff_server
from tests.browser.staff_site import fill
from tests.integration.app.db.store import Store

Open = Callable[..., Page]


async def count(store: Store) -> None:
    """Count the figures as the application's job does."""
    await InsightsCounter(store.factory, store.clock).count()


@pytest.fixture
def address(staff_database: URL) -> Iterator[str]:
    """Address of a running server over a filled database whose figures are counted."""
    with staff_server(staff_database, fill, count) as server:
        yield server.url


@pytest.fixture
def opened(address: str, new_context: Callable[..., BrowserContext]) -> Open:
    """Signs an account in and opens the insights."""

    def make(name: str, **options: object) -> Page:
        page = new_context(reduced_motion="reduce", **options).new_page()
        return sign_in(page, address, name, "/insights")

    return make


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_an_admin_sees_a_plot_and_a_table_of_every_figure(opened: Open, viewport: dict[str, int]) -> None:
    page = opened("admin", viewport=viewport)
    page.locator(".hk-plot").first.wait_for()
    expect(page.locator(".hk-plot")).to_have_count(len(Figure))
    for figure in Figure:
        card = page.locator(f"#hk-insight-{figure.value}")
        expect(card.get_by_role("img")).to_be_visible()
        card.locator("summary").click()
        expect(card.get_by_role("region").get_by_role("table")).to_be_visible()
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider <= 0


def test_another_period_is_shown_and_the_files_follow(opened: Open) -> None:
    page = opened("admin")
    link = page.locator("#hk-insight-thumbs .hk-file")
    link.wait_for()
    expect(link).to_have_attribute("href", "/api/staff/insights/thumbs.csv?days=30")
    page.get_by_label("7 days").check()
    expect(link).to_have_attribute("href", "/api/staff/insights/thumbs.csv?days=7")
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "hearken-thumbs-7.csv"


def test_an_annotator_is_refused(opened: Open, address: str) -> None:
    page = opened("annotator")
    answer = page.goto(f"{address}/insights")
    assert answer is not None
    assert answer.status == 403
    expect(page.locator("body")).not_to_contain_text("Stickiness")


_LISTEN = """() => {
  window.said = [];
  const hear = () => document.querySelectorAll('[role=status], [aria-live]').forEach((one) => {
    const text = one.textContent.trim();
    if (text && window.said.at(-1) !== text) window.said.push(text);
  });
  new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


@pytest.mark.parametrize(("locale", "done"), [("zh-CN", "完成"), ("en-US", "Done")])
def test_what_is_read_out_when_the_figures_come_are_words_of_the_page(
    opened: Open, locale: str, done: str
) -> None:
    page = opened("admin", locale=locale)
    page.locator(".hk-plot").first.wait_for()
    page.evaluate(_LISTEN)
    page.locator("#hk-period input").first.check()
    page.wait_for_function("done => window.said.includes(done)", arg=done)
    assert [said for said in page.evaluate("window.said") if re.search(r"[a-z]+[.][a-z_]+", said)] == []
