"""What the images do at start, done in a clean folder with the files that the images hold.

No Docker engine is needed: the Dockerfile says which files are copied, which variables are set and
which commands run, and the same commands run here with this environment's Python.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evals.free_port import free_port
from tests.dockerfile import Stage, build_folder, stages

START_S = 120
READY_S = 360
"""Unpacking the embedded weights takes what the machine leaves; how long is no matter of this file."""


@dataclass(slots=True)
class Container:
    """A started image: its process, code folder, data folder and environment."""

    process: subprocess.Popen[str]
    stage: Stage
    code: Path
    env: dict[str, str]
    port: int
    files_before: set[str]

    def get(self, path: str) -> tuple[int, bytes]:
        """Status and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={"accept": "text/html"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def health(self) -> int:
        """Exit status of the image's health check."""
        return subprocess.run(
            python(self.stage.healthcheck), cwd=self.code, env=self.env, check=False
        ).returncode


def python(command: list[str]) -> list[str]:
    """The command with this environment's Python in place of the image's."""
    assert command[0] == "python"
    return [sys.executable, *command[1:]]


def start(name: str, code: Path, data: Path, **extra: str) -> Container:
    """Start the image ``name`` and wait until it says that it listens."""
    stage, port = stages()[name], free_port()
    env = {key: value for key, value in stage.env.items() if key != "PATH"}
    env |= {"PATH": os.environ["PATH"], "HOME": str(data), "HF_HUB_OFFLINE": "1", **extra}
    env |= {"HEARKEN_STORAGE__FOLDER": str(data), "HEARKEN_SERVER__PORT": str(port)}
    before = files(code)
    process = subprocess.Popen(
        python(stage.command), cwd=code, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    container = Container(process, stage, code, env, port, before)
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if "listening" in line:
            return container
    pytest.fail("".join(lines))


def stop(container: Container) -> int:
    """Stop as ``docker stop`` does; the exit status."""
    container.process.send_signal(signal.SIGTERM)
    assert container.process.stdout is not None
    container.process.stdout.close()
    return container.process.wait(timeout=30)


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder of the images."""
    folder = tmp_path_factory.mktemp("image") / "srv"
    build_folder(stages()["embedded"], folder)
    return folder


@pytest.fixture(scope="module")
def embedded(code: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """The image with the embedded model, started once."""
    container = start("embedded", code, tmp_path_factory.mktemp("data"))
    yield container
    if container.process.poll() is None:
        stop(container)


def test_the_embedded_image_starts_within_two_minutes_and_is_healthy(embedded: Container) -> None:
    assert embedded.health() == 0


def test_the_embedded_image_serves_the_page(embedded: Container) -> None:
    status, body = embedded.get("/")
    assert status == 200
    assert b"Hearken" in body


def test_the_embedded_image_becomes_ready_with_every_needed_part(embedded: Container) -> None:
    deadline = time.monotonic() + READY_S
    status, body = embedded.get("/readyz")
    while b'"loading' in body and time.monotonic() < deadline:
        time.sleep(0.5)  # another process: there is nothing to wait on but its answers
        status, body = embedded.get("/readyz")
    parts = {part["name"]: part for part in json.loads(body)["parts"]}
    assert {name: part["detail"] for name, part in parts.items() if part["state"] == "missing"} == {}
    assert parts["reply classifier"]["state"] == "ok"
    assert status == 200


def test_data_lies_in_the_data_folder_only(embedded: Container) -> None:
    assert files(embedded.code) == embedded.files_before
    assert {"hearken.sqlite3", "cookie.key"} <= files(Path(embedded.env["HEARKEN_STORAGE__FOLDER"]))


def test_the_cookie_key_is_for_its_owner_only(embedded: Container) -> None:
    key = Path(embedded.env["HEARKEN_STORAGE__FOLDER"]) / "cookie.key"
    assert key.stat().st_mode & 0o077 == 0


def test_staff_are_managed_with_the_command_of_the_manual(embedded: Container) -> None:
    command = [sys.executable, "-m", "app.auth", "list"]
    result = subprocess.run(
        command, cwd=embedded.code, env=embedded.env, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_the_slim_image_starts_without_its_model_server_and_says_what_is_missing(
    code: Path, tmp_path: Path
) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}/v1"
    container = start("slim", code, tmp_path, HEARKEN_MODEL__URL=nowhere)
    try:
        assert container.health() == 0
        status, body = container.get("/readyz")
        model = next(part for part in json.loads(body)["parts"] if part["name"] == "chat model")
        assert (status, model["state"]) == (503, "missing")
    finally:
        stop(container)


def test_a_stop_ends_the_process_and_the_health_check_says_so(embedded: Container) -> None:
    assert stop(embedded) in (0, -signal.SIGTERM)
    assert embedded.health() == 1
