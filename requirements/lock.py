"""Write a lock file from the packages of an environment: ``python lock.py PYTHON FILE``."""

import re
import subprocess
import sys
from pathlib import Path

LEFT_OUT = re.compile(r"(?i)^(hearken|llm[-_]smollm2|torchvision|torchaudio|torchcodec)==")
"""The project itself, what requirements/embedded.txt pins, and what vLLM names but does not need for text."""
LOCAL_VERSION = re.compile(r"\+[a-z0-9.]+$")
"""The build of torch (``+cpu``) is the machine's choice, its version is ours."""


def lock_lines(frozen: str) -> list[str]:
    """The lines of pip's list that belong into a lock file, in its order."""
    pins = (line.strip() for line in frozen.splitlines())
    return [LOCAL_VERSION.sub("", pin) for pin in pins if "==" in pin and not LEFT_OUT.match(pin)]


def main() -> None:
    """Ask pip of the given Python what it has and keep the comment at the file's head."""
    python, target = sys.argv[1], Path(sys.argv[2])
    command = [
        python,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "list",
        "--format=freeze",
        "--exclude-editable",
    ]
    frozen = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    head = [line for line in target.read_text("utf-8").splitlines() if line.startswith("#")]
    target.write_text("\n".join([*head, *lock_lines(frozen)]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
