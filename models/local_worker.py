"""One thread that loads a model and then answers one request after the other."""

import asyncio
import importlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from models.chat_model import ChatModelError, ModelStatus, ModelUnreachableError, QueueListener
from models.local_engine import LocalEngine
from models.waiting_line import WaitingLine

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

Job = Callable[[LocalEngine, threading.Event], _T]
"""Called in the worker thread; ends soon after the event is set."""


class LocalWorker:
    """Owns the thread and the engine; its methods are called from one event loop."""

    def __init__(self, load: Callable[[], LocalEngine], *, max_queue: int, threads: int) -> None:
        """Prepare; the thread starts with :meth:`start`.

        Args:
            load: Makes the engine, in the worker thread.
            max_queue: Requests that may wait besides the one that is running.
            threads: CPU threads of a generation.
        """
        self._make_engine = load
        self._threads = threads
        self._line = WaitingLine(1, max_queue)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="chat-model")
        self._loading: Future[LocalEngine] | None = None
        self._stops: set[threading.Event] = set()

    @property
    def engine(self) -> LocalEngine | None:
        """The engine, once it is loaded."""
        loading = self._loading
        loaded = loading is not None and loading.done() and not loading.cancelled()
        return loading.result() if loading and loaded and loading.exception() is None else None

    def start(self) -> "Future[LocalEngine]":
        """Begin to load, once."""
        if self._loading is None:
            self._loading = self._thread.submit(self._load)
        return self._loading

    def status(self) -> ModelStatus:
        """``ok``, ``loading`` or ``unreachable`` with the reason as a warning."""
        loading = self.start()
        if not loading.done():
            return ModelStatus(False, "loading")
        failure = "the model was closed" if loading.cancelled() else loading.exception()
        return ModelStatus(False, "unreachable", (), (str(failure),)) if failure else ModelStatus(True, "ok")

    async def run(self, job: Job[_T], on_queue: QueueListener | None) -> _T:
        """Wait for the thread and have it do ``job``; a cancelled one ends at its next token.

        Raises:
            ModelBusyError: Too many are waiting.
            ModelUnreachableError: The model could not be loaded, or failed.
        """
        self.start()
        await self._line.enter(on_queue)
        loop = asyncio.get_running_loop()
        stop = threading.Event()
        self._stops.add(stop)
        try:
            future = self._submit(job, stop)
            # The place is given up when the thread is free again, not when the caller left.
            future.add_done_callback(lambda _: _call_on(loop, self._line.leave))
            return await asyncio.wrap_future(future)
        finally:
            stop.set()
            self._stops.discard(stop)

    async def close(self) -> None:
        """Stop what is running and free the weights."""
        for stop in self._stops:
            stop.set()
        await asyncio.to_thread(self._thread.shutdown)
        self._loading = Future()
        self._loading.cancel()

    def _submit(self, job: Job[_T], stop: threading.Event) -> "Future[_T]":
        try:
            return self._thread.submit(self._answer, job, stop)
        except RuntimeError as error:
            self._line.leave()
            raise ModelUnreachableError("the model was closed") from error

    def _answer(self, job: Job[_T], stop: threading.Event) -> _T:
        """In the worker thread: whatever fails becomes a typed error."""
        engine = self.engine
        if engine is None:
            raise ModelUnreachableError("; ".join(self.status().warnings) or "the model is not loaded")
        try:
            return job(engine, stop)
        except ChatModelError:
            raise
        except Exception as error:
            # A traceback names no message text; the exception's own words might.
            _log.error("generation failed: %s", type(error).__name__)
            raise ModelUnreachableError(f"the model failed ({type(error).__name__})") from error

    def _load(self) -> LocalEngine:
        """In the worker thread."""
        torch: Any = importlib.import_module("torch")
        torch.set_num_threads(self._threads)
        try:
            return self._make_engine()
        except ChatModelError as error:
            _log.error("%s", error)
            raise
        except Exception as error:
            _log.exception("the chat model can't be loaded")
            raise ModelUnreachableError(f"the model can't be loaded ({type(error).__name__})") from error


def _call_on(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call on the event loop from the worker thread; when the loop is gone nobody else can interfere."""
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        call()
