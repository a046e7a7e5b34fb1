"""Settings of the database: where it lies, how long it keeps what, and with which keys."""

from pathlib import Path

from pydantic import BaseModel, Field, SecretStr, field_validator

from app.db.cipher import TextCipher

_DATABASES = ("postgres", "postgresql", "sqlite")


class StorageSettings(BaseModel):
    """Where data lies and how long it stays."""

    folder: Path = Field(
        default=Path("var"), description="Folder for the SQLite file, the cookie key and model caches."
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy or libpq URL of PostgreSQL (postgresql://user:password@host/name) "
        "or sqlite:///file; unset means hearken.sqlite3 in the data folder.",
    )
    pool_size: int = Field(default=10, ge=1, le=200, description="Connections kept open to PostgreSQL.")
    retention_days: int = Field(
        default=180,
        ge=1,
        le=3650,
        description="Conversations idle for longer are deleted; flagged ones when closed.",
    )
    retention_job: bool = Field(
        default=True,
        description="Delete old conversations daily while the app runs; false if cron runs app.retention.",
    )
    encryption_keys: SecretStr | None = Field(
        default=None,
        description="Keys separated by commas that encrypt what people wrote: the first one encrypts, all "
        "decrypt; unset means plain text. See docs/operators.md before changing it.",
    )

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str | None) -> str | None:
        """Refuse what is no address, and databases the schema was never run on."""
        scheme, mark, _ = (value or "").partition("://")
        if value is not None and not (mark and scheme.partition("+")[0] in _DATABASES):
            msg = "must begin with postgresql:// or sqlite:///"
            raise ValueError(msg)
        return value

    @field_validator("encryption_keys")
    @classmethod
    def _usable_keys(cls, value: SecretStr | None) -> SecretStr | None:
        """Refuse what is no key before anything is written with it."""
        if value is not None:
            TextCipher.from_setting(value.get_secret_value())
        return value

    @property
    def cipher(self) -> TextCipher:
        """What encrypts text in the database, with the keys above."""
        keys = self.encryption_keys
        return TextCipher.from_setting(None if keys is None else keys.get_secret_value())
