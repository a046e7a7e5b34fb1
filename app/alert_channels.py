"""The ways to tell reviewers of a flag: a mail, and a POST to an address of the operator's."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from typing import Protocol

import aiosmtplib
import httpx

from app.settings_alerts import AlertSettings


@dataclass(frozen=True, slots=True)
class Alert:
    """What is told: facts of the flag, and where to look; nothing that anybody wrote.

    Attributes:
        event: ``opened``, ``raised`` or ``overdue``.
        due_at: When it is to be answered, ISO 8601.
        review: Address of the review page with this flag.
    """

    event: str
    flag: str
    level: str
    category: str
    due_at: str | None
    review: str


class Channel(Protocol):
    """One way to tell; ``name`` is stored with what was told."""

    @property
    def name(self) -> str:
        """Such as ``mail``."""
        ...

    async def send(self, alert: Alert) -> None:
        """Tell it; any error means that it did not get through."""
        ...


class MailChannel:
    """Sends mails over SMTP.

    Args:
        settings: Server, addresses and credentials.
    """

    name = "mail"

    def __init__(self, settings: AlertSettings) -> None:
        self._settings = settings

    async def send(self, alert: Alert) -> None:
        """Send one mail to all recipients.

        Raises:
            aiosmtplib.SMTPException: The server did not take it.
            OSError: There was no connection.
        """
        chosen = self._settings
        password = chosen.smtp_password
        await aiosmtplib.send(
            _mail(alert, chosen.mail_from, chosen.recipients),
            hostname=chosen.smtp_host,
            port=chosen.smtp_port,
            username=chosen.smtp_user,
            password=None if password is None else password.get_secret_value(),
            use_tls=chosen.smtp_security == "tls",
            start_tls=chosen.smtp_security == "starttls",
            timeout=chosen.timeout_s,
        )


class WebhookChannel:
    """Posts JSON; with a secret, the time and the body are signed with it.

    Args:
        settings: Address, secret and time limit.
        clock: Seconds since 1970.
    """

    name = "webhook"

    def __init__(self, settings: AlertSettings, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._now = clock

    async def send(self, alert: Alert) -> None:
        """Post one alert; redirects are not followed.

        Raises:
            httpx.HTTPError: There was no connection, or another answer than 2xx.
        """
        body = json.dumps(asdict(alert)).encode()
        headers = {"content-type": "application/json", "user-agent": "hearken"}
        secret = self._settings.webhook_secret
        if secret is not None:
            moment = str(int(self._now()))
            headers["x-hearken-timestamp"] = moment
            headers["x-hearken-signature"] = signature(secret.get_secret_value(), moment, body)
        async with httpx.AsyncClient(timeout=self._settings.timeout_s, follow_redirects=False) as client:
            answer = await client.post(str(self._settings.webhook_url), content=body, headers=headers)
        if not answer.is_success:
            # The address itself may hold a token: the error names the status only.
            msg = f"status {answer.status_code}"
            raise httpx.HTTPError(msg)


def channels_for(settings: AlertSettings) -> list[Channel]:
    """The channels that an operator has set up."""
    found: list[Channel] = []
    if settings.smtp_host and settings.recipients:
        found.append(MailChannel(settings))
    if settings.webhook_url is not None:
        found.append(WebhookChannel(settings))
    return found


def signature(secret: str, moment: str, body: bytes) -> str:
    """What the header ``X-Hearken-Signature`` holds.

    Args:
        secret: Shared with the receiver.
        moment: The header ``X-Hearken-Timestamp``, seconds since 1970.
        body: As it is sent.
    """
    signed = hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256)
    return f"sha256={signed.hexdigest()}"


_SUBJECTS = {
    "opened": "new flag · 新标记",
    "raised": "flag needs you again · 标记需再次处理",
    "overdue": "flag overdue · 标记已超时",
}


def _mail(alert: Alert, sender: str, recipients: Sequence[str]) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, ", ".join(recipients)
    mail["Subject"] = f"Hearken: {alert.level}, {alert.category} – {_SUBJECTS[alert.event]}"
    mail.set_content(
        f"Level · 级别: {alert.level}\nCategory · 类别: {alert.category}\n"
        f"To be answered by · 处理期限: {alert.due_at or '–'}\nFlag · 标记: {alert.flag}\n\n{alert.review}\n"
    )
    return mail
