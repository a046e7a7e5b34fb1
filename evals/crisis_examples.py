"""What the crisis head learns from: messages written for this project, and everyday texts as calm ones."""

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.crisis_split import HAND_WRITTEN, SUPPORTIVE
from evals.misspelt import misspelt
from evals.smilechat import SMILECHAT, turns_of
from models.sentences import is_chinese
from models.training.dialogue_file import TALK_FOLDER, read_dialogues
from models.training.echo_file import read_echoes
from models.training.kind_rows import kind_rows
from models.training.phrase_book import PhraseBook, read_phrases
from models.training.rows import read_rows
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor
from safety.training.message_book import written_messages

_ROOT = Path(__file__).parents[1]
LEARNED_SETS = frozenset(
    f"crisis_{number}_set"
    for number in (
        *("fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth"),
        *("fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"),
        *("twenty_first", "twenty_second", "twenty_third", "twenty_fourth", "twenty_fifth"),
        *("twenty_sixth", "twenty_seventh", "twenty_eighth", "idioms"),
    )
)
"""Sets of ``evals/data`` that are learned from; every other one is only measured on, a new one as well."""
_WRITTEN_SETS = tuple(
    file
    for folder, pattern in (
        ("tests/data", "crisis_messages*.jsonl"),
        ("evals/data", "crisis_*_set.jsonl"),
        ("safety/training/hand_written", "*.jsonl"),
    )
    for file in sorted((_ROOT / folder).glob(pattern))
    if folder != "evals/data" or file.stem in LEARNED_SETS
)
"""Messages written one by one: for training, or for a measurement that is over."""
_PER_LINE = 12
_PER_TOPIC = 20
_NONE = RiskLevel.NONE
_ORDINARY_WEIGHT = 3.0
"""Weight of a line that a person may say in the phrase books, of which there are few."""
_EVERYDAY_WEIGHT = 2.0
"""Weight of a real text, of which there are a third as many as expansions."""
_MISSPELT_SHARE = 0.4
"""Share of the English messages written one by one that are learned from misspelt as well."""
_MAY_BE_GRAVE = frozenset(("hurt", "fear", "lonely", "low"))
"""Kinds of messages that are left out: all were asked for without danger, but here some may hold it."""
_GRAVE_TOPICS = frozenset(
    (
        "self-harm",
        "trauma",
        "domestic-violence",
        "eating-disorders",
        "substance-abuse",
        "addiction",
        "depression",
    )
)
_GRAVE_WORDS = re.compile(
    r"suicid|kill|die|dead|abus|rape|cut|hurt|hit|drink|drug|alcohol|weed|voices|harm|eat|choke"
)


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled text.

    Attributes:
        text: As written.
        level: Wanted level.
        category: Wanted category.
        group: Texts of one group (expansions of one line, one conversation) stay on one side of a split.
        weight: How much it counts.
    """

    text: str
    level: RiskLevel
    category: RiskCategory
    group: str
    weight: float = 1.0

    @property
    def is_hand_written(self) -> bool:
        """Whether it was written one by one, and for the crisis head."""
        return self.weight >= HAND_WRITTEN and not self.group.startswith(SUPPORTIVE)


def written_examples(hold_out: str, seed: int) -> list[Example]:
    """All messages written for this project but those of the set named ``hold_out``."""
    book = [Example(m.text, m.level, m.category, m.line) for m in written_messages(_PER_LINE, seed)]
    for file in _WRITTEN_SETS:
        if file.stem != hold_out:
            rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
            book += [_hand_written(row, file.stem) for row in rows]
    return book


def supportive_examples(seed: int) -> list[Example]:
    """What people tell in the dialogues and phrase books of the embedded model where no risk was meant.

    They are written in the style of the crisis messages; without them the head takes that style for the sign.
    Of messages with a first sentence (:mod:`models.training.echo_file`) only good news and small talk count.
    """
    dialogues = [*read_dialogues(), *read_dialogues(TALK_FOLDER)]
    grave = {example.group for example in dialogues if example.risk_level}
    found = {
        turn.content: Example(turn.content, _NONE, RiskCategory.NONE, SUPPORTIVE + one.group, HAND_WRITTEN)
        for one in dialogues
        if one.group not in grave
        for turn in one.turns
        if turn.role == "user"
    }
    book = PhraseBook(read_phrases(), random.Random(seed))  # noqa: S311  # repeatable, not secret
    for exchange in book.exchanges(_PER_TOPIC):
        if not exchange.risk_level:
            for said, _ in exchange.turns:
                group = SUPPORTIVE + exchange.topic
                found.setdefault(said, Example(said, _NONE, RiskCategory.NONE, group, _ORDINARY_WEIGHT))
    for echo in read_echoes():
        if echo.mood:
            group = f"{SUPPORTIVE}{echo.place}"
            found.setdefault(echo.said, Example(echo.said, _NONE, RiskCategory.NONE, group, HAND_WRITTEN))
    return list(found.values())


def misspelt_examples(examples: Sequence[Example], seed: int) -> list[Example]:
    """Copies of some English messages as hasty fingers type them, in the group of the message itself."""
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    return [
        replace(one, text=misspelt(one.text, rng))
        for one in examples
        if one.is_hand_written and not is_chinese(one.text) and rng.random() < _MISSPELT_SHARE
    ]


def told_examples(assessor: RiskAssessor) -> list[Example]:
    """What people tell in the messages that teach kinds, where no rule marks it, as calm messages."""
    rows = [row for row in kind_rows() if row.kind not in _MAY_BE_GRAVE]
    texts = dict.fromkeys(row.said[-1] for row in rows)
    return [replace(one, group=f"{SUPPORTIVE}{one.group}") for one in _calm(list(texts), assessor)]


def _hand_written(row: dict[str, Any], source: str) -> Example:
    level, category = RiskLevel[row["label"].upper()], RiskCategory(row.get("category", "none"))
    return Example(row["text"], level, category, f"{source}:{row['id']}", HAND_WRITTEN)


def everyday_examples(folder: Path, assessor: RiskAssessor, seed: int) -> tuple[list[Example], list[Example]]:
    """Everyday texts that no rule marks, for training and for setting the threshold."""
    train, check = list[str](), list[str]()
    if (folder / "goemotions/train.tsv.gz").exists():
        texts = [line.split("\t")[0] for line in _lines(folder / "goemotions/train.tsv.gz")]
        random.Random(seed).shuffle(texts)  # noqa: S311  # repeatable, not secret
        train += texts[:5000]
        check += texts[5000:6500]
    if (folder / SMILECHAT).exists():
        chats = list(turns_of(folder / SMILECHAT, "user"))
        train += [text for chat in chats[: len(chats) // 2] for text in chat]
        check += [text for chat in chats[len(chats) // 2 :] for text in chat]
    if (folder / "counselchat/answers.jsonl.gz").exists():
        train += list(dict.fromkeys(_questions(folder / "counselchat/answers.jsonl.gz")))
    return _calm(train, assessor), _calm(check, assessor)


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def _questions(path: Path) -> Iterator[str]:
    """Questions to counsellors that speak of no danger at all."""
    for _, row in read_rows(path):
        if row["topic"] not in _GRAVE_TOPICS:
            texts = (row["title"] or "", row["question"] or "")
            yield from (text for text in texts if not _GRAVE_WORDS.search(text.lower()))


def _calm(texts: Sequence[str], assessor: RiskAssessor) -> list[Example]:
    return [
        Example(text, RiskLevel.NONE, RiskCategory.NONE, f"everyday:{number}", _EVERYDAY_WEIGHT)
        for number, text in enumerate(texts)
        if text.strip() and assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE
    ]
