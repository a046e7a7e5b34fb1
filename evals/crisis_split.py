"""How examples of a crisis head are told apart: by weight and by group, and which a trial does not see."""

from zlib import crc32

SEED = 20261128
HAND_WRITTEN = 4.0
"""Weight of a message written one by one; an expansion of a line counts 1."""
SUPPORTIVE = "supportive:"
"""Begins the group of an ordinary message that was written for supportive dialogues."""
DAILY = "daily_chinese:"
"""Begins the group of a Chinese message of ordinary life; the supportive dialogues are in English."""
ORDINARY = (SUPPORTIVE, DAILY)
"""Messages of ordinary life: cards on them are limited apart from those on calm messages that look grave."""
_FOLDS = 5


def is_unseen(group: str) -> bool:
    """Whether a group of messages is kept from the trial: one in five, the same whenever it is asked."""
    return crc32(group.encode()) % _FOLDS == 0
