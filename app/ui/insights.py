"""The insights page for admins: figures over time, how fast reviewers are, and what waits now."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from html import escape
from typing import Any, NamedTuple

import gradio as gr

from app.auth.roles import StaffGate
from app.db.insights_flags import FlagInsights
from app.db.insights_read import Choice, InsightsRepository
from app.db.records import StaffRole
from app.insights import panels, summaries
from app.ui.insights_markup import (
    language_name,
    panel_card,
    responses_card,
    summary_table,
    waiting_card,
)
from app.ui.staff_page import admitted, staff_bar, staff_title, texts_for
from app.ui.texts import Texts
from safety.levels import RiskLevel

PERIODS = {"7": 7, "30": 30, "90": 90, "all": None}
"""Days of a period by its name on the page."""
_USUAL = "30"
_EVERY = ""


class InsightsView(NamedTuple):
    """What the page shows; the order is that of the page's outputs."""

    model: Any
    language: Any
    figures: Any


class InsightsHandlers:
    """What happens on each event; every one of them asks the gate before anything else."""

    def __init__(
        self,
        figures: InsightsRepository,
        flags: FlagInsights,
        gate: StaffGate,
        texts: dict[str, Texts],
        allowed: Mapping[RiskLevel, timedelta],
    ) -> None:
        self._figures = figures
        self._flags = flags
        self._gate = gate
        self._texts = texts
        self._allowed = allowed

    async def load(self, request: gr.Request) -> InsightsView:
        """Show the usual period, and what can be chosen."""
        return await self.show(None, None, None, request)

    async def show(
        self, period: str | None, model: str | None, language: str | None, request: gr.Request
    ) -> InsightsView:
        """Show what was chosen, and what can be."""
        texts = await self._admin_texts(request)
        days = PERIODS.get(period or _USUAL, PERIODS[_USUAL])
        choice = Choice(days, model or None, language or None)
        models, languages = await self._figures.choices()

        def choices(values: Sequence[tuple[str, str]], chosen: str | None) -> Any:
            # What is chosen already stays: somebody may have chosen anew meanwhile.
            all_of_them = [(texts("insights.all"), _EVERY), *values]
            if chosen is None:
                return gr.update(choices=all_of_them, value=_EVERY)
            return gr.update(choices=all_of_them)

        return InsightsView(
            choices([(name, name) for name in models], model),
            choices([(language_name(code, texts), code) for code in languages], language),
            await insights_html(self._figures, self._flags, choice, self._allowed, texts),
        )

    async def _admin_texts(self, request: gr.Request) -> Texts:
        await admitted(self._gate, self._texts, request, StaffRole.ADMIN, "insights")
        return texts_for(self._texts, request)


async def insights_html(
    figures: InsightsRepository,
    flags: FlagInsights,
    choice: Choice,
    allowed: Mapping[RiskLevel, timedelta],
    texts: Texts,
) -> str:
    """All cards of the page.

    Args:
        figures: Where figures by day are.
        flags: Where flags and what was done with them are.
        choice: Period, model and language.
        allowed: Time that reviewers have, by level.
        texts: Of the reader's language.
    """
    least = figures.least_shown
    # Side by side: for all of time each of the first three reads for a tenth of a second and more.
    over_time, sums, responses, waiting, last_day = await asyncio.gather(
        figures.over_time(choice),
        figures.by_model_and_language(choice),
        flags.response_times(choice, allowed),
        flags.waiting(),
        figures.last_day(),
    )
    today = figures.now().date()
    cards = [waiting_card(waiting, texts), responses_card(responses, choice, texts)]
    if last_day is not None:  # zeros would look like figures
        cards.insert(0, summary_table(*summaries(sums, least), texts))
        shown = panels(over_time, choice, today, least)
        cards += [panel_card(panel, choice, least, texts) for panel in shown]
    said = texts("insights.counted", day=last_day) if last_day else texts("insights.not_counted")
    masked = texts("insights.masked", k=least)
    return f"<p>{escape(said)} {escape(masked)}</p><div class='hk-insights'>{''.join(cards)}</div>"


def build_insights_page(handlers: InsightsHandlers, i18n: gr.I18n) -> gr.Blocks:
    """Lay out the page and connect its events; texts of components come from ``i18n``."""
    with gr.Blocks(title=staff_title("/insights"), analytics_enabled=False) as page:
        gr.HTML(staff_bar("/insights"), elem_id="hk-staff-bar")
        gr.Markdown(i18n("insights.title"), elem_id="hk-title")
        with gr.Row(elem_id="hk-insight-choice"):
            period = gr.Radio(
                [(i18n(f"insights.period.{name}"), name) for name in PERIODS],
                value=_USUAL,
                label=i18n("insights.period"),
                elem_id="hk-period",
            )
            model = gr.Dropdown([], label=i18n("insights.model"), elem_id="hk-model")
            language = gr.Dropdown([], label=i18n("insights.language"), elem_id="hk-language")
        figures = gr.HTML(elem_id="hk-figures")
        how: dict[str, Any] = {
            "outputs": list(InsightsView(model, language, figures)),
            "api_visibility": "private",
            "concurrency_limit": None,
            "trigger_mode": "always_last",
        }
        # One event: the figures are those of the last choice, whichever answer takes longer.
        triggers: list[Any] = [page.load, period.input, model.input, language.input]
        gr.on(  # pyright: ignore[reportUnknownMemberType]
            triggers, handlers.show, [period, model, language], **how
        )
    return page
