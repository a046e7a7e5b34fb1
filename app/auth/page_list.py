"""The pages for staff: the one place that says where each is, whom it is for and what it is called.

The outer door, the bar at the top of every page and the sign-in read this table: a new page is
one more line here, its text in ``staff.*.yaml`` and its mounting in ``app.staff``.
"""

from dataclasses import dataclass

from app.auth.roles import may
from app.db.records import StaffRole


@dataclass(frozen=True, slots=True)
class StaffPage:
    """A page for staff.

    Attributes:
        address: Without a slash at the end.
        role: What an account needs to open it.
        name: Key of its name in the texts of staff pages.
        files: Whether Gradio may hand out files below it, for pages with downloads.
        downloads: Beginnings of the addresses of what can be downloaded there.
    """

    address: str
    role: StaffRole
    name: str
    files: bool = False
    downloads: tuple[str, ...] = ()


PAGES = (
    StaffPage("/review", StaffRole.ADMIN, "staff.review"),
    StaffPage("/annotate", StaffRole.ANNOTATOR, "staff.annotate", downloads=("/api/staff/rankings.csv",)),
    StaffPage("/insights", StaffRole.ADMIN, "staff.insights", downloads=("/api/staff/insights/",)),
    StaffPage(
        "/export",
        StaffRole.ADMIN,
        "staff.export",
        downloads=("/api/staff/export/", "/api/staff/referrals.", "/api/staff/verdicts."),
    ),
    StaffPage("/staff", StaffRole.ADMIN, "staff.staff"),
)
"""In the order of the bar."""

_OWN = "/password"
"""Where everybody of the staff changes their own password: not in the bar's list, but a page all the same."""

_NEEDED = {page.address: page.role for page in PAGES} | {_OWN: StaffRole.ANNOTATOR}

ADDRESSES = frozenset(_NEEDED)
"""The only places that a sign-in can lead to."""

HOME = {StaffRole.ADMIN: "/review", StaffRole.ANNOTATOR: "/annotate"}
"""Where an account goes after signing in unless another of the pages was asked for."""


def after_sign_in(role: StaffRole, wanted: str) -> str:
    """Where an account goes: to the page that was asked for if it may open it, else to its own first one."""
    needed = _NEEDED.get(wanted)
    return wanted if needed is not None and may(role, needed) else HOME[role]


def pages_of(role: StaffRole) -> tuple[StaffPage, ...]:
    """The pages that an account may open, in the order of the bar."""
    return tuple(page for page in PAGES if may(role, page.role))


def page_behind(path: str) -> str:
    """The page that an address belongs to: itself, or the one that offers the download; else nothing."""
    if path in ADDRESSES:
        return path
    found = (page.address for page in PAGES if page.downloads and path.startswith(page.downloads))
    return next(found, "")
