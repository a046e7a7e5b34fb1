"""The repositories over a fresh database, on both kinds."""

import pytest

from app.db.engine import SessionFactory
from tests.fakes.clock import FakeClock
from tests.integration.app.db.store import Store, a_store


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(factory: SessionFactory, clock: FakeClock) -> Store:
    return a_store(factory, clock)
