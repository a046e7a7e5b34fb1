"""What kind of message a person wrote and which feelings it voices, for a chat model too small to tell.

The embedded model copies words well and reads situations badly: it met good news with pain. So an encoder
reads the message first, and the model is told the kind and the feelings as control codes (Keskar et al.
2019), with which it was fine-tuned: see :mod:`models.control_code`. Where the kind is unsure, the codes say
so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.class_head import calibrated, sigmoid
from models.encoder import KINDS_ENCODER, Encoder
from models.head_file import HEADS_FOLDER, Array, Head, HeadError, read_head
from models.sentences import has_letters, is_chinese
from models.strategy import PAIR_FEATURES, own_encoder, paired, strategy_inputs
from models.suited_sentences import NONE_SUITED, SUITED_FILE, Suited, SuitedHead, read_suited

FOLDER = HEADS_FOLDER / "kinds-e5"

HEAVY = ("grief", "hurt", "fear", "guilt", "lonely", "low", "setback")
"""Something that hurts: a death, others' unkindness, worry, regret, loneliness, exhaustion, bad news."""
TOLD = (*HEAVY, "annoyed", "torn", "good", "small")
"""Something about the person's life, said back in the first sentence of a reply."""
ASKED = ("how", "normal", "fact")
"""Questions: what to do, whether it is normal, for knowledge or a task."""
ADDRESSED = (
    *("hello", "thanks", "short", "who", "feels", "memory"),
    *("private", "able", "there", "others", "doubt", "cheer"),
)
"""Said to the listener, or about it, or too short to be said back."""
KINDS = (*TOLD, *ASKED, *ADDRESSED)
ANY_HEAVY, UNSURE = "heavy", "unsure"
"""What a reading says instead of a kind: something that hurts, no telling which kind; something about the
person's life, no telling whether it hurts."""

_MOST_FEELINGS = 2
_SURE, _SURE_SIDE = 0.5, 0.7
"""Chances from which a kind is told, and from which it is told at least that something hurts or is glad:
below, a reply that fits any kind is the better bet."""


@dataclass(frozen=True, slots=True)
class MessageReading:
    """What was read in a message.

    Attributes:
        kind: One of :data:`KINDS`, :data:`ANY_HEAVY` or :data:`UNSURE`.
        feelings: At most two that the person surely has, the surest first.
        suited: Sentences that suit the message.
    """

    kind: str
    feelings: tuple[str, ...] = ()
    suited: Suited = NONE_SUITED


@dataclass(frozen=True, slots=True)
class Opinion:
    """What another reader says of a message.

    Attributes:
        kinds: Chances of :data:`KINDS`, ``(kinds,)``.
        feelings: Chances of the feelings that the head's facts name, ``(feelings,)``.
    """

    kinds: Array
    feelings: Array


class KindReader:
    """Reads a person's newest message behind the one before it.

    Args:
        encoder: Tuned for it.
        head: Outputs for each kind, then for each feeling that its facts name, with the ``thresholds`` above
            which a feeling is sure, and the ``opinion_share`` that another reader's opinion has.
        suited: Finds sentences that suit a message, if there is such a head.

    Raises:
        HeadError: The file holds another kind of head.
    """

    def __init__(self, encoder: Encoder, head: Head, suited: SuitedHead | None = None) -> None:
        if tuple(head.facts.get("names", ())) != KINDS:
            raise HeadError("expected a head of the kinds of messages")
        self._encoder = encoder
        self._head = head
        self._suited = suited
        self._feelings: tuple[str, ...] = tuple(head.facts["marks"])
        self._thresholds = np.array(head.facts["thresholds"], np.float32)

    def read(self, said: Sequence[str], opinion: Opinion | None = None) -> MessageReading | None:
        """Reads the last of the person's messages; ``None`` where none can be read.

        Args:
            said: The person's messages, oldest first.
            opinion: Of the same message.
        """
        if not readable(said):
            return None
        inputs = kind_inputs(self._encoder, said)
        outputs = self._head.forward(inputs[None])
        chances = calibrated(self._head, outputs[:, : len(KINDS)])[0]
        felt = sigmoid(outputs[0, len(KINDS) :])
        if opinion is not None:
            chances = mixed(chances[None], opinion.kinds[None], self._head.facts["opinion_share"])[0]
            felt = (felt + opinion.feelings) * np.float32(0.5)
        kind = told_kind(chances)
        suited = NONE_SUITED if self._suited is None else self._suited.suited(kind, inputs)
        return MessageReading(kind, self._sure_feelings(felt), suited)

    def _sure_feelings(self, chances: Array) -> tuple[str, ...]:
        sure = [int(place) for place in np.argsort(-chances) if chances[place] >= self._thresholds[place]]
        return tuple(self._feelings[place] for place in sure[:_MOST_FEELINGS])


def kind_inputs(encoder: Encoder, said: Sequence[str]) -> Array:
    """What the heads on the reader of kinds see of the last message, ``(features,)``.

    Args:
        encoder: Tuned for kinds.
        said: The person's messages, oldest first, at least one.
    """
    vectors = encoder.encode_sentences([message_pair(said)])[0]
    return strategy_inputs(PAIR_FEATURES, vectors[2], vectors[1], len(said) - 1, said[-1])


def readable(said: Sequence[str]) -> bool:
    """Whether the last of a person's messages has English words."""
    return bool(said) and has_letters(said[-1]) and not is_chinese(said[-1])


def told_kind(chances: Array) -> str:
    """The kind to tell a model: the likeliest one, or less where it is unsure.

    Args:
        chances: Of :data:`KINDS`, ``(kinds,)``.
    """
    found = dict(zip(KINDS, map(float, chances), strict=True))
    heavy = sum(found[kind] for kind in HEAVY)
    grouped = {ANY_HEAVY: heavy} | {kind: chance for kind, chance in found.items() if kind not in HEAVY}
    first = max(grouped, key=grouped.__getitem__)
    if grouped[first] < _SURE:
        return _side(found, heavy)
    if first != ANY_HEAVY:
        return first
    kind = max(HEAVY, key=found.__getitem__)
    return kind if found[kind] >= _SURE * heavy else ANY_HEAVY


def _side(found: Mapping[str, float], heavy: float) -> str:
    """Where no kind is sure: pain, joy or a question, if at least that is."""
    if heavy + found["annoyed"] + found["torn"] >= _SURE_SIDE:
        return ANY_HEAVY
    for kinds in (("good", "small"), ASKED):
        if sum(found[kind] for kind in kinds) >= _SURE_SIDE:
            return max(kinds, key=found.__getitem__)
    return UNSURE


def mixed(chances: Array, opinions: Array, share: float) -> Array:
    """Two readers' chances as one, by a geometric mean.

    Args:
        chances: Of the first, ``(messages, kinds)``.
        opinions: Of the second, same shape.
        share: Weight of the second, 0 to 1.
    """
    logs = (1 - share) * np.log(np.maximum(chances, 1e-9)) + share * np.log(np.maximum(opinions, 1e-9))
    found = np.exp(logs - logs.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True)


def message_pair(said: Sequence[str]) -> tuple[str, str]:
    """The two sentences of one text as which a message is read: the one before it, and the message."""
    return paired(said[-2] if len(said) > 1 else "", said[-1])


def load_kinds(folder: Path = FOLDER) -> KindReader:
    """The shipped head with its encoder, which is read at the first use.

    Raises:
        HeadError: A file is missing or broken.
    """
    file = folder / "head.safetensors"
    head = read_head(file, KINDS_ENCODER)
    suited = read_suited(folder / SUITED_FILE, KINDS_ENCODER)
    return KindReader(own_encoder(file, KINDS_ENCODER), head, suited)
