"""What a person does with style and memory on the chat page; called by its script."""

from collections.abc import Mapping
from typing import Any, cast

import gradio as gr

from app.chat.own_memory import CantBeKeptError
from app.chat.session import NotYoursError
from app.ui.actions import Action, Answer, Caller, NoSuchChoiceError, for_caller
from app.ui.browser_data import short, style_of
from app.ui.services import Cookie, Memory, Turns
from models.facts import MAX_FACT_CHARS

_MAX_SENT = 4 * MAX_FACT_CHARS


class MemoryActions:
    """The page's calls; :meth:`all` are those it may name.

    Args:
        memory: Style and facts.
        turns: Tells whether a new wording shows danger.
        cookie: Tells whose a request is.
    """

    def __init__(self, memory: Memory, turns: Turns, cookie: Cookie) -> None:
        self._memory = memory
        self._turns = turns
        self._cookie = cookie

    def person(self, request: gr.Request) -> str | None:
        """The person that the request's cookie belongs to."""
        return self._cookie.read(cast("Mapping[str, str]", cast("Any", request).cookies))

    def all(self) -> "list[Action]":
        """Every call that the page may make."""
        calls = (
            self.memory,
            self.change_fact,
            self.forget_fact,
            self.forget_all,
            self.set_remember,
            self.set_style,
        )
        return [cast("Action", call) for call in calls]

    @for_caller
    async def memory(self, caller: Caller) -> Answer:
        """What is remembered of the conversation."""
        return await self._kept(caller)

    @for_caller
    async def change_fact(self, caller: Caller) -> Answer:
        """Put a new wording in place of a fact; words of danger are answered with help and not kept."""
        text = short(caller.fields, "text", _MAX_SENT)
        if text is None:
            return {"kept": False}
        if await self._turns.sees_danger(text):
            return {"kept": False, "danger": True}
        try:
            await self._memory.change(caller.person_id, _conversation(caller), _fact(caller), text)
        except CantBeKeptError:
            return {"kept": False}
        return {"kept": True, **await self._kept(caller)}

    @for_caller
    async def forget_fact(self, caller: Caller) -> Answer:
        """Delete a fact."""
        await self._memory.forget(caller.person_id, _conversation(caller), _fact(caller))
        return await self._kept(caller)

    @for_caller
    async def forget_all(self, caller: Caller) -> Answer:
        """Delete all facts of the conversation."""
        await self._memory.forget_all(caller.person_id, _conversation(caller))
        return await self._kept(caller)

    @for_caller
    async def set_remember(self, caller: Caller) -> Answer:
        """Turn the memory of the conversation on or off."""
        remember = caller.fields.get("remember")
        if not isinstance(remember, bool):
            raise NoSuchChoiceError
        await self._memory.set_remember(caller.person_id, _conversation(caller), remember=remember)
        return await self._kept(caller)

    @for_caller
    async def set_style(self, caller: Caller) -> Answer:
        """Choose how replies are to be from the next one on."""
        style = style_of(caller.fields)
        if style is None:
            raise NoSuchChoiceError
        await self._memory.set_style(caller.person_id, _conversation(caller), style)
        return {"style": style.value}

    async def _kept(self, caller: Caller) -> Answer:
        kept = await self._memory.kept(caller.person_id, _conversation(caller))
        facts = [
            {
                "id": fact.id,
                "kind": fact.kind.value,
                "text": fact.text,
                "changed": fact.edited_at is not None,
            }
            for fact in kept.facts
        ]
        return {"remember": kept.remember, "facts": facts}


def _conversation(caller: Caller) -> str:
    session_id = short(caller.fields, "conversation")
    if session_id is None:
        raise NotYoursError
    return session_id


def _fact(caller: Caller) -> str:
    fact_id = short(caller.fields, "fact")
    if fact_id is None:
        raise NotYoursError
    return fact_id
