"""Reads messages with a first sentence of a reply to each (``models/training/echoes/*.txt``).

``you`` is a message and ``x`` the sentence, which takes it up and names feelings; ``before`` in front of
them is what the person had said earlier in the same conversation. ``mood: light`` or ``mood: good`` at a
file's beginning says what all its messages are: small things of every day, or good news. The sentences teach
a model to stay with what was said.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ECHO_FOLDER = Path(__file__).parent / "echoes"

MOODS = ("light", "good")
"""Moods that a file can state; otherwise each sentence shows its own."""

_LINE = re.compile(r"(?P<key>before|you|x): (?P<text>\S.*)")
_MOOD = re.compile(rf"mood: (?P<mood>{'|'.join(MOODS)})")


@dataclass(frozen=True, slots=True)
class Echo:
    """A message and a first sentence.

    Attributes:
        place: File and line; a name for it.
        before: An earlier message, or an empty text.
        said: The message.
        sentence: The sentence.
        mood: One of :data:`MOODS`, or an empty text.
    """

    place: str
    before: str
    said: str
    sentence: str
    mood: str = ""


def read_echoes(folder: Path = ECHO_FOLDER) -> list[Echo]:
    """All messages of a folder's files.

    Raises:
        ValueError: With file and line number, for a line of another form or in the wrong place.
    """
    found: list[Echo] = []
    for file in sorted(folder.glob("*.txt")):
        open_lines: dict[str, str] = {}
        mood = ""
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            stated = _MOOD.fullmatch(line.strip())
            if (
                stated is not None
                and not mood
                and not any(one.place.startswith(f"{file.stem}:") for one in found)
            ):
                mood = stated["mood"]
                continue
            match = _LINE.fullmatch(line.strip())
            if (
                match is None
                or match["key"] in open_lines
                or (match["key"] == "x" and "you" not in open_lines)
            ):
                raise ValueError(f"{file.name}, line {number}: expected 'before: …', 'you: …', then 'x: …'")
            open_lines[match["key"]] = match["text"]
            if match["key"] == "x":
                place = f"{file.stem}:{number}"
                before, said, sentence = (open_lines.get(key, "") for key in ("before", "you", "x"))
                found.append(Echo(place, before, said, sentence, mood))
                open_lines = {}
    return found
