"""The pages for staff: the one place that says where each is, whom it is for and what it is called.

The outer door, the bar at the top of every page and the sign-in read this table: a new page is
one more line here, its text in ``staff.*.yaml`` and its mounting in ``app.staff``.
"""

from dataclasses import dataclass

from app.db.records import StaffRole


@dataclass(frozen=True, slots=True)
class StaffPage:
    """A page for staff.

    Attributes:
        address: Without a slash at the end.
        role: What an account needs to open it.
        name: Key of its name in the texts of staff pages.
        files: Whether Gradio may hand out files below it, for pages with downloads.
    """

    address: str
    role: StaffRole
    name: str
    files: bool = False


PAGES = (
    StaffPage("/review", StaffRole.ADMIN, "staff.review"),
    StaffPage("/annotate", StaffRole.ANNOTATOR, "staff.annotate"),
    StaffPage("/insights", StaffRole.ADMIN, "staff.insights"),
    StaffPage("/export", StaffRole.ADMIN, "staff.export"),
    StaffPage("/staff", StaffRole.ADMIN, "staff.staff"),
)
"""In the order of the bar."""

ADDRESSES = frozenset(page.address for page in PAGES)
"""The only places that a sign-in can lead to."""

HOME = {StaffRole.ADMIN: "/review", StaffRole.ANNOTATOR: "/annotate"}
"""Where an account goes after signing in unless another of the pages was asked for."""
