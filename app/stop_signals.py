"""Ends the process at once when it is told to stop before it serves, or after it has closed everything.

Until the web server listens to signals itself, Ctrl-C would show a traceback, and a container, whose first
process has no default for signals, would not stop at all. After it, threads that still load a model would
be waited for.
"""

import os
import signal
from types import FrameType


def end_at_once() -> None:
    """Take the signals of Ctrl-C and of a service manager, until the web server does and when it is over."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
    # Only the first process of a container is still here.
    os._exit(128 + number)
