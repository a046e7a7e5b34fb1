"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    def __init__(self, start: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)) -> None:
        self.time = start

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **parts: float) -> datetime:
        self.time += timedelta(**parts)
        return self.time
