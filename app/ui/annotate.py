"""The annotation page: calls that its script makes, one reply at a time."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import gradio as gr

from app.auth.roles import StaffGate
from app.db.annotation import MOST_COUNTED, Progress
from app.db.errors import GoneError
from app.db.records import Staff, StaffRole
from app.ui.annotation_change import change_of, ids_of, message_of
from app.ui.annotation_desk import AnnotationDesk, NoReasonGivenError, Task
from app.ui.annotation_form import controls_of, task_markup
from app.ui.annotation_frame import frame_markup
from app.ui.browser_data import fields_of
from app.ui.staff_page import admitted, staff_bar, staff_title, texts_for
from app.ui.texts import Texts

Answer = dict[str, Any]
Call = Callable[[Any, gr.Request], Awaitable[Answer]]

ANNOTATE_HEAD = (
    '<link rel="stylesheet" href="/static/annotate.css">'
    '<script type="module" src="/static/js/annotate.js"></script>'
)
_CONNECT = "(window.hearkenDesk = window.hearkenDesk || []).push({ server });"
_WAITING = '<div id="hk-desk"><p>Loading · 正在加载 …</p></div>'


class Calls(Protocol):
    """A side of the page with its calls."""

    def all(self) -> list[Call]:
        """Every call, by the name that the script uses."""
        ...


class AnnotateCalls:
    """What the page's script may call; every call asks the gate before anything else.

    The script names replies by their ids; whether this account may see one is asked each time.
    """

    def __init__(self, desk: AnnotationDesk, gate: StaffGate, texts: dict[str, Texts]) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts

    def all(self) -> list[Call]:
        """Every call, by the name that the script uses."""
        return [self.begin, self.save, self.skip, self.undo]

    async def begin(self, data: Any, request: gr.Request) -> Answer:
        """The page was opened or loaded: its frame, and the reply that was on it before or is linked to."""
        staff, texts, fields = await self._asked(data, request)
        frame = {"frame": str(frame_markup(texts))}
        named, gone = message_of(fields), ""
        if named is not None:
            try:
                return frame | await self._shown(staff, await self._desk.again(staff, named), "", texts)
            except GoneError:
                # After a reload nobody waits for a certain reply; whoever followed a link to it does.
                gone = texts("annotate.withdrawn") if fields.get("linked") is True else ""
        return frame | await self._next(staff, fields, gone, texts)

    async def save(self, data: Any, request: gr.Request) -> Answer:
        """Store what was changed of the reply on the screen and show the next one."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is None:
            return {"notice": texts("annotate.choose")}
        try:
            await self._desk.save(staff, named, change_of(fields))
        except GoneError:
            return await self._next(staff, fields, texts("annotate.withdrawn"), texts)
        except NoReasonGivenError:
            return {"notice": texts("annotate.give_reason"), "missing": "reasons"}
        except ValueError:
            return {"notice": texts("annotate.choose")}
        return await self._next(staff, fields, texts("annotate.saved"), texts) | {"saved": named}

    async def skip(self, data: Any, request: gr.Request) -> Answer:
        """Show another reply; the script remembers which were skipped until the page is left."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is not None:
            await self._desk.skip(staff, named)
        return await self._next(staff, fields, texts("annotating.skipped"), texts)

    async def undo(self, data: Any, request: gr.Request) -> Answer:
        """Take back the rating that the script names, one of this account, and show that reply."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is None:
            return {"notice": texts("annotate.nothing_to_undo")}
        try:
            task, given = await self._desk.take_back(staff, named)
        except GoneError:
            return await self._next(staff, fields, texts("annotate.withdrawn"), texts)
        return await self._shown(staff, task, texts("annotate.undone"), texts) | {"given": controls_of(given)}

    async def _asked(self, data: Any, request: gr.Request) -> tuple[Staff, Texts, Mapping[str, Any]]:
        staff = await admitted(self._gate, self._texts, request, StaffRole.ANNOTATOR, "annotate")
        return staff, texts_for(self._texts, request), fields_of(data)

    async def _next(self, staff: Staff, fields: Mapping[str, Any], notice: str, texts: Texts) -> Answer:
        task = await self._desk.next(staff, ids_of(fields, "skipped"))
        if task is not None:
            return await self._shown(staff, task, notice, texts)
        said = f"{notice} {texts('annotate.done')}".strip()
        return {"notice": said, "progress": await self._progress(staff, texts), "task": None}

    async def _shown(self, staff: Staff, task: Task, notice: str, texts: Texts) -> Answer:
        shown = {"id": task.reply.id, "html": str(task_markup(task, texts))}
        return {"notice": notice, "progress": await self._progress(staff, texts), "task": shown}

    async def _progress(self, staff: Staff, texts: Texts) -> str:
        return progress_text(await self._desk.progress(staff), "annotate.progress", texts)


def progress_text(done: Progress, key: str, texts: Texts) -> str:
    """How far somebody has come, in words; what is left is said as "more than" where it is many."""
    many = done.left >= MOST_COUNTED
    left = texts("annotating.more_than", n=MOST_COUNTED - 1) if many else str(done.left)
    return texts(key, rated=done.rated, left=left)


def build_annotate_page(*parts: Calls) -> gr.Blocks:
    """Lay out the page: a bar, and a place that the page's script fills.

    Args:
        parts: Calls of the page; their names are different.
    """
    with gr.Blocks(title=staff_title("/annotate"), analytics_enabled=False) as page:
        gr.HTML(staff_bar("/annotate"), elem_id="hk-staff-bar")
        gr.HTML(
            _WAITING,
            js_on_load=_CONNECT,
            server_functions=[_callable(call) for part in parts for call in part.all()],
            apply_default_css=False,
        )
    return page


def _callable(call: Call) -> Call:
    """A function of its own for each call: Gradio marks functions, which methods don't allow."""

    @functools.wraps(call)
    async def function(data: Any, request: gr.Request) -> Answer:
        return await call(data, request)

    return function
