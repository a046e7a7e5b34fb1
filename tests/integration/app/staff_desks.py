"""Parts of the staff pages over the repositories of a test."""

from app.ui.review_desk import ReviewDesk
from safety.helplines import load_directory
from tests.integration.app.db.store import Store


def a_review_desk(store: Store) -> ReviewDesk:
    """The review desk as the application composes it."""
    return ReviewDesk(
        store.flags,
        store.messages,
        store.risk,
        store.referrals,
        store.staff,
        store.audit,
        store.candidates,
        store.missed,
        load_directory(),
    )
