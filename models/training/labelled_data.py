"""Examples whose replies come from the phrase books: to our own messages, and to labelled public texts.

Public texts teach the model that a great many different messages ask for a small set of sensible
moves; only their label (an emotion, a topic of counselling) chooses the sentences.
"""

import gzip
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from models.chat_model import ChatMessage
from models.control_code import code_text
from models.message_kind import MessageReading
from models.training.example import Example
from models.training.phrase_book import PhraseBook, read_phrases
from models.training.reply_text import UNFIT, plain_text
from models.training.rows import read_rows

PER_TOPIC = 55
"""Conversations built for each topic of the phrase books."""

_LOW = code_text(MessageReading("low"))

BEGINNINGS = (
    "hi, ",
    "honestly, ",
    "so, ",
    "i don't know where to start. ",
    "can i tell you something? ",
    "well... ",
)
ENDINGS = (
    " and i don't know what to do",
    " :(",
    ". I don't know who to talk to",
    ". It's been a rough week",
    " and i can't stop thinking about it",
    ", it's so hard",
    ". I just needed to tell someone",
    " and it hurts",
)
"""What people put around what they came to say."""

PER_EMOTION = 60
"""Texts taken for each emotion."""

WORDS = range(4, 41)
"""Length of a labelled text that is taken."""

QUESTION_WORDS = 120
"""Longest question of a person seeking help that is taken."""

_PERSONAL = re.compile(
    r"(?:i|i'm|im|i've|my|today i|feeling|just) (?!hope|think|guess|agree|don't know|love (?:how|this|that))"
    r"(?!would|wish|mean|call|(?:so |really )?sorry)",
    re.IGNORECASE,
)
_ROUGH = re.compile(
    r"\[|\bf+u+c+k|shit|\bass\b|bitch|cunt|idiot|nazi|rape|murder|\bdie|\bdead|\bdeath|heart attack"
    r"|reddit|\bsub\b|lmao|/[rs]\b|suicid|\bkill|self.?harm|cutting|overdos|abus|\bhits? me"
    r"|hurt(?:ing)? (?:myself|me)\b|end it",
    re.IGNORECASE,
)
"""Not talk about oneself, or talk that must meet crisis guidance and not a plain reply."""


def phrase_examples(seed: int) -> list[Example]:
    """Conversations of the phrase books; the messages vary in case and punctuation, as people type."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    examples: list[Example] = []
    for exchange in PhraseBook(read_phrases(), chance).exchanges(PER_TOPIC):
        group = f"phrases:{exchange.turns[0][0]}"
        turns: list[ChatMessage] = []
        for said, reply in exchange.turns:
            turns.append(ChatMessage("user", _as_typed(said, chance)))
            examples.append(Example("phrases", group, tuple(turns), reply, exchange.risk_level))
            turns.append(ChatMessage("assistant", reply))
    return examples


def guidance_examples(seed: int) -> list[Example]:
    """The conversations of the phrase books whose prompts carry the guidance of a risk level.

    Every second one also has the control codes of a person who is low, so that the guidance counts beside
    them.
    """
    at_risk = [example for example in phrase_examples(seed) if example.risk_level]
    return [
        Example(
            "guidance",
            example.group,
            example.turns,
            example.reply,
            example.risk_level,
            code=_LOW if place % 2 else "",
        )
        for place, example in enumerate(at_risk)
    ]


def labelled_examples(data_dir: Path, seed: int) -> list[Example]:
    """Replies to personal texts of GoEmotions and to questions of CounselChat.

    Raises:
        ValueError: A file is missing or a row is malformed.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    book = PhraseBook(read_phrases(), chance, general_share=0.3)
    found = [*_emotions(data_dir, chance), *_questions(data_dir)]
    examples: list[Example] = []
    for kind, label, text in found:
        reply = book.reply_for_label(kind, label)
        if reply is not None:
            turns = (ChatMessage("user", text),)
            examples.append(Example("labelled", f"{kind}:{text}", turns, reply))
    return examples


def _emotions(data_dir: Path, chance: random.Random) -> list[tuple[str, str, str]]:
    folder = data_dir / "goemotions"
    try:
        labels = (folder / "labels.txt").read_text("utf-8").split()
        with gzip.open(folder / "train.tsv.gz", "rt", encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except OSError as error:
        msg = f"{folder}: {type(error).__name__}"
        raise ValueError(msg) from None
    chance.shuffle(lines)
    counts: Counter[str] = Counter()
    found: list[tuple[str, str, str]] = []
    for text, label in _single_labels(lines, labels):
        if counts[label] < PER_EMOTION:
            counts[label] += 1
            found.append(("emotions", label, text))
    return found


def _single_labels(lines: list[str], labels: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        parts = line.split("\t")
        if len(parts) != 3:
            msg = f"train.tsv.gz: row with {len(parts)} columns instead of 3 (shuffled position {number})"
            raise ValueError(msg)
        text = plain_text(parts[0])
        fits = len(text.split()) in WORDS and _PERSONAL.match(text) and not _ROUGH.search(parts[0])
        if fits and parts[1].isdigit() and not UNFIT.search(text):
            yield text, labels[int(parts[1])]


def _questions(data_dir: Path) -> list[tuple[str, str, str]]:
    """Each question once, with its topic."""
    found: dict[str, tuple[str, str, str]] = {}
    for _, row in read_rows(data_dir / "counselchat" / "answers.jsonl.gz"):
        text = plain_text(row["question"] or row["title"])
        if 4 <= len(text.split()) <= QUESTION_WORDS and not (UNFIT.search(text) or _ROUGH.search(text)):
            found[text] = ("counselchat", row["topic"], text)
    return list(found.values())


def _as_typed(text: str, chance: random.Random) -> str:
    """Vary a message's beginning, end, case and punctuation."""
    if len(text.split()) > 4 and text[-1] not in "?!":
        text = chance.choice(BEGINNINGS) + text if chance.random() < 0.2 else text
        text = text.rstrip(".") + chance.choice(ENDINGS) if chance.random() < 0.25 else text
    style = chance.random()
    if style < 0.25:
        text = text.lower()
    if style < 0.1:
        text = text.replace("'", "")
    elif style > 0.92:
        text = f"{text.rstrip('.')}..."
    elif style > 0.8:
        text = text.rstrip(".!")
    return text
