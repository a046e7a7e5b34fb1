"""A slow line between a page and its server, as slow as a test wants it."""

import re

from playwright.sync_api import APIResponse, Page, Route

from tests.browser.conftest import is_call, until

_CALLS = re.compile("/component_server")
_EVENTS = re.compile("/queue/join")


class SlowAnswers:
    """Holds back what a page asks the server for until it is let through.

    Args:
        page: The page.
        name: Of the calls to hold back; all of them when ``None``.
        events: Hold back Gradio's events instead of the calls of a page's script.
    """

    def __init__(self, page: Page, name: str | None = None, *, events: bool = False) -> None:
        self._page = page
        self._name = name
        self._held: list[Route] = []
        self._hold = True
        page.route(_EVENTS if events else _CALLS, self._take)

    def _take(self, route: Route) -> None:
        if self._hold and (self._name is None or is_call(route.request, self._name)):
            self._held.append(route)
        else:
            route.continue_()

    @property
    def held(self) -> int:
        """How many calls wait."""
        return len(self._held)

    def waiting(self, count: int) -> None:
        """Wait until so many calls are held."""
        until(self._page, lambda: self.held >= count)

    def let_through(self, count: int, *, abort: bool = False, newest_first: bool = False) -> None:
        """Answer the calls that wait, one after another, once there are so many, and all that come."""
        self.waiting(count)
        self._hold = False
        for route in reversed(self._held) if newest_first else self._held:
            if abort:
                route.abort()
                continue
            route.continue_()
            answer = route.request.response()
            assert answer is not None
            answer.finished()


class OldAnswers:
    """Lets the server answer the calls of one name at once, and the page hear of it later."""

    def __init__(self, page: Page, name: str) -> None:
        self._name = name
        self._held: list[tuple[Route, APIResponse]] = []
        page.route(_CALLS, self._take)

    def _take(self, route: Route) -> None:
        if is_call(route.request, self._name):
            self._held.append((route, route.fetch()))
        else:
            route.continue_()

    @property
    def held(self) -> int:
        """How many answers wait."""
        return len(self._held)

    def let_through(self) -> None:
        """Give the page the answers."""
        for route, answer in self._held:
            route.fulfill(response=answer)
