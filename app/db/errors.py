"""Errors that repositories raise; none of them carries text of a message."""


class StoreError(Exception):
    """Base of all errors of the store."""


class GoneError(StoreError):
    """The row that something belongs to does not exist (any more), e.g. a deleted session."""


class ConflictError(StoreError):
    """Somebody else changed or made the row first; read it again and decide anew."""


class NotMissedError(StoreError):
    """The layers gave the message that level already, or a higher one: nothing was missed."""


class LastAdminError(StoreError):
    """The change would leave no admin who can sign in."""
