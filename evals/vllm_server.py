"""A real vLLM server on this machine's CPU, for integration tests and benchmarks.

    python -m evals.vllm_server [FOLDER] [--name NAME] [--port PORT]

serves the embedded model (or a Transformers folder) until it is interrupted. The server runs in
the environment that ``make vllm-cpu`` builds.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from evals.free_port import free_port
from models.weights import default_adapter, load_checkpoint, unpacked_folder

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / ".venv-vllm" / "bin" / "python"
CACHE = ROOT / "var" / "models"
EMBEDDED = "hearken-embedded"
_READY_S = 300.0
_POLL_S = 0.5
_STOP_S = 20.0

_ENVIRONMENT = {
    "VLLM_CPU_KVCACHE_SPACE": "1",  # gigabytes: enough for tens of short conversations
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
}

_log = logging.getLogger(__name__)


class VllmStartError(Exception):
    """The server did not come up; the text ends with the last lines of its log."""


@dataclass(frozen=True, slots=True)
class VllmServer:
    """A running server.

    Attributes:
        url: Address for clients, ends with ``/v1``.
        log: What the server printed.
        pid: Its process; the engine is a child of it.
    """

    url: str
    log: Path
    pid: int

    @property
    def root(self) -> str:
        """Address without ``/v1``."""
        return self.url.removesuffix("/v1")

    def metric(self, name: str) -> float:
        """Sum of a Prometheus gauge or counter, such as ``vllm:num_requests_running``."""
        page = httpx.get(f"{self.root}/metrics", timeout=10, trust_env=False).text
        lines = [line for line in page.splitlines() if line.startswith((f"{name}{{", f"{name} "))]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


def is_installed() -> bool:
    """Whether ``make vllm-cpu`` has built the server's environment."""
    return PYTHON.exists()


def embedded_folder() -> Path:
    """The embedded model with its adapter as a folder that vLLM can serve; made when missing."""
    adapter = default_adapter()
    folder = unpacked_folder(CACHE, adapter)
    if not folder.is_dir():
        load_checkpoint(None, adapter, CACHE)
    return folder


@contextlib.contextmanager
def vllm_server(
    folder: Path, name: str, log: Path, arguments: Sequence[str] = (), port: int | None = None
) -> Generator[VllmServer]:
    """Start a server and stop it, with all its processes, at the end.

    Args:
        folder: A Transformers folder.
        name: Name to serve it under.
        log: File for what the server prints.
        arguments: More arguments for vLLM; these win.
        port: Where to listen on loopback; a free one when ``None``.

    Raises:
        VllmStartError: The server ended or was not ready in time.
    """
    port = port or free_port()
    command = [
        *(str(PYTHON), "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(folder), "--served-model-name", name),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--dtype", "bfloat16", "--max-model-len", "2048", "--max-num-seqs", "32"),
        *("--enforce-eager", "--no-enable-log-requests"),
        *arguments,
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | _ENVIRONMENT,
            start_new_session=True,  # so that the engine can be stopped together with the server
        )
    try:
        _wait_until_ready(process, port, log)
        yield VllmServer(f"http://127.0.0.1:{port}/v1", log, process.pid)
    finally:
        _stop(process)


@contextlib.asynccontextmanager
async def embedded_server() -> AsyncGenerator[VllmServer]:
    """The embedded model behind vLLM, for code that runs in an event loop."""
    with tempfile.TemporaryDirectory() as folder:
        model = await asyncio.to_thread(embedded_folder)
        context = vllm_server(model, EMBEDDED, Path(folder) / "vllm.log")
        server = await asyncio.to_thread(context.__enter__)
        try:
            yield server
        finally:
            await asyncio.to_thread(context.__exit__, None, None, None)


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    start = time.monotonic()
    while process.poll() is None and time.monotonic() - start < _READY_S:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"http://127.0.0.1:{port}/health", timeout=2, trust_env=False).status_code == 200:
                _log.info("vLLM is ready after %.0f s", time.monotonic() - start)
                return
        time.sleep(_POLL_S)
    what = "ended" if process.poll() is not None else f"was not ready within {_READY_S:.0f} s"
    last = log.read_text("utf-8", "replace").splitlines()[-30:]
    raise VllmStartError("\n".join([f"the vLLM server {what}:", *last]))


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the server's process group: politely, then for certain."""
    for end in (signal.SIGTERM, signal.SIGKILL):  # the second one for what outlives the server, too
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, end)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_S)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "folder", type=Path, nargs="?", help="Transformers folder; default: the embedded model"
    )
    parser.add_argument("--name", default=EMBEDDED, help="name to serve it under")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    if not is_installed():
        sys.exit(f"{PYTHON.parent.parent.name} is missing: run `make vllm-cpu` first")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server never stays behind
    folder = arguments.folder or embedded_folder()
    with tempfile.TemporaryDirectory() as temporary:
        log = Path(temporary) / "vllm.log"
        print("starting; this takes one to two minutes", flush=True)
        with vllm_server(folder, arguments.name, log, port=arguments.port) as server:
            print(f"{arguments.name} at {server.url}; Ctrl-C ends it", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                signal.pause()


if __name__ == "__main__":
    main()
