"""Settings of signing in by an OpenID Connect provider."""

from pydantic import BaseModel, Field, HttpUrl, SecretStr, ValidationInfo, field_validator

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine."""


class OidcSettings(BaseModel):
    """Signing in by an OpenID Connect provider, beside passwords; off until an address is given."""

    discovery_url: HttpUrl | None = Field(
        default=None,
        description="Provider's discovery document, such as "
        "https://id.example.org/.well-known/openid-configuration; unset: passwords only.",
    )
    client_id: str | None = Field(
        default=None, validate_default=True, description="Client id that the provider gave to Hearken."
    )
    client_secret: SecretStr | None = Field(
        default=None, validate_default=True, description="Client secret that belongs to the id."
    )
    label: str = Field(
        default="single sign-on",
        min_length=1,
        max_length=40,
        description="Name of the provider on the button.",
    )
    name_claim: str = Field(
        default="email", min_length=1, description="Claim that holds the user name of the account."
    )
    require_verified_email: bool = Field(
        default=True, description="Refuse who has no e-mail address verified by the provider."
    )
    groups_claim: str = Field(default="groups", min_length=1, description="Claim that lists groups.")
    admin_groups: str = Field(
        default="",
        description="Groups, separated by commas, whose members are admins; with either list set, roles "
        "follow the groups at each sign-in, and who is in none is refused.",
    )
    annotator_groups: str = Field(
        default="", description="Groups, separated by commas, whose members are annotators."
    )
    create_accounts: bool = Field(
        default=False,
        description="Make an account at the first sign-in (annotator unless groups say more); false: "
        "accounts must exist before.",
    )

    @field_validator("discovery_url")
    @classmethod
    def _private(cls, value: HttpUrl | None) -> HttpUrl | None:
        """Codes and keys go over TLS, except on this machine."""
        if value is not None and value.scheme != "https" and value.host not in LOOPBACK:
            msg = "must begin with https://"
            raise ValueError(msg)
        return value

    @field_validator("client_id", "client_secret")
    @classmethod
    def _needed(cls, value: object, info: ValidationInfo) -> object:
        """Both are needed once there is a provider."""
        if info.data.get("discovery_url") is not None and not value:
            msg = "is needed when HEARKEN_OIDC__DISCOVERY_URL is set"
            raise ValueError(msg)
        return value
