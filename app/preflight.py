"""What must be true before anything is installed or started; each failure is one clear line.

Only the standard library and no syntax newer than Python 3.6 is used here, so that a Python that is
too old says so instead of showing a syntax error.
"""

import errno
import importlib.util
import os
import shutil
import socket
import sys
import tempfile

MIN_PYTHON = (3, 11)
INSTALL_BYTES = 6 * 1024**3
"""Room for the virtual environment with the CPU build of torch, and for pip while it unpacks."""
START_BYTES = 300 * 1024**2
"""Room for the database to grow; below this SQLite soon fails in the middle of a conversation."""


def check_python(version: "tuple[int, ...]" = tuple(sys.version_info[:3])) -> "list[str]":
    """Refuse a Python older than the one the project is written for."""
    if version >= MIN_PYTHON:
        return []
    found = ".".join(str(part) for part in version)
    wanted = ".".join(str(part) for part in MIN_PYTHON)
    advice = f"make run PYTHON=/path/to/python{wanted}"
    return [f"Python {found} is too old: Hearken needs {wanted} or newer ({advice})."]


def check_venv_module() -> "list[str]":
    """Debian ships Python without the part that fills a virtual environment."""
    if importlib.util.find_spec("ensurepip") is not None:
        return []
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    return [f"This Python can't make virtual environments: install Debian's package {package}."]


def check_space(folder: str, needed: int) -> "list[str]":
    """Refuse to fill a disk; ``folder`` need not exist yet."""
    free = shutil.disk_usage(_nearest_existing(folder)).free
    if free >= needed:
        return []
    return [
        f"Not enough disk space for {os.path.abspath(folder)}: {_size(free)} free, {_size(needed)} needed."
    ]


def check_writable(folder: str, setting: str = "") -> "list[str]":
    """Make ``folder`` when it is missing and write a file into it, as the app will."""
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return []
    except OSError as error:
        advice = f" or set {setting} to another folder" if setting else ""
        return [
            f"Folder {os.path.abspath(folder)} can't be written ({error.strerror}): change its owner{advice}."
        ]


def check_port(host: str, port: int) -> "list[str]":
    """Bind the address for a moment; an answer now is clearer than a traceback later."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        return [
            f"HEARKEN_SERVER__HOST: {host} is no address of this machine (127.0.0.1, or 0.0.0.0 for all)."
        ]
    with socket.socket(family, kind, proto) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            return [_explain_bind(host, port, error)]
    return []


def check_install(folder: str) -> "list[str]":
    """All that ``make run`` needs before it installs into ``folder``."""
    return check_python() or check_venv_module() + check_writable(folder) + check_space(folder, INSTALL_BYTES)


def check_start(host: str, port: int, folder: str) -> "list[str]":
    """All that the app needs before it loads a model: cheap, so that a mistake shows at once.

    Args:
        host: Address to listen on.
        port: Port to listen on.
        folder: Data folder; made when it is missing.

    Returns:
        One sentence a problem; empty when the start can go on.
    """
    problems = check_python() + check_writable(folder, "HEARKEN_STORAGE__FOLDER")
    if not problems:
        problems += check_space(folder, START_BYTES)
    return problems + check_port(host, port)


def main(arguments: "list[str]") -> int:
    """``python -m app.preflight [FOLDER]``: check that the project can be installed here."""
    problems = check_install(arguments[0] if arguments else ".")
    for problem in problems:
        sys.stderr.write(problem + "\n")
    return 1 if problems else 0


def _explain_bind(host: str, port: int, error: OSError) -> str:
    """The operator's next step for each way a bind fails."""
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use: stop the program that uses it or set HEARKEN_SERVER__PORT."
    if error.errno == errno.EACCES:
        return f"Port {port} needs more rights than this user has: set HEARKEN_SERVER__PORT to 1024 or more."
    if error.errno == errno.EADDRNOTAVAIL:
        return _not_here(host)
    return f"Can't listen on {host} port {port}: {error.strerror}."


def _not_here(host: str) -> str:
    """The host can't be listened on from this machine."""
    return f"HEARKEN_SERVER__HOST: {host} is no address of this machine (127.0.0.1, or 0.0.0.0 for all)."


def _nearest_existing(folder: str) -> str:
    """The folder itself or the closest parent that exists."""
    path = os.path.abspath(folder)
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path


def _size(count: int) -> str:
    """Bytes as a rounded figure with its unit."""
    return f"{count / 1024**3:.1f} GB" if count >= 1024**3 else f"{count // 1024**2} MB"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
