"""The whole application as a process of its own on a free port, for tests and evaluations."""

import os
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from evals.free_port import free_port

ROOT = Path(__file__).resolve().parent.parent
_READY_S = 300.0


@dataclass(frozen=True, slots=True)
class RunningApp:
    """Where it answers, and its process id."""

    address: str
    pid: int


@contextmanager
def running_app(folder: Path, variables: Mapping[str, str] | None = None) -> Generator[RunningApp]:
    """Start ``python app.py`` with its data in ``folder`` and wait until it is ready.

    Args:
        folder: Data folder; what an earlier run left there is used again.
        variables: More settings, by the names of the environment.

    Raises:
        RuntimeError: It ended or did not become ready within five minutes.
    """
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HEARKEN_")},
        "HEARKEN_SERVER__PORT": str(port),
        "HEARKEN_STORAGE__FOLDER": str(folder),
        # All persons of an evaluation come from one address.
        "HEARKEN_LIMITS__CONVERSATIONS_PER_HOUR": "0",
        **(variables or {}),
    }
    process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
    try:
        _wait(process, f"http://127.0.0.1:{port}")
        yield RunningApp(f"http://127.0.0.1:{port}", process.pid)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", address: str) -> None:
    until = time.monotonic() + _READY_S
    with httpx.Client(trust_env=False, timeout=10) as http:
        while time.monotonic() < until:
            if process.poll() is not None:
                raise RuntimeError(f"the application ended with status {process.returncode}")
            try:
                if http.get(f"{address}/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.3)
    raise RuntimeError("the application did not become ready")
