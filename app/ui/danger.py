"""The call of the annotation page that flags a conversation for review."""

from collections.abc import Mapping
from typing import Any

import gradio as gr

from app.auth.roles import StaffGate
from app.db.errors import GoneError, NotMissedError
from app.db.records import StaffRole
from app.ui.annotate import Answer, Call
from app.ui.annotation_change import id_of, message_of
from app.ui.browser_data import fields_of
from app.ui.danger_desk import Danger, DangerDesk, NoReasonError, tells
from app.ui.danger_form import CATEGORIES, LEVELS
from app.ui.staff_page import admitted, texts_for
from app.ui.texts import Texts
from safety.levels import RiskCategory, RiskLevel


class DangerCalls:
    """What the page's script may call; it asks the gate before anything else."""

    def __init__(self, desk: DangerDesk, gate: StaffGate, texts: dict[str, Texts]) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts

    def all(self) -> list[Call]:
        """Every call, by the name that the script uses."""
        return [self.flag_danger]

    async def flag_danger(self, data: Any, request: gr.Request) -> Answer:
        """Flag the conversation on the screen.

        ``flagged`` says whether the script may go on to the next, ``missing`` what the form lacks.
        """
        staff = await admitted(self._gate, self._texts, request, StaffRole.ANNOTATOR, "annotate")
        texts, fields = texts_for(self._texts, request), fields_of(data)
        reply_id, danger = message_of(fields), _danger(fields)
        missing = _missing(fields)
        if reply_id is None or danger is None or missing:
            return {"notice": texts("danger.choose"), "flagged": False, "missing": missing}
        try:
            await self._desk.flag(staff, reply_id, danger)
        except NoReasonError:
            return {"notice": texts("danger.choose"), "flagged": False, "missing": ["reason"]}
        except NotMissedError:
            return {"notice": texts("missed.not"), "flagged": False, "missing": []}
        except GoneError:
            return {"notice": texts("annotate.withdrawn"), "flagged": True}
        return {"notice": texts("danger.saved"), "flagged": True}


def _missing(fields: Mapping[str, Any]) -> list[str]:
    """Fields of the form that are empty, unknown or too short, in their order on the page."""
    reason = fields.get("reason")
    given = {
        "message": id_of(fields.get("danger")),
        "level": _level(fields),
        "category": _category(fields),
        "reason": reason if isinstance(reason, str) and tells(reason) else None,
    }
    return [name for name, value in given.items() if value is None]


def _level(fields: Mapping[str, Any]) -> RiskLevel | None:
    return next((one for one in LEVELS if one.label == fields.get("level")), None)


def _category(fields: Mapping[str, Any]) -> RiskCategory | None:
    return next((one for one in CATEGORIES if one.value == fields.get("category")), None)


def _danger(fields: Mapping[str, Any]) -> Danger | None:
    """What the script sent, or ``None`` when something is missing or unknown."""
    message_id, reason = id_of(fields.get("danger")), fields.get("reason")
    level, category = _level(fields), _category(fields)
    if message_id is None or level is None or category is None or not isinstance(reason, str):
        return None
    return Danger(message_id, level, category, reason)
