"""A person gives one of their conversations a name; called by the page's script."""

from collections.abc import Mapping
from typing import Any, cast

import gradio as gr

from app.chat.conversation_name import MAX_NAME_CHARS
from app.chat.session import NotYoursError
from app.ui.actions import Action, Answer, Caller, NoSuchChoiceError, for_caller
from app.ui.browser_data import short
from app.ui.services import Conversations, Cookie, Turns
from app.ui.view import ViewBuilder

_MAX_SENT = 4 * MAX_NAME_CHARS


class NameAction:
    """The page's call; :meth:`all` is what it may name.

    Args:
        conversations: Keeps the name.
        turns: Tells whether a name shows danger.
        builder: Draws the list.
        cookie: Tells whose a request is.
    """

    def __init__(
        self, conversations: Conversations, turns: Turns, builder: ViewBuilder, cookie: Cookie
    ) -> None:
        self._conversations = conversations
        self._turns = turns
        self._builder = builder
        self._cookie = cookie

    def person(self, request: gr.Request) -> str | None:
        """The person that the request's cookie belongs to."""
        return self._cookie.read(cast("Mapping[str, str]", cast("Any", request).cookies))

    def all(self) -> "list[Action]":
        """Every call that the page may make."""
        return [cast("Action", self.name)]

    @for_caller
    async def name(self, caller: Caller) -> Answer:
        """Name a conversation, or take its name away; words of danger are kept, and answered with help."""
        session_id = short(caller.fields, "conversation")
        given = caller.fields.get("name")
        if session_id is None:
            raise NotYoursError
        if not isinstance(given, str) or len(given) > _MAX_SENT:
            raise NoSuchChoiceError
        kept = await self._conversations.name(caller.person_id, session_id, given)
        return {
            "name": kept or "",
            "list": await self._builder.listing(
                caller.person_id, short(caller.fields, "shown"), caller.locale
            ),
            "danger": bool(given.strip()) and await self._turns.sees_danger(given),
        }
