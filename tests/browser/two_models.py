"""The whole application before two real vLLM servers: a small Chinese model with thoughts, an English one."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from evals.free_port import free_port
from evals.running_app import ROOT, running_app
from evals.vllm_server import VllmServer, vllm_server
from models.checkpoints import ECOT_TINY
from tests.browser.recording_proxy import RecordingProxy
from tests.browser.staff_site import PASSWORD
from tests.integration.models.vllm_world import engines
from tests.scripted_qwen3 import write_checkpoint

CHINESE, ENGLISH = "small-chinese", "small-english"
ENGLISH_REPLY = "I hear you. That sounds hard!"
"""All that the English one ever says."""
_ENGLISH_CONTEXT = 16384
"""Its tokenizer knows few words, so a prompt takes many tokens."""


@dataclass
class ServedModel:
    """A vLLM server that can be killed and started again at the same address."""

    checkpoint: Path
    name: str
    log: Path
    context: int
    port: int = field(default_factory=free_port)
    _running: VllmServer | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        """Start it unless it runs."""
        if self._running is None:
            length = ("--max-model-len", str(self.context), "--max-num-seqs", "8")
            server = vllm_server(self.checkpoint, self.name, self.log, length, self.port)
            self._running = self._stack.enter_context(server)

    def kill(self) -> None:
        """Its engine dies as by a crash, and nobody starts it again."""
        assert self._running is not None
        for engine in engines(self._running):
            engine.kill()
        self.stop()

    def stop(self) -> None:
        """End what is left of it."""
        self._stack.close()
        self._running = None


@dataclass(frozen=True)
class TwoModels:
    """The application behind a recording proxy, and its two servers."""

    chinese: ServedModel
    english: ServedModel
    proxy: RecordingProxy
    folder: Path

    @property
    def address(self) -> str:
        """For browsers."""
        return f"{self.proxy.url}/"

    def both_run(self) -> None:
        """Start what a test before has killed."""
        self.chinese.start()
        self.english.start()

    def add_admin(self) -> str:
        """Make an account of an admin; returns its name."""
        name = f"admin-{secrets.token_hex(4)}"
        command = [sys.executable, "-m", "app.auth", "create", name, "--role", "admin"]
        variables = {name: value for name, value in os.environ.items() if not name.startswith("HEARKEN_")}
        subprocess.run(
            command,
            cwd=ROOT,
            env={**variables, "HEARKEN_STORAGE__FOLDER": str(self.folder)},
            input=f"{PASSWORD}\n".encode(),
            check=True,
        )
        return name


@contextmanager
def two_models(folder: Path) -> Iterator[TwoModels]:
    """Start all; models and rows lie in ``folder``."""
    stand_in = write_checkpoint(folder / "english", context=_ENGLISH_CONTEXT)
    chinese = ServedModel(ECOT_TINY, CHINESE, folder / "chinese.log", 4096)
    english = ServedModel(stand_in, ENGLISH, folder / "english.log", _ENGLISH_CONTEXT)
    variables = {
        "HEARKEN_MODEL__URL": english.url,
        "HEARKEN_MODEL__PROFILE": "qwen3",
        "HEARKEN_MODEL__CANDIDATES": "3",
        "HEARKEN_MODEL__TIMEOUT_S": "300",
        "HEARKEN_SECOND_MODEL__URL": chinese.url,
        "HEARKEN_SECOND_MODEL__LANGUAGE": "zh",
        "HEARKEN_SECOND_MODEL__PROFILE": "mindchat-r0",
    }
    with ExitStack() as stack:
        stack.callback(english.stop)
        stack.callback(chinese.stop)
        chinese.start()
        english.start()
        app = stack.enter_context(running_app(folder / "data", variables))
        proxy = RecordingProxy(urlsplit(app.address).port or 80)
        stack.callback(proxy.close)
        yield TwoModels(chinese, english, proxy, folder / "data")
