"""The review page for admins: the list of flags that keeps itself up to date, and one flag beside it."""

from typing import Any

import gradio as gr

from app.db.records import FlagOutcome
from app.ui.review import MAX_NOTE, Opened, ReviewHandlers
from app.ui.staff_page import staff_bar, staff_title
from safety.levels import RiskCategory, RiskLevel

_CONNECT = (
    "(window.hearkenQueue = window.hearkenQueue || [])"
    ".push({ element, choose: (data) => trigger('choose', data), everyMs: EVERY_MS });"
)
_REFRESH = "() => { window.hearkenLoaded = true; window.hearkenRefresh?.(); }"


def build_review_page(handlers: ReviewHandlers, i18n: gr.I18n, poll_seconds: float) -> gr.Blocks:
    """Lay out the page and connect its events; texts of components come from ``i18n``.

    Args:
        handlers: What happens on each event.
        i18n: Texts of labels.
        poll_seconds: How often an open page asks for changes of the list.
    """
    with gr.Blocks(title=staff_title("/review"), analytics_enabled=False) as page:
        gr.HTML(staff_bar("/review"), elem_id="hk-staff-bar")
        gr.Markdown(i18n("review.title"), elem_id="hk-title")
        gr.Markdown(i18n("review.intro"))
        opened = gr.State(Opened())
        with gr.Row(elem_id="hk-review"):
            queue = gr.HTML(
                value=None,
                html_template="<div id='hk-queue'></div>",
                js_on_load=_CONNECT.replace("EVERY_MS", str(round(poll_seconds * 1000))),
                apply_default_css=False,
                elem_id="hk-queue-part",
            )
            with gr.Column(elem_id="hk-case-part"):
                notice = gr.Markdown(elem_id="hk-notice")
                with gr.Column(visible=False, elem_id="hk-case") as case:
                    parts = _case(i18n)
        shown = [notice, case, *parts["view"], opened]
        how: dict[str, Any] = {
            "outputs": shown,
            "api_visibility": "private",
            "concurrency_limit": None,
            "show_progress": "hidden",
        }
        page.load(handlers.begin, None, **how).then(None, None, None, js=_REFRESH)
        note = parts["note"]
        presses: list[tuple[Any, Any, list[Any]]] = [
            (queue.choose, handlers.choose, [note, opened]),  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
            (parts["reveal"].click, handlers.reveal, [opened]),
            (parts["take"].click, handlers.take, [opened]),
            (parts["assign"].click, handlers.assign, [parts["assignee"], opened]),
            (parts["save_note"].click, handlers.save_note, [note, opened]),
            (parts["save_outcome"].click, handlers.save_outcome, [parts["outcome"], note, opened]),
            (parts["reopen"].click, handlers.reopen, [opened]),
            (parts["mark"].click, handlers.mark_missed, [*parts["missed"], opened]),
        ]
        for press, handler, inputs in presses:
            press(handler, inputs, **how).then(None, None, None, js=_REFRESH)
    return page


def _case(i18n: gr.I18n) -> dict[str, Any]:
    """The components of one flag; ``view`` has those that change, in the order of ``ReviewView``."""
    facts = gr.HTML(elem_id="hk-case-facts")
    with gr.Row(elem_id="hk-assign") as hold:
        take = gr.Button(i18n("case.take"), elem_id="hk-take")
        assignee = gr.Dropdown(choices=[], label=i18n("case.assign"), elem_id="hk-assignee", scale=2)
        assign = gr.Button(i18n("case.assign_to"), elem_id="hk-assign-to")
    reveal = gr.Button(i18n("case.reveal"), variant="primary", elem_id="hk-reveal")
    with gr.Column(visible=False, elem_id="hk-told") as told:
        gr.Markdown(i18n("review.conversation"))
        log = gr.HTML(elem_id="hk-log")
        gr.Markdown(i18n("case.shown"))
        shown = gr.HTML(elem_id="hk-shown")
        gr.Markdown(i18n("case.risk"))
        risk = gr.HTML(elem_id="hk-risk")
        gr.Markdown(i18n("case.emotions"))
        emotions = gr.HTML(elem_id="hk-emotions")
        gr.Markdown(i18n("strip.heading"))
        strip = gr.HTML(elem_id="hk-strip")
        with gr.Accordion(i18n("missed.heading"), open=False, elem_id="hk-missed"):
            gr.Markdown(i18n("missed.intro"))
            message = gr.Dropdown(
                choices=[], value=None, label=i18n("missed.message"), elem_id="hk-missed-message"
            )
            level = gr.Radio(
                [(i18n(f"level.{one.label}"), one.label) for one in (RiskLevel.MODERATE, RiskLevel.IMMINENT)],
                label=i18n("missed.level"),
                elem_id="hk-missed-level",
            )
            category = gr.Radio(
                [
                    (i18n(f"category.{one.value}"), one.value)
                    for one in RiskCategory
                    if one != RiskCategory.NONE
                ],
                label=i18n("missed.category"),
                elem_id="hk-missed-category",
            )
            mark = gr.Button(i18n("missed.save"), elem_id="hk-missed-save")
    gr.Markdown(i18n("review.notes"))
    notes = gr.HTML(elem_id="hk-notes")
    note = gr.Textbox(label=i18n("review.note"), lines=3, max_length=MAX_NOTE, elem_id="hk-note")
    save_note = gr.Button(i18n("review.save_note"), elem_id="hk-save-note")
    with gr.Column(elem_id="hk-decide") as decide:
        outcome = gr.Radio(
            [(i18n(f"outcome.{found.value}"), found.value) for found in FlagOutcome],
            label=i18n("review.outcome"),
            elem_id="hk-outcome",
        )
        save_outcome = gr.Button(i18n("review.save_outcome"), variant="primary", elem_id="hk-save-outcome")
    reopen = gr.Button(i18n("case.reopen"), visible=False, elem_id="hk-reopen")
    view = [
        facts,
        hold,
        assignee,
        reveal,
        told,
        log,
        shown,
        risk,
        emotions,
        strip,
        message,
        notes,
        note,
        outcome,
        decide,
        reopen,
    ]
    return {
        "view": view,
        "take": take,
        "assignee": assignee,
        "assign": assign,
        "reveal": reveal,
        "missed": [message, level, category],
        "mark": mark,
        "note": note,
        "save_note": save_note,
        "outcome": outcome,
        "save_outcome": save_outcome,
        "reopen": reopen,
    }
