"""Tells reviewers of flags in the background, so that nothing of it waits in a person's turn."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.alert_channels import Alert, Channel
from app.api.health import Part
from app.db.errors import GoneError
from app.db.flag_notices import FlagNoticeRepository, Notice
from app.db.types import Clock, utc_now
from app.logs import log_without_text
from safety.levels import RiskLevel

_FIRST_WAIT = timedelta(seconds=30)
"""Before the second attempt; longer than any channel may take, so that no attempt runs twice at once."""
_LONGEST_WAIT = timedelta(hours=1)
_log = logging.getLogger(__name__)


class AlertJob:
    """Looks for flags that a channel has not told yet, and tells them.

    Args:
        notices: Knows what is still to be told.
        channels: Ways to tell.
        limits: Time to answer a flag, by level.
        public_url: Address that people open, without a slash at its end.
        clock: Tells the time.
    """

    def __init__(
        self,
        notices: FlagNoticeRepository,
        channels: Sequence[Channel],
        limits: Mapping[RiskLevel, timedelta],
        public_url: str,
        clock: Clock = utc_now,
    ) -> None:
        self._notices = notices
        self._channels = channels
        self._limits = limits
        self._public_url = public_url
        self._now = clock
        self._failed: dict[str, str] = {}

    async def run(self, every_s: float = 3.0) -> None:
        """Run until cancelled.

        Args:
            every_s: Seconds between two looks.
        """
        while self._channels:
            try:
                await self.tell_all()
            except Exception as error:
                log_without_text(_log, "flags to tell of could not be read", error)
            await asyncio.sleep(every_s)

    async def tell_all(self) -> int:
        """Tell what is due now; returns how many notices got through."""
        # One slow channel doesn't hold up the other.
        sent = await asyncio.gather(*(self._tell(channel) for channel in self._channels))
        return sum(sent)

    def parts(self) -> list[Part]:
        """The state of each channel, for readiness; one never needed by the persons who write."""
        return [
            Part(
                f"notifications by {channel.name}",
                "degraded" if channel.name in self._failed else "ok",
                self._failed.get(channel.name, "no failure since the start or the last success"),
                needed=False,
            )
            for channel in self._channels
        ]

    async def _tell(self, channel: Channel) -> int:
        sent = 0
        for notice in await self._notices.pending(channel.name, self._limits):
            wait = min(_FIRST_WAIT * 2 ** min(notice.attempts, 10), _LONGEST_WAIT)
            try:
                mine = await self._notices.claim(notice.flag.id, channel.name, self._now() + wait)
            except GoneError:
                continue
            if mine and await self._send(channel, notice):
                await self._notices.sent(notice, channel.name)
                sent += 1
        return sent

    async def _send(self, channel: Channel, notice: Notice) -> bool:
        try:
            await channel.send(self._alert(notice))
        except Exception as error:  # whatever a server does, the other flags must still be told
            # The text of the error may hold an address with a token: only its kind is told.
            self._failed[channel.name] = f"failed ({type(error).__name__}); it is tried again"
            _log.warning("flag %s was not told by %s: %s", notice.flag.id, channel.name, type(error).__name__)
            return False
        self._failed.pop(channel.name, None)
        return True

    def _alert(self, notice: Notice) -> Alert:
        flag = notice.flag
        due = flag.due_at(self._limits)
        return Alert(
            event=notice.kind.value,
            flag=flag.id,
            level=flag.level.label,
            category=flag.category.value,
            due_at=due and due.isoformat(),
            review=f"{self._public_url}/review/?flag={flag.id}",
        )
