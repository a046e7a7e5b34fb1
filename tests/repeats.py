"""A pytest plugin: a test of several processes may fail once by chance; too many such tests fail the run.

``make test`` loads it. Tests below ``tests/browser`` and ``tests/integration`` start browsers, servers and
databases and share the machine with them: one that failed is tried again, from its fixtures on, and is
named at the end. Any other test is tried again only for an object that an earlier one left behind.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OF_PROCESSES = (TESTS / "browser", TESTS / "integration")
TRIES_AGAIN = 2
MOST = 6
"""Tests a run that may pass only when tried again: more of them are a fault, not chance."""
_LEFT_BEHIND = ("PytestUnraisableExceptionWarning", "unraisable exception")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to run without the library that tries again."""
    if not config.pluginmanager.has_plugin("rerunfailures"):
        raise pytest.UsageError("tests.repeats needs pytest-rerunfailures: run `make dev`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say which tests are tried again, and for what."""
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in OF_PROCESSES):
            item.add_marker(pytest.mark.flaky(reruns=TRIES_AGAIN))
        else:
            item.add_marker(pytest.mark.flaky(reruns=TRIES_AGAIN, only_rerun=list(_LEFT_BEHIND)))


def tried_again(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Names of the tests that were tried again, each once, in their order."""
    return list(dict.fromkeys(report.nodeid for report in reports))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Name the tests that were tried again; turn a green run with many of them red."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    names = tried_again(reporter.stats.get("rerun", [])) if reporter is not None else []
    if not names:
        return
    reporter.ensure_newline()
    reporter.section(f"tried again: {len(names)} (at most {MOST})", yellow=True)
    for report in reporter.stats["rerun"]:
        reporter.line(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")
    if len(names) > MOST:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
