"""Every address of an application and every event of its Gradio pages, found by walking, not by listing."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr
from starlette.routing import Mount

_ID = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, order=True)
class Address:
    """One method of one route.

    Attributes:
        method: Such as ``GET``.
        pattern: As written in the code, such as ``/a/{id}``.
    """

    method: str
    pattern: str

    @property
    def path(self) -> str:
        """The pattern with something in each place."""
        return re.sub(r"\{[^}]+\}", _ID, self.pattern)


def addresses(application: Any) -> set[Address]:
    """All of them, mounted applications and included routers too."""
    return set(_routes(application.routes, ""))


def pages(application: Any) -> dict[str, gr.Blocks]:
    """Gradio's pages by address; the chat page's is empty."""
    found: dict[str, gr.Blocks] = {}
    for route in application.routes:
        if isinstance(route, Mount):
            blocks = getattr(_inner(route.app), "blocks", None)
            if isinstance(blocks, gr.Blocks):
                found[route.path] = blocks
    return found


def events(page: gr.Blocks) -> dict[str, Callable[..., Any]]:
    """The functions behind a page's events and its script's calls; a page's own code, not Gradio's steps."""
    named = {
        f"{number}:{getattr(event.fn, '__qualname__', event.fn)}": event.fn
        for number, event in page.fns.items()
        if event.fn is not None
    }
    for number, block in page.blocks.items():
        for call in getattr(block, "server_fns", ()):
            own = inspect.unwrap(call)
            if not own.__module__.startswith("gradio."):
                named[f"{number}:{own.__qualname__}"] = own
    return named


def arguments(function: Callable[..., Any], request: gr.Request) -> list[Any]:
    """Something for each parameter: the request where one is wanted, else nothing."""
    wanted = inspect.signature(function).parameters.values()
    return [request if one.annotation in (gr.Request, "gr.Request") else None for one in wanted]


async def called(function: Callable[..., Any], given: list[Any]) -> Any:
    """The first answer of a handler, of whichever kind it is."""
    result = function(*given)
    if inspect.isasyncgen(result):
        return await anext(result)
    if inspect.isgenerator(result):
        return next(result)
    return await result if inspect.isawaitable(result) else result


def _routes(routes: list[Any], prefix: str) -> Iterator[Address]:
    for route in routes:
        if isinstance(route, Mount):
            inner = _inner(route.app)
            if hasattr(inner, "routes"):
                yield from _routes(inner.routes, prefix + route.path)
            else:
                yield Address("GET", f"{prefix}{route.path}/{{path}}")
        elif hasattr(route, "effective_candidates"):
            yield from _routes(route.effective_candidates(), prefix)
        else:
            for method in getattr(route, "methods", None) or {"WEBSOCKET"}:
                yield Address(method, prefix + route.path)


def _inner(application: Any) -> Any:
    """The application inside its wrappers."""
    while not hasattr(application, "routes"):
        inside = getattr(application, "_app", None) or getattr(application, "app", None)
        if inside is None:
            return application
        application = inside
    return application
