"""One training example of the supporter, and how a set of them is divided."""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from models.chat_model import ChatMessage


@dataclass(frozen=True, slots=True)
class Example:
    """A reply to learn and the turns before it.

    Attributes:
        source: Name of the data it comes from.
        group: Conversation; all of its examples land on one side of a split.
        turns: Turns before the reply, the last one the person's.
        reply: The text to learn; empty where only the codes are learned.
        risk_level: Level whose guidance the prompt carries, 0 to 3.
        mood: What was said is hard, good news, light or in between, by the names of
            :mod:`models.training.scene_book`; empty where nobody knows.
        code: Control codes at the end of the prompt (:mod:`models.control_code`); empty for none.
        learn_code: Whether the model learns to write the codes itself.
        given: Beginning of the reply that is not learned.
    """

    source: str
    group: str
    turns: tuple[ChatMessage, ...]
    reply: str
    risk_level: int = 0
    mood: str = ""
    code: str = ""
    learn_code: bool = False
    given: str = ""


VALIDATION_SHARE = 0.15
"""Share of conversations of each source that fine-tuning keeps apart."""


def is_held_out(group: str, share: float) -> bool:
    """Whether a conversation is kept apart for validation.

    The choice hangs on the name alone, so it is the same for every recipe and evaluation.
    """
    digest = hashlib.sha256(group.encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32 < share


def split_by_group(examples: Sequence[Example], share: float) -> tuple[list[Example], list[Example]]:
    """Training and validation examples; no conversation is in both."""
    train = [example for example in examples if not is_held_out(example.group, share)]
    return train, [example for example in examples if is_held_out(example.group, share)]


def opening(text: str, words: int = 2) -> str:
    """The first words of a reply in lower case, the key of its opening."""
    return " ".join(text.lower().split()[:words])


def limit_openings(examples: Sequence[Example], share: float, seed: int) -> list[Example]:
    """Leave out replies until no opening makes up more than ``share`` of a source's examples.

    A model this small copies the most frequent opening for everything.
    """
    shuffled = random.Random(seed).sample(list(examples), len(examples))  # noqa: S311 - not for secrets
    totals = Counter(example.source for example in shuffled)
    seen: defaultdict[tuple[str, str], int] = defaultdict(int)
    kept: list[Example] = []
    for example in shuffled:
        key = (example.source, opening(example.reply))
        if seen[key] < max(1, int(share * totals[example.source])):
            seen[key] += 1
            kept.append(example)
    return kept


def limit_per_context(examples: Sequence[Example], most: int, seed: int) -> list[Example]:
    """At most ``most`` replies to one and the same context, chosen at random."""
    shuffled = random.Random(seed).sample(list(examples), len(examples))  # noqa: S311 - not for secrets
    seen: Counter[tuple[ChatMessage, ...]] = Counter()
    kept: list[Example] = []
    for example in shuffled:
        seen[example.turns] += 1
        if seen[example.turns] <= most:
            kept.append(example)
    return kept
