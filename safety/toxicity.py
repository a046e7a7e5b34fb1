"""Offensive language in replies: detoxify when its weights can be had, rules always.

Meant for what the model writes, never for blocking a person's own words. ``check`` is synchronous CPU work
and belongs in a thread pool. The weights are loaded once, on a thread of their own, so that no turn ever
waits for a network.
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from threading import Lock, Thread
from typing import Any, Protocol, cast

from safety.lexicon import Lexicon
from safety.normalize import Normalizer
from safety.rule_book import compile_patterns
from safety.spelling_tables import RULES_FOLDER, load_spelling_tables
from safety.yaml_file import read_yaml

_LOG = logging.getLogger(__name__)

CHUNK_CHARACTERS = 400
"""Well under the 512 tokens after which detoxify cuts a text without a word."""
RULE_SCORE = 1.0
_BEFORE = 80
"""Characters before a finding in which somebody may be quoted."""
_THRESHOLDS: Mapping[str, float] = {
    # Plain "toxicity" also means swearing in sympathy, so it needs to be almost certain.
    "toxicity": 0.97,
    "severe_toxicity": 0.5,
    "obscene": 0.97,
    "threat": 0.5,
    "insult": 0.7,
    "identity_attack": 0.5,
    "sexual_explicit": 0.7,
}


@dataclass(frozen=True, slots=True)
class ToxicityVerdict:
    """The worst finding in one text.

    Attributes:
        blocked: Whether the text may not be shown.
        score: Score of the label in 0..1; 1 for a rule.
        label: Worst label, or ``none``.
    """

    blocked: bool
    score: float
    label: str


class ToxicModel(Protocol):
    """What is used of a detoxify model."""

    def predict(self, text: list[str]) -> Mapping[str, list[float]]:
        """Return for each label one score a text."""
        ...


class ToxicityChecker:
    """Checks texts by rules, and by a model as soon as one is loaded.

    Args:
        load: Builds the model, or ``None`` to use rules only. Called at most once; may fail.
        rules: Compiled patterns by label.
        normalizer: Folds spellings before the rules.
        unless: Words before a finding that tell of somebody else's words, or deny them.
    """

    def __init__(
        self,
        load: Callable[[], ToxicModel] | None,
        rules: Mapping[str, Pattern[str]],
        normalizer: Normalizer,
        unless: Pattern[str] | None = None,
    ) -> None:
        self._load = load
        self._rules = rules
        self._normalizer = normalizer
        self._unless = unless
        self._model: ToxicModel | None = None
        self._started = False
        self._lock = Lock()

    def status(self) -> str:
        """``detoxify`` when the model is in use, ``rules`` while it is not."""
        return "detoxify" if self._model is not None else "rules"

    def start(self) -> Thread | None:
        """Begin to load the model in the background, once; returns the thread of the first call."""
        with self._lock:
            if self._started or self._load is None:
                return None
            self._started = True
        thread = Thread(target=self._load_model, name="toxicity-weights", daemon=True)
        thread.start()
        return thread

    def check(self, texts: Sequence[str]) -> list[ToxicityVerdict]:
        """Judge each text; long ones in chunks, of which the worst counts."""
        self.start()
        return [self._check_one(text) for text in texts]

    def _load_model(self) -> None:
        if self._load is None:
            return
        try:
            self._model = self._load()
        except Exception as error:  # no weights is a normal state, reported by status()
            _LOG.warning("detoxify is not available (%s); rules are used alone", type(error).__name__)

    def _check_one(self, text: str) -> ToxicityVerdict:
        found = self._by_rules(text)
        if found is not None:
            return found
        return self._by_model(text) if self._model is not None else ToxicityVerdict(False, 0.0, "none")

    def _by_rules(self, text: str) -> ToxicityVerdict | None:
        folded = self._normalizer.normalize(text).text.replace("\n", " ")
        for label, pattern in self._rules.items():
            if any(not self._reported(folded, match.start()) for match in pattern.finditer(folded)):
                return ToxicityVerdict(True, RULE_SCORE, label)
        return None

    def _reported(self, folded: str, at: int) -> bool:
        """Whether the words are told about somebody else, or denied, in the same sentence before them."""
        before = re.split(r"[.!?。！？\n]", folded[max(0, at - _BEFORE) : at])[-1]
        return self._unless is not None and self._unless.search(before) is not None

    def _by_model(self, text: str) -> ToxicityVerdict:
        model = self._model
        if model is None or not text.strip():
            return ToxicityVerdict(False, 0.0, "none")
        try:
            scores = model.predict(chunks(text))
        except Exception as error:
            _LOG.error("detoxify failed: %s", type(error).__name__)
            return ToxicityVerdict(False, 0.0, "none")
        worst = {label: max(values) for label, values in scores.items() if values}
        over = {label: value for label, value in worst.items() if value >= _THRESHOLDS.get(label, 1.1)}
        shown = over or worst
        label = max(shown, key=lambda name: shown[name], default="none")
        return ToxicityVerdict(bool(over), shown.get(label, 0.0), label)


def chunks(text: str, size: int = CHUNK_CHARACTERS) -> list[str]:
    """Cut ``text`` at blanks into pieces of at most ``size`` characters that overlap by a fifth."""
    pieces: list[str] = []
    start = 0
    while True:
        end = min(len(text), start + size)
        blank = text.rfind(" ", start + size // 2, end) if end < len(text) else -1
        end = blank if blank > 0 else end
        pieces.append(text[start:end])
        if end >= len(text):
            return pieces
        start = end - size // 5


def load_toxicity_checker(
    *, checkpoint: Path | None = None, config: Path | None = None, allow_download: bool = False
) -> ToxicityChecker:
    """Build the checker of the app.

    Args:
        checkpoint: Weights file of detoxify's ``original`` model on this machine.
        config: Folder with the tokenizer and configuration of its base model.
        allow_download: Fetch both from the internet when no checkpoint is named; tried once,
            in the background.
    """
    raw = cast("dict[str, Any]", read_yaml(RULES_FOLDER / "toxicity.yaml"))
    pieces = {"c": r"[^，,。！？!?；;\n]"}
    rules = {label: compile_patterns(patterns, pieces) for label, patterns in raw["labels"].items()}
    normalizer = Normalizer(load_spelling_tables(), Lexicon((), (), ()))
    load = _detoxify_loader(checkpoint, config) if checkpoint or allow_download else None
    return ToxicityChecker(load, rules, normalizer, compile_patterns(raw["unless"], pieces))


def _detoxify_loader(checkpoint: Path | None, config: Path | None) -> Callable[[], ToxicModel]:
    def load() -> ToxicModel:
        from detoxify import Detoxify  # pyright: ignore[reportMissingTypeStubs]  # heavy: imports torch

        model = Detoxify(
            "original",
            checkpoint=str(checkpoint) if checkpoint else None,
            huggingface_config_path=str(config) if config else None,
        )
        return cast("ToxicModel", model)

    return load
