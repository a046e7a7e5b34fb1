"""Reads the dialogues written for Hearken: short replies in ``dialogues``, full ones in ``talks``.

A line ``==`` begins a conversation, ``you:`` a message of the person, ``hearken:`` a reply,
``hearken [moderate]:`` a reply at that risk level. Lines that begin with ``#`` are comments.
"""

import re
from pathlib import Path

from models.chat_model import ChatMessage
from models.prompts.build import RISK_BLOCKS
from models.training.example import Example

DIALOGUE_FOLDER = Path(__file__).parent / "dialogues"
TALK_FOLDER = Path(__file__).parent / "talks"
"""Replies of four or five sentences that name a feeling and its reason, twice as long as the others."""

_LINE = re.compile(r"(?P<who>you|hearken)(?: \[(?P<risk>\w+)\])?: (?P<text>\S.*)")


def read_dialogues(folder: Path = DIALOGUE_FOLDER) -> list[Example]:
    """All replies of a folder's files, each with the turns before it; the source has the folder's name.

    Raises:
        ValueError: With file and line number, for a line of another form or two turns of one side.
    """
    examples: list[Example] = []
    for file in sorted(folder.glob("*.txt")):
        examples += _read_file(file, folder.name)
    return examples


def _read_file(file: Path, source: str) -> list[Example]:
    examples: list[Example] = []
    turns: list[ChatMessage] = []
    group = ""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        where = f"{file.name}, line {number}"
        if line.strip() == "==":
            turns, group = [], f"{file.stem}:{number}"
        elif line.strip() and not line.startswith("#"):
            example, turn = _read_turn(where, line, source, group, turns)
            examples += [example] if example else []
            turns = [*turns, turn]
    return examples


def _read_turn(
    where: str, line: str, source: str, group: str, turns: list[ChatMessage]
) -> tuple[Example | None, ChatMessage]:
    match = _LINE.fullmatch(line.strip())
    if match is None or not group:
        msg = f"{where}: expected '==', 'you: …' or 'hearken: …'"
        raise ValueError(msg)
    role = "user" if match["who"] == "you" else "assistant"
    if role != ("assistant" if len(turns) % 2 else "user"):
        msg = f"{where}: the two sides must take turns, beginning with 'you:'"
        raise ValueError(msg)
    turn = ChatMessage(role, match["text"])
    if role == "user":
        return None, turn
    risk = match["risk"]
    if risk is not None and risk not in RISK_BLOCKS:
        msg = f"{where}: risk level {risk} is not known"
        raise ValueError(msg)
    return Example(source, group, tuple(turns), turn.content, RISK_BLOCKS.index(risk)), turn
