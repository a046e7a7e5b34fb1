"""The chat page as Gradio Blocks: one component that shows views, and the events that make them."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from importlib import resources
from typing import Any, cast

import gradio as gr

from app.address_limit import AddressLimit, address_of
from app.ui.actions import Action, PersonActions, accept_language
from app.ui.calm_queue import calm_queue
from app.ui.card_markup import Helplines
from app.ui.memory_actions import MemoryActions
from app.ui.name_action import NameAction
from app.ui.running import RunningTurns
from app.ui.services import Conversations, Cookie, Memory, PageLimits, Turns
from app.ui.texts import Texts
from app.ui.turn_stream import TurnStream, turn_request
from app.ui.view import View, ViewBuilder

# Gradio runs at most this many events at once, of all persons together. The model's own queue
# is the place where turns wait, and tells each its position: here nothing may wait.
_EVENTS_AT_ONCE = 2000

_CONNECT = """
(window.hearkenParts = window.hearkenParts || []).push({
  trigger: (data) => trigger('turn', data), server, watch, props
});
"""


def build_chat_page(
    conversations: Conversations,
    turns: Turns,
    person_cookie: Cookie,
    memory: Memory,
    helplines: Helplines,
    texts: Mapping[str, Texts],
    limits: PageLimits,
    guess_country: Callable[[str | None, str | None], str | None],
    newcomers: AddressLimit,
) -> gr.Blocks:
    """Build the page; nothing of one person is kept in it.

    Args:
        conversations: Everything but turns.
        turns: Takes turns.
        person_cookie: Tells whose a request is.
        memory: Style and facts of conversations.
        helplines: Lines by country.
        texts: Texts by language code, see ``app.ui.texts.load_texts``.
        limits: Numbers of the page.
        guess_country: From ``Accept-Language`` and time zone to a country code.
        newcomers: Limits new conversations by address.

    Returns:
        Blocks that ``app.ui.mount.mount_chat_page`` puts at ``/``.
    """
    running = RunningTurns()
    builder = ViewBuilder(conversations, helplines, texts, limits.resume_hours, running)
    stream = TurnStream(conversations, turns, builder, running, limits, guess_country, newcomers)
    actions = PersonActions(conversations, builder, helplines, running, person_cookie, guess_country)

    naming = NameAction(conversations, turns, builder, person_cookie)
    calls = [*actions.all(), *MemoryActions(memory, turns, person_cookie).all(), *naming.all()]

    async def take_turn(event: gr.EventData, request: gr.Request) -> AsyncIterator[View]:
        """One turn, as views; Gradio closes it when the tab is gone."""
        data: Any = event._data  # pyright: ignore[reportPrivateUsage]
        person_id = actions.person(request)
        if person_id is None:
            yield await stream.of_nobody(data, accept_language(request))
            return
        asked = turn_request(person_id, data, accept_language(request), address_of(cast("Any", request)))
        async with aclosing(stream.views(asked)) as views:
            async for view in views:
                yield view

    with gr.Blocks(title=texts["en"]("page.title"), analytics_enabled=False, fill_width=True) as page:
        view = gr.HTML(
            value=None,
            html_template=resources.files("app.ui").joinpath("conversation.html").read_text("utf-8"),
            js_on_load=_CONNECT,
            server_functions=[_callable(action) for action in calls],
            apply_default_css=False,
            elem_id="hk-view",
        )
        # The component has an event for each name that its script triggers.
        view.turn(  # pyright: ignore[reportUnknownMemberType]
            take_turn,
            inputs=None,
            outputs=[view],
            show_progress="hidden",
            trigger_mode="multiple",
            concurrency_limit=None,
            api_visibility="private",
        )
    calm_queue(page, _EVENTS_AT_ONCE)
    return page


def _callable(action: Action) -> Action:
    """A function of its own for each action: Gradio marks functions, which methods don't allow."""

    async def call(data: Any, request: gr.Request) -> dict[str, Any]:
        return await action(data, request)

    call.__name__ = action.__name__
    return call
