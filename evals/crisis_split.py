"""Which messages a trial of a crisis head does not see."""

from zlib import crc32

SEED = 20261128
_FOLDS = 5


def is_unseen(group: str) -> bool:
    """Whether a group of messages is kept from the trial: one in five, the same whenever it is asked."""
    return crc32(group.encode()) % _FOLDS == 0
