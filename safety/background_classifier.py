"""Loads the classifier on a thread of its own, so that no crisis card waits for weights."""

import logging
from collections.abc import Callable, Mapping
from threading import Lock, Thread
from typing import Protocol

from safety.levels import RiskMatch
from safety.normalize import NormalizedText

_LOG = logging.getLogger(__name__)


class TextClassifier(Protocol):
    """What the assessor needs of a classifier."""

    @property
    def is_whole(self) -> bool:
        """Whether no part of it is missing; without one it judges still, less well."""
        ...

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        """Judge a message; see :class:`safety.classifier.CrisisClassifier`."""
        ...


class BackgroundClassifier:
    """Finds nothing until it is loaded; a failed load is remembered and raised at each use.

    Args:
        load: Builds the classifier; called once.
    """

    def __init__(self, load: Callable[[], TextClassifier]) -> None:
        self._load = load
        self._lock = Lock()
        self._thread: Thread | None = None
        self._inner: TextClassifier | None = None
        self._error: Exception | None = None

    def status(self) -> str:
        """``loading``, ``ready``, ``ready without its second member`` or ``failed``."""
        if self._error is not None:
            return "failed"
        if self._inner is None:
            return "loading"
        return "ready" if self.is_whole else "ready without its second member"

    @property
    def is_whole(self) -> bool:
        """Whether no part of it failed, as far as it is loaded."""
        return self._inner is None or self._inner.is_whole

    def start(self) -> Thread:
        """Begin to load, once; returns the loading thread, to be joined where waiting is wanted."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="crisis-classifier", daemon=True)
                self._thread.start()
            return self._thread

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        """Ask the classifier if it is there; starts to load it otherwise.

        Raises:
            Exception: What loading or the classifier raised; the assessor counts it as a failed layer.
        """
        if self._error is not None:
            raise self._error
        if self._inner is None:
            self.start()
            return []
        return self._inner.find(text, suspicion)

    def _run(self) -> None:
        try:
            inner = self._load()
            inner.find(NormalizedText("hello", tuple(range(5)), tuple(range(1, 6))), {})
            self._inner = inner
        except Exception as error:
            _LOG.error("the crisis classifier cannot be loaded: %s", type(error).__name__)
            self._error = error
