"""Finds faults of replies with the classifier, when its encoder is there; rules work in any case."""

import logging
import threading
from collections.abc import Callable, Sequence

from app.logs import log_without_text
from models.sentences import split_sentences
from safety.levels import RiskLevel
from safety.reply_classifier import ReplyClassifier

_log = logging.getLogger(__name__)


class ReplyFaults:
    """Loads the classifier with its first use, in the caller's worker thread; tells whether it works.

    Args:
        load: Builds the classifier, or ``None`` where no fitting encoder is installed.
    """

    def __init__(self, load: Callable[[], ReplyClassifier] | None) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._classifier: ReplyClassifier | None = None
        self._failed = False

    def status(self) -> str:
        """``off``, ``loading``, ``ready`` or ``failed``."""
        if self._load is None:
            return "off"
        return "failed" if self._failed else ("loading" if self._classifier is None else "ready")

    def warm_up(self) -> None:
        """Load it now, in the caller's thread; a failure is logged and shows in :meth:`status`."""
        self.find(["Hello."], RiskLevel.NONE)

    def find(self, replies: Sequence[str], level: RiskLevel) -> list[tuple[str, ...]]:
        """Kinds of fault in each reply; none at all when the classifier does not work."""
        nothing: list[tuple[str, ...]] = [() for _ in replies]
        try:
            classifier = self._loaded()
            if classifier is None:
                return nothing
            return classifier.reasons([split_sentences(reply) for reply in replies], level)
        except Exception as error:
            log_without_text(_log, "the reply classifier does not work", error)
            self._failed = True
            return nothing

    def _loaded(self) -> ReplyClassifier | None:
        if self._load is None or self._failed:
            return None
        with self._lock:
            if self._classifier is None:
                self._classifier = self._load()
        return self._classifier
