"""Each thing that is wrong before a start is told in one line that names what to change."""

import ast
import socket
from pathlib import Path

from app import preflight


def test_an_old_python_is_refused_with_the_version_that_is_needed() -> None:
    assert preflight.check_python((3, 9, 2)) == [
        "Python 3.9.2 is too old: Hearken needs 3.11 or newer (make run PYTHON=/path/to/python3.11)."
    ]


def test_the_oldest_supported_python_is_accepted() -> None:
    assert preflight.check_python((3, 11, 0)) == []


def test_preflight_can_be_parsed_by_the_old_pythons_it_refuses() -> None:
    source = Path(preflight.__file__).read_text("utf-8")
    ast.parse(source, feature_version=(3, 7))


def test_a_port_in_use_is_named_together_with_its_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        problems = preflight.check_port("127.0.0.1", port)
    assert problems == [
        f"Port {port} on 127.0.0.1 is in use: stop the program that uses it or set HEARKEN_SERVER__PORT."
    ]


def test_a_free_port_is_accepted_and_stays_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert preflight.check_port("127.0.0.1", port) == []
    assert preflight.check_port("127.0.0.1", port) == []


def test_a_foreign_address_is_refused_by_the_name_of_its_setting() -> None:
    (problem,) = preflight.check_port("192.0.2.1", 7860)
    assert problem.startswith("HEARKEN_SERVER__HOST: 192.0.2.1 is no address of this machine")


def test_a_full_disk_is_told_with_both_sizes(tmp_path: Path) -> None:
    (problem,) = preflight.check_space(str(tmp_path / "not" / "yet"), 1024**6)
    assert problem.startswith("Not enough disk space for ")
    assert problem.endswith("1073741824.0 GB needed.")


def test_a_folder_that_cannot_be_made_is_named_with_its_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (problem,) = preflight.check_writable(str(tmp_path / "file" / "var"), "HEARKEN_STORAGE__FOLDER")
    assert problem == (
        f"Folder {tmp_path}/file/var can't be written (Not a directory): "
        "change its owner or set HEARKEN_STORAGE__FOLDER to another folder."
    )


def test_a_writable_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    assert preflight.check_writable(str(tmp_path / "var")) == []
    assert list((tmp_path / "var").iterdir()) == []


def test_a_start_reports_every_problem_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as server:
        problems = preflight.check_start("127.0.0.1", server.getsockname()[1], str(tmp_path / "file" / "var"))
    assert [problem.split()[0] for problem in problems] == ["Folder", "Port"]
