"""What the pages for staff share: language, the gate as a handler sees it, the bar with sign-out."""

from html import escape
from typing import Any

import gradio as gr

from app.auth.page_list import PAGES
from app.auth.roles import NotSignedInError, StaffGate, WrongRoleError
from app.db.records import Staff, StaffRole
from app.ui.staff_texts import load_staff_texts
from app.ui.texts import Texts, pick_locale


def texts_for(texts: dict[str, Texts], request: gr.Request) -> Texts:
    """Texts in the language of the browser."""
    asked: Any = request
    return texts[pick_locale(None, asked.headers.get("accept-language"))]


def unchanged() -> Any:
    """The update that leaves a component as it is."""
    return gr.skip()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


async def admitted(
    gate: StaffGate, texts: dict[str, Texts], request: gr.Request, role: StaffRole, what: str
) -> Staff:
    """The account that is asking, if it may; else an error that tells nothing but that.

    Raises:
        gr.Error: Without a login or with the wrong role.
    """
    asked: Any = request
    try:
        return await gate.require(asked.cookies, role, what)
    except NotSignedInError:
        raise gr.Error(texts_for(texts, request)("error.not_signed_in"), print_exception=False) from None
    except WrongRoleError:
        raise gr.Error(texts_for(texts, request)("error.wrong_role"), print_exception=False) from None


def staff_title(here: str) -> str:
    """Title of the page at an address; ``staff.js`` puts it into the reader's language.

    Args:
        here: Address of the page.
    """
    name = next(page.name for page in PAGES if page.address == here)
    return f"{load_staff_texts()['en'](name)} · Hearken"


def staff_bar(here: str) -> str:
    """Links to the pages for staff and the sign-out, the same on every page.

    It is plain HTML in both languages, so that nothing is redrawn and signing out needs no script;
    ``staff.js`` shows the reader's language and, to admins, the pages that only they may open.

    Args:
        here: Address of the page that it stands on.
    """
    links = "".join(
        f'<a href="{page.address}/" data-role="{page.role.value}"'
        f"{' aria-current=page' if page.address == here else ''}>{_both(page.name)}</a>"
        for page in PAGES
    )
    return (
        f'<nav class="hk-staff-bar" aria-label="Hearken">{links}'
        f'<span class="hk-own"><a href="/password">{_both("staff.password")}</a>'
        f'<form method="post" action="/logout"><button>{_both("staff.sign_out")}</button></form>'
        f'<details class="hk-more"><summary>{_both("staff.more")}</summary>'
        '<form method="post" action="/logout/everywhere">'
        f"<button>{_both('staff.sign_out_everywhere')}</button></form></details></span></nav>"
    )


def _both(key: str) -> str:
    """A text in each language; the style sheet hides the ones that the reader does not need."""
    return "".join(
        f'<span lang="{locale}">{escape(texts(key))}</span>' for locale, texts in load_staff_texts().items()
    )
