"""The ranking side of the annotation page: calls that its script makes, one turn at a time."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any, cast

import gradio as gr

from app.api.ranking_report import ADDRESS
from app.auth.roles import StaffGate
from app.db.errors import GoneError
from app.db.ranking_outcomes import RankingOutcomes
from app.db.records import Staff, StaffRole
from app.ranking_table import by_choice, by_model
from app.ui.annotate import Answer, Call, progress_text
from app.ui.annotation_change import ids_of, message_of
from app.ui.browser_data import fields_of
from app.ui.ranking_desk import MissingPlacesError, RankingDesk, RankingTask
from app.ui.ranking_form import ranking_markup, results_markup
from app.ui.staff_page import admitted, texts_for
from app.ui.texts import Texts


class RankCalls:
    """What the page's script may call; every call asks the gate before anything else."""

    def __init__(
        self, desk: RankingDesk, outcomes: RankingOutcomes, gate: StaffGate, texts: dict[str, Texts]
    ) -> None:
        self._desk = desk
        self._outcomes = outcomes
        self._gate = gate
        self._texts = texts

    def all(self) -> list[Call]:
        """Every call, by the name that the script uses."""
        return [self.rank_begin, self.rank_save, self.rank_skip, self.rank_undo]

    async def rank_begin(self, data: Any, request: gr.Request) -> Answer:
        """Ranking was opened: the turn that was on the screen before, or the next one."""
        staff, texts, fields = await self._asked(data, request)
        results = await self._results(staff, texts)
        named = message_of(fields)
        if named is not None:
            try:
                return results | await self._shown(staff, await self._desk.again(staff, named), "", texts)
            except GoneError:
                pass
        return results | await self._next(staff, fields, "", texts)

    async def rank_save(self, data: Any, request: gr.Request) -> Answer:
        """Store the ranking on the screen and show the next turn."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is None:
            return {"notice": texts("ranking.choose")}
        try:
            await self._desk.save(staff, named, _places(fields.get("places")))
        except GoneError:
            return await self._next(staff, fields, texts("annotate.withdrawn"), texts)
        except MissingPlacesError as error:
            names = texts("audit.comma").join(ascii_uppercase[place] for place in error.places)
            return {"notice": texts("ranking.missing", names=names)}
        except ValueError:
            return {"notice": texts("ranking.choose")}
        saved = {"saved": named} | await self._results(staff, texts)
        return saved | await self._next(staff, fields, texts("annotate.saved"), texts)

    async def rank_skip(self, data: Any, request: gr.Request) -> Answer:
        """Show another turn."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is not None:
            await self._desk.skip(staff, named)
        return await self._next(staff, fields, texts("annotating.skipped"), texts)

    async def rank_undo(self, data: Any, request: gr.Request) -> Answer:
        """Take back the ranking that the script names, one of this account, and show that turn."""
        staff, texts, fields = await self._asked(data, request)
        named = message_of(fields)
        if named is None:
            return {"notice": texts("annotate.nothing_to_undo")}
        try:
            task, places = await self._desk.take_back(staff, named)
        except GoneError:
            return await self._next(staff, fields, texts("annotate.withdrawn"), texts)
        given = {f"place-{candidate}={place}": True for candidate, place in places.items()}
        return await self._shown(staff, task, texts("ranking.undone"), texts) | {"given": given}

    async def _asked(self, data: Any, request: gr.Request) -> tuple[Staff, Texts, Mapping[str, Any]]:
        staff = await admitted(self._gate, self._texts, request, StaffRole.ANNOTATOR, "annotate")
        return staff, texts_for(self._texts, request), fields_of(data)

    async def _results(self, staff: Staff, texts: Texts) -> Answer:
        """The results so far; annotators don't see them, or they would not rank blind."""
        if staff.role is not StaffRole.ADMIN:
            return {}
        rows = await self._outcomes.latest()
        tables = [by_model(rows), by_choice(rows, texts("ranking.chosen"), texts("ranking.others"))]
        return {"results": str(results_markup(tables, texts, ADDRESS))}

    async def _next(self, staff: Staff, fields: Mapping[str, Any], notice: str, texts: Texts) -> Answer:
        task = await self._desk.next(staff, ids_of(fields, "skipped"))
        if task is not None:
            return await self._shown(staff, task, notice, texts)
        said = f"{notice} {texts('ranking.done')}".strip()
        return {"notice": said, "progress": await self._progress(staff, texts), "task": None}

    async def _shown(self, staff: Staff, task: RankingTask, notice: str, texts: Texts) -> Answer:
        shown = {"id": task.reply.id, "html": str(ranking_markup(task, texts))}
        return {"notice": notice, "progress": await self._progress(staff, texts), "task": shown}

    async def _progress(self, staff: Staff, texts: Texts) -> str:
        return progress_text(await self._desk.progress(staff), "ranking.progress", texts)


def _places(value: object) -> dict[str, int]:
    """Numbers by candidate id as the script sends them.

    Raises:
        ValueError: It is anything else.
    """
    if not isinstance(value, Mapping):
        raise ValueError("no places")
    places = cast("Mapping[object, object]", value)
    if any(not isinstance(number, int) or isinstance(number, bool) for number in places.values()):
        raise ValueError("a place is a number")
    return {str(key): cast("int", number) for key, number in places.items()}
