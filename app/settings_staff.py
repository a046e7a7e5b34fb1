"""Settings of what staff do: sign-in with passwords, annotation, review, insights."""

from datetime import timedelta

from pydantic import BaseModel, Field

from safety.levels import RiskLevel


class AuthSettings(BaseModel):
    """Staff accounts."""

    session_hours: int = Field(default=12, ge=1, le=720, description="Hours until a staff login ends.")
    idle_minutes: int = Field(
        default=240,
        ge=0,
        le=43200,
        description="Minutes without a press or a new page until a staff login ends; 0 is never. That an "
        "open review page looks for changes does not count.",
    )
    max_failures: int = Field(
        default=5, ge=1, le=100, description="Wrong passwords in a row before an account is locked."
    )
    lock_minutes: int = Field(default=15, ge=1, le=1440, description="Minutes an account stays locked.")


class LimitSettings(BaseModel):
    """Limits by address, in the memory of each process; no address is stored or logged."""

    sign_ins_per_hour: int = Field(
        default=60,
        ge=0,
        le=100_000,
        description="Attempts to sign in as staff from one address (IPv6: one /64) in an hour; 0: no limit.",
    )
    conversations_per_hour: int = Field(
        default=120,
        ge=0,
        le=1_000_000,
        description="New conversations from one address in an hour, unless a message shows danger; 0 is no "
        "limit. Many persons can share an address: a school, a mobile network.",
    )


class InsightSettings(BaseModel):
    """The insights page."""

    min_count: int = Field(
        default=5,
        ge=1,
        le=1000,
        description="Counts from 1 to one less than this are masked on the insights page and in its files.",
    )
    every_minutes: int = Field(
        default=15, ge=1, le=1440, description="Minutes between two counts of the figures of the day."
    )


class ReviewSettings(BaseModel):
    """How soon reviewers answer."""

    imminent_minutes: int = Field(
        default=15, ge=1, le=10080, description="Minutes within which an imminent flag is to be answered."
    )
    moderate_hours: int = Field(
        default=24, ge=1, le=720, description="Hours within which a moderate flag is to be answered."
    )
    poll_seconds: float = Field(
        default=3.0,
        ge=0.5,
        le=60,
        description="Seconds between two looks of an open review page for changes.",
    )

    @property
    def limits(self) -> dict[RiskLevel, timedelta]:
        """Time to answer by level."""
        return {
            RiskLevel.IMMINENT: timedelta(minutes=self.imminent_minutes),
            RiskLevel.MODERATE: timedelta(hours=self.moderate_hours),
        }


class AnnotationSettings(BaseModel):
    """Rating and ranking of replies by staff."""

    double_share: float = Field(
        default=0.2,
        ge=0.0,
        le=1.0,
        description="Share of replies that two annotators rate, so that agreement can be measured.",
    )
