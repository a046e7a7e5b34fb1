"""Settings of how reviewers are told of flags."""

import re
from typing import Literal

from pydantic import BaseModel, Field, SecretStr, field_validator

from app.settings_values import WebhookUrl

_ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+")


class AlertSettings(BaseModel):
    """How reviewers are told of flags; nothing that anybody wrote is ever sent."""

    mail_to: str | None = Field(
        default=None, description="Mail addresses told of every flag, with commas between them."
    )
    mail_from: str = Field(default="hearken@localhost", description="Sender of these mails.")
    smtp_host: str | None = Field(default=None, description="Mail server; unset means that no mail is sent.")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Its port.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls",
        description="How it is secured: starttls, tls (from the start) or none.",
    )
    smtp_user: str | None = Field(default=None, description="User name there, if it asks for one.")
    smtp_password: SecretStr | None = Field(default=None, description="Its password.")
    webhook_url: WebhookUrl | None = Field(
        default=None,
        description="Address that gets a JSON POST for every flag; https, or http within a private network.",
    )
    webhook_secret: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Signs the webhook's body (HMAC-SHA256), at least 16 characters; unset means unsigned.",
    )
    timeout_s: float = Field(
        default=10.0,
        gt=0,
        le=25,
        description="Seconds after which sending has failed and is tried again.",
    )

    @field_validator("mail_to")
    @classmethod
    def _addresses(cls, value: str | None) -> str | None:
        """Refuse what is no address; a line break would add a header of its own."""
        if value is not None and not all(_ADDRESS.fullmatch(one.strip()) for one in value.split(",")):
            msg = "must be mail addresses with commas between them"
            raise ValueError(msg)
        return value

    @property
    def recipients(self) -> list[str]:
        """Who gets mails."""
        return [one.strip() for one in (self.mail_to or "").split(",") if one.strip()]
