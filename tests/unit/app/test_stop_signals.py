"""A process that is told to stop before it serves, as a terminal or a service manager does."""

import signal
import subprocess
import sys

import pytest

_WAITING = """
import threading
from app.stop_signals import end_at_once
end_at_once()
threading.Thread(target=threading.Event().wait).start()
print("ready", flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_without_a_traceback_and_waits_for_no_thread(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _WAITING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (-number, "")
