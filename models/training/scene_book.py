"""Reads the scenes written for Hearken (``models/training/scenes/*.txt``).

A scene is one narrow situation, ``[[name]]``. ``you`` is a message that tells it, and ``x`` behind it a first
sentence for just this message, which takes it up and names feelings. The other sentences fit every message
of the scene: ``e`` openly names feelings, ``o`` takes the situation up, ``f`` says where a feeling comes
from, ``v`` that it makes sense, ``w`` what it shows, ``q`` asks or invites. ``next`` lines mean the same
thing that may come next, with an ``x`` behind some, and ``say`` lines are whole replies to it. ``slot name:
a | b`` lists words that can be exchanged for each other wherever ``{name}`` stands; ``mood: good`` marks good
news. The blocks ``[[support]]``, ``[[support_good]]``, ``[[support_light]]`` and ``[[support_plain]]`` hold
sentences that are true of anything hard, of good news, of small things of every day and of things in between:
``e``, ``v``, ``s`` (somebody listens), ``q``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SCENE_FOLDER = Path(__file__).parent / "scenes"
HARD, GOOD, PLAIN, LIGHT = "support", "support_good", "support_plain", "support_light"
"""Moods, by the names of the blocks of sentences that are true of anything in that mood."""

_HEADING = re.compile(r"\[\[(\w+)\]\]")
_LINE = re.compile(r"(?P<key>you|[xeofvwsq]|next|say|slot|mood)(?: (?P<slot>\w+))?: (?P<text>\S.*)")


@dataclass(frozen=True, slots=True)
class Told:
    """A message, and first sentences for it."""

    text: str
    echoes: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a person may say next, and replies to it."""

    said: list[Told] = field(default_factory=list[Told])
    replies: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Scene:
    """One situation.

    Attributes:
        name: Its file and its heading.
        told: Messages that tell it.
        sentences: By kind.
        follow_ups: What may come next.
        slots: Exchangeable words by name.
        good: Whether it is good news.
    """

    name: str
    told: list[Told] = field(default_factory=list[Told])
    sentences: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    follow_ups: list[FollowUp] = field(default_factory=list[FollowUp])
    slots: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    good: bool = False

    @property
    def mood(self) -> str:
        """What may be said of it in general; a scene without named feelings is in between."""
        if self.good:
            return GOOD
        return HARD if "v" in self.sentences else PLAIN


@dataclass(frozen=True, slots=True)
class SceneBook:
    """All scenes, and sentences that are true of anything in a mood, by mood and kind."""

    scenes: Sequence[Scene]
    support: Mapping[str, Mapping[str, Sequence[str]]]


def read_scenes(folder: Path = SCENE_FOLDER) -> SceneBook:
    """Read a folder's files.

    Raises:
        ValueError: With file and line number: a line of another form or in the wrong place, a second scene of
            one name in a file, an unknown slot; or a scene without messages, first or last sentences.
    """
    scenes: dict[str, Scene] = {}
    support: dict[str, Mapping[str, Sequence[str]]] = {}
    for file in sorted(folder.glob("*.txt")):
        scene: Scene | None = None
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            where = f"{file.name}, line {number}"
            heading = _HEADING.fullmatch(line.strip())
            if heading is not None:
                scene = Scene(f"{file.stem}/{heading[1]}")
                if scene.name in scenes:
                    raise ValueError(f"{where}: a second scene {heading[1]}")
                if heading[1] in (HARD, GOOD, PLAIN, LIGHT):
                    support[heading[1]] = scene.sentences
                else:
                    scenes[scene.name] = scene
            elif line.strip() and not line.startswith("#"):
                match = _LINE.fullmatch(line.strip())
                if match is None or scene is None:
                    raise ValueError(f"{where}: expected '[[scene]]' or 'key: text'")
                _add(scene, match, where)
    for scene in scenes.values():
        if not scene.told or not {"o", "q"} <= scene.sentences.keys():
            raise ValueError(f"scene {scene.name}: needs lines 'you', 'o' and 'q'")
    return SceneBook(list(scenes.values()), support)


def _add(scene: Scene, match: re.Match[str], where: str) -> None:
    key, text = match["key"], match["text"].strip()
    unknown = sorted(set(re.findall(r"\{(\w+)\}", text)) - scene.slots.keys())
    if unknown:
        raise ValueError(f"{where}: slot {unknown[0]} is not known")
    if (key == "x" and not scene.told) or (key == "say" and not scene.follow_ups):
        raise ValueError(f"{where}: nothing before it that '{key}' belongs to")
    if key == "slot":
        scene.slots[match["slot"] or ""] = [part.strip() for part in text.split("|")]
    elif key == "mood":
        scene.good = text == "good"
    elif key == "you":
        scene.told.append(Told(text))
    elif key == "x":
        (scene.follow_ups[-1].said[-1] if scene.follow_ups else scene.told[-1]).echoes.append(text)
    elif key == "next":
        if not scene.follow_ups or scene.follow_ups[-1].replies:
            scene.follow_ups.append(FollowUp())
        scene.follow_ups[-1].said.append(Told(text))
    elif key == "say":
        scene.follow_ups[-1].replies.append(text)
    else:
        scene.sentences.setdefault(key, []).append(text)
