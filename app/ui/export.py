"""The export page for admins: downloads with filters, agreement of staff, what they disagree on."""

from typing import Any, NamedTuple

import gradio as gr

from app.auth.roles import StaffGate
from app.db.errors import GoneError
from app.db.records import Staff, StaffRole
from app.ui.export_desk import ExportDesk
from app.ui.export_markup import agreement_table, disagreement_entry, export_form, next_steps
from app.ui.report_forms import report_forms
from app.ui.staff_markup import context_markup, reply_markup
from app.ui.staff_page import admitted, staff_bar, staff_title, texts_for
from app.ui.texts import Texts

_PERIODS = {"month": 30, "quarter": 91, "year": 365, "ever": None}
"""Days by the name of a period."""


class AgreementView(NamedTuple):
    """What the lower part shows; the order is that of the page's outputs."""

    table: Any
    disputed: Any
    reply: Any


class ExportHandlers:
    """What happens on each event; every one of them asks the gate before anything else."""

    def __init__(self, desk: ExportDesk, gate: StaffGate, texts: dict[str, Texts]) -> None:
        self._desk = desk
        self._gate = gate
        self._texts = texts

    async def begin(self, request: gr.Request) -> str:
        """The forms: what people judged, then the reports."""
        await self._admin(request)
        texts = texts_for(self._texts, request)
        return export_form(await self._desk.models(), texts) + report_forms(texts)

    async def agree(self, period: str, request: gr.Request) -> AgreementView:
        """Agreement of a period, and the replies with the largest disagreement."""
        texts = texts_for(self._texts, request)
        await self._admin(request)
        if period not in _PERIODS:
            raise ValueError("unknown period")
        report = await self._desk.agreement(_PERIODS[period])
        choices = [(disagreement_entry(one, texts), one.message_id) for one in report.disagreements]
        return AgreementView(
            agreement_table(report.measures, texts),
            gr.update(choices=choices, value=None, visible=bool(choices)),
            "",
        )

    async def open(self, message_id: str | None, request: gr.Request) -> str:
        """A disputed reply with what led to it, and where it can be judged or flagged."""
        texts = texts_for(self._texts, request)
        admin = await self._admin(request)
        if not message_id:
            return ""
        try:
            found = await self._desk.open(admin, message_id)
        except GoneError:
            return f"<p>{texts('error.gone')}</p>"
        steps = next_steps(message_id, texts)
        return context_markup(found.context, texts) + reply_markup(found.reply) + steps

    async def _admin(self, request: gr.Request) -> Staff:
        return await admitted(self._gate, self._texts, request, StaffRole.ADMIN, "export")


def build_export_page(handlers: ExportHandlers, i18n: gr.I18n) -> gr.Blocks:
    """Lay out the page and connect its events; texts of components come from ``i18n``."""
    with gr.Blocks(title=staff_title("/export"), analytics_enabled=False) as page:
        gr.HTML(staff_bar("/export"), elem_id="hk-staff-bar")
        gr.Markdown(i18n("export.title"), elem_id="hk-title")
        gr.Markdown(i18n("export.intro"))
        form = gr.HTML(elem_id="hk-export-form")
        gr.Markdown(i18n("export.agreement"))
        gr.Markdown(i18n("export.agreement_intro"))
        period = gr.Radio(
            [(i18n(f"export.period.{name}"), name) for name in _PERIODS],
            value="quarter",
            label=i18n("export.period"),
            elem_id="hk-period",
        )
        compute = gr.Button(i18n("export.compute"), elem_id="hk-compute")
        table = gr.HTML(elem_id="hk-agreement")
        disputed = gr.Radio(choices=[], label=i18n("export.disputed"), elem_id="hk-disputed", visible=False)
        reply = gr.HTML(elem_id="hk-reply")
        how: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": None}
        page.load(handlers.begin, None, [form], **how)
        shown = list(AgreementView(table, disputed, reply))
        compute.click(handlers.agree, [period], shown, **how)
        # Of several that are chosen quickly, the last one is shown: Gradio would drop it.
        disputed.input(handlers.open, [disputed], [reply], trigger_mode="always_last", **how)
    return page
