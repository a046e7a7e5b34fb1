"""Puts a page for staff at its address, with the settings that all of them share."""

import json

import gradio as gr
from fastapi import FastAPI
from gradio.themes import Base
from starlette.routing import Mount

from app.ui.calm_queue import calm_queue
from app.ui.quiet_errors import quieted
from app.ui.staff_texts import load_staff_texts

_EVENTS_AT_ONCE = 100


def mount_staff_page(app: FastAPI, page: gr.Blocks, address: str, i18n: gr.I18n, *, head: str = "") -> None:
    """Mount ``page`` at ``address``; ``StaffPagesMiddleware`` guards the address.

    Args:
        app: The application.
        page: Blocks whose handlers ask the gate themselves.
        address: For example ``/review``.
        i18n: Texts of labels.
        head: Styles and scripts of this page alone.
    """
    calm_queue(page, _EVENTS_AT_ONCE)
    gr.mount_gradio_app(  # pyright: ignore[reportUnknownMemberType]
        app,
        page,
        path=address,
        footer_links=[],
        run_history=False,
        show_error=False,
        max_file_size="1kb",
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        i18n=i18n,
        theme=Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]),
        head=_head() + head,
    )
    mounted = app.routes[-1]
    if not isinstance(mounted, Mount):
        msg = "Gradio did not mount the page as its last route"
        raise TypeError(msg)
    mounted.app = quieted(mounted.app)


def _head() -> str:
    """The look of the pages, and what they say when a login has ended."""
    keys = (
        "error.ended_title",
        "error.ended_text",
        "error.ended_kept",
        "error.ended_draft",
        "login.submit",
        "review.kept_note",
    )
    groups = ("queue.", "age.", "level.", "category.", "outcome.", "staff.")
    said = {
        locale: {key: text for key, text in texts.entries.items() if key in keys or key.startswith(groups)}
        for locale, texts in load_staff_texts().items()
    }
    data = json.dumps(said, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<link rel="stylesheet" href="/static/staff.css">'
        '<link rel="stylesheet" href="/static/staff-insights.css">'
        '<link rel="stylesheet" href="/static/staff-pages.css">'
        '<link rel="stylesheet" href="/static/review.css"><meta name="robots" content="noindex">'
        f'<script type="application/json" id="hk-staff-texts">{data}</script>'
        '<script src="/static/js/drafts.js"></script>'
        '<script src="/static/js/staff.js"></script><script src="/static/js/export.js"></script>'
        '<script src="/static/js/notices.js"></script><script src="/static/js/presses.js"></script>'
        '<script src="/static/js/review-draft.js"></script><script src="/static/js/review.js"></script>'
    )
