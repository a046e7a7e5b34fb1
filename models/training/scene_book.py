"""Reads the scenes written for Hearken (``models/training/scenes/*.txt``) and builds replies from them.

A scene is one narrow situation: ways in which people tell it (``you``), whole sentences that fit each of
them by their place in a reply (``o`` takes the fact up, ``f`` names a feeling and its reason, ``w`` what it
shows or means, ``q`` asks or invites), and what may come next: lines ``next`` that mean the same thing, with
whole replies to them (``say``). Any row of one sentence of each kind is a reply that makes sense, so a model
too small to compose learns to recognise the situation and to say what fits it. ``slot name: a | b`` lists
words that can be exchanged for each other wherever ``{name}`` stands.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.chat_model import ChatMessage
from models.training.example import Example

SCENE_FOLDER = Path(__file__).parent / "scenes"

SOURCE = "scenes"
KINDS = "ofwq"
ORDERS = (*("ofwq",) * 6, "owfq", "ofwwq", "ofw", "owq")
"""Orders of kinds; the whole one is the most frequent."""

PER_MESSAGE = 2
"""Replies built for each way of telling a scene."""

GO_ON = 2
"""Most exchanges that follow a built reply in one conversation."""

_HEADING = re.compile(r"\[\[(\w+)\]\]")
_LINE = re.compile(r"(?P<key>you|[ofwq]|next|say|slot) ?(?P<slot>\w+)?: (?P<text>\S.*)")


@dataclass(slots=True)
class FollowUp:
    """What a person may say next, and replies to it."""

    said: list[str] = field(default_factory=list[str])
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
    """

    name: str
    told: list[str] = field(default_factory=list[str])
    sentences: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    follow_ups: list[FollowUp] = field(default_factory=list[FollowUp])
    slots: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


def read_scenes(folder: Path = SCENE_FOLDER) -> list[Scene]:
    """All scenes of a folder's files.

    Raises:
        ValueError: With file and line number: a line of another form, a name or a slot that is not known or
            twice there, a scene without messages or without sentences of a kind.
    """
    scenes: dict[str, Scene] = {}
    for file in sorted(folder.glob("*.txt")):
        scene: Scene | None = None
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            where = f"{file.name}, line {number}"
            heading = _HEADING.fullmatch(line.strip())
            if heading is not None:
                name = f"{file.stem}/{heading[1]}"
                if name in scenes:
                    raise ValueError(f"{where}: a second scene {heading[1]}")
                scene = scenes[name] = Scene(name)
            elif line.strip() and not line.startswith("#"):
                match = _LINE.fullmatch(line.strip())
                if match is None or scene is None:
                    raise ValueError(f"{where}: expected '[[scene]]' or 'key: text'")
                _add(scene, match, where)
    for scene in scenes.values():
        if not scene.told or any(kind not in scene.sentences for kind in "oq"):
            raise ValueError(f"scene {scene.name}: needs 'you', 'o' and 'q'")
    return list(scenes.values())


def _add(scene: Scene, match: re.Match[str], where: str) -> None:
    key, text = match["key"], match["text"].strip()
    unknown = set(re.findall(r"\{(\w+)\}", text)) - scene.slots.keys()
    if unknown:
        raise ValueError(f"{where}: slot {sorted(unknown)[0]} is not known")
    if key == "slot":
        scene.slots[match["slot"] or ""] = [part.strip() for part in text.split("|")]
    elif key == "you":
        scene.told.append(text)
    elif key == "next":
        if not scene.follow_ups or scene.follow_ups[-1].replies:
            scene.follow_ups.append(FollowUp())
        scene.follow_ups[-1].said.append(text)
    elif key == "say":
        if not scene.follow_ups:
            raise ValueError(f"{where}: 'say' without 'next'")
        scene.follow_ups[-1].replies.append(text)
    else:
        scene.sentences.setdefault(key, []).append(text)


class SceneBook:
    """Builds conversations of scenes.

    Args:
        scenes: As read by :func:`read_scenes`.
        chance: Source of randomness.
    """

    def __init__(self, scenes: Sequence[Scene], chance: random.Random) -> None:
        self._scenes = scenes
        self._chance = chance

    def examples(self, per_message: int = PER_MESSAGE) -> Iterator[Example]:
        """``per_message`` conversations for each way of telling each scene; one group a message."""
        for scene in self._scenes:
            for told in scene.told:
                for _ in range(per_message):
                    yield from self.conversation(scene, told)

    def conversation(self, scene: Scene, told: str) -> Iterator[Example]:
        """A reply to a message that tells the scene, and some of what may follow."""
        chance = self._chance
        values = {name: chance.choice(words) for name, words in scene.slots.items()}
        group = f"{SOURCE}:{scene.name}:{told}"
        turns = [ChatMessage("user", as_typed(_filled(told, values), chance))]
        reply = self.reply(scene, values)
        yield Example(SOURCE, group, tuple(turns), reply)
        going = [one for one in scene.follow_ups if one.replies]
        for follow_up in chance.sample(going, min(len(going), chance.randint(0, GO_ON))):
            said = as_typed(_filled(chance.choice(follow_up.said), values), chance)
            turns += [ChatMessage("assistant", reply), ChatMessage("user", said)]
            reply = _filled(chance.choice(follow_up.replies), values)
            yield Example(SOURCE, group, tuple(turns), reply)

    def reply(self, scene: Scene, values: dict[str, str] | None = None) -> str:
        """One sentence of each kind, in one of ``ORDERS``."""
        chance = self._chance
        if values is None:
            values = {name: chance.choice(words) for name, words in scene.slots.items()}
        order = [kind for kind in chance.choice(ORDERS) if kind in scene.sentences]
        found: list[str] = []
        for kind in order:
            found.append(chance.choice([one for one in scene.sentences[kind] if one not in found] or [""]))
        return " ".join(_filled(one, values) for one in found if one)


def as_typed(text: str, chance: random.Random) -> str:
    """A message as somebody else might type it: other case, no apostrophes, no full stop at the end."""
    if chance.random() < 0.25:
        text = text.lower()
    elif chance.random() < 0.2:
        text = text[:1].upper() + text[1:]
    if chance.random() < 0.15:
        text = text.replace("'", "").replace("\u2019", "")
    if chance.random() < 0.15 and text.endswith("."):
        text = text[:-1]
    return text


def _filled(text: str, values: dict[str, str]) -> str:
    begins = text.startswith("{")
    for name, word in values.items():
        text = text.replace(f"{{{name}}}", word)
    return text[:1].upper() + text[1:] if begins else text


def scene_examples(seed: int, folder: Path = SCENE_FOLDER, per_message: int = PER_MESSAGE) -> list[Example]:
    """Conversations of all scenes of a folder; the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    return list(SceneBook(read_scenes(folder), chance).examples(per_message))
