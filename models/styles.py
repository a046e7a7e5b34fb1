"""The manners of answering that a person can pick."""

from enum import StrEnum


class Style(StrEnum):
    """How a person wants to be answered; ``balanced`` changes nothing."""

    BALANCED = "balanced"
    GENTLE = "gentle"
    PRACTICAL = "practical"
    BRIEF = "brief"
