"""Staff accounts over a fresh database, on both kinds."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from app.auth.passwords import hash_password
from app.auth.roles import StaffGate
from app.auth.sign_in import SignInRules, StaffAuth
from app.db.engine import SessionFactory
from app.db.records import Staff, StaffRole
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store

PASSWORD = "quiet river at dawn"
HASH = hash_password(PASSWORD)
RULES = SignInRules(session=timedelta(hours=12), max_failures=3, lock=timedelta(minutes=15))


@dataclass
class Desk:
    """Sign-in over real repositories and a clock that a test moves."""

    store: Store
    clock: FakeClock
    auth: StaffAuth
    gate: StaffGate

    async def account(self, name: str = "anna", role: StaffRole = StaffRole.ADMIN) -> Staff:
        """An account with the test password."""
        return await self.store.staff.create(name, HASH, role)

    async def actions(self) -> list[str]:
        """What the audit log tells, oldest first."""
        return [entry.action for entry in reversed(await self.store.audit.recent())]


@pytest.fixture
def desk(factory: SessionFactory) -> Desk:
    clock = FakeClock()
    store = a_store(factory, clock)
    auth = StaffAuth(store.staff, store.staff_sessions, store.audit, RULES, clock)
    return Desk(store, clock, auth, StaffGate(auth, store.audit))
