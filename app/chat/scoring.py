"""A scorer that loads in the background, so that the page is up before the encoder is."""

import threading
from collections.abc import Callable, Sequence

from app.chat.choice import Scorer
from models.chat_model import ChatMessage
from models.scorer import ReplyFeatures


class BackgroundScorer:
    """Loads the real scorer once, with the first use or with :meth:`warm_up`, in the caller's thread."""

    def __init__(self, load: Callable[[], Scorer]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._scorer: Scorer | None = None

    def warm_up(self) -> None:
        """Load now and score one sentence; raises what loading raises."""
        self.features([ChatMessage("user", "Hello.")], ["Hello there."])

    def features(
        self,
        context: Sequence[ChatMessage],
        replies: Sequence[str],
        earlier: Sequence[str] = (),
        facts: Sequence[str] = (),
    ) -> list[ReplyFeatures]:
        """See :class:`models.scorer.ReplyScorer`; the first call waits for the weights."""
        with self._lock:
            if self._scorer is None:
                self._scorer = self._load()
        return self._scorer.features(context, replies, earlier, facts)
