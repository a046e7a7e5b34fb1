"""A pytest plugin: a test that was skipped for a part which could be installed fails the run.

``make test`` installs every part, so a skip there means that an install step is missing and that
nobody would notice. A test may be skipped only for what this machine can never have; its reason
then begins with ``NOT_HERE``.
"""

import pytest

NOT_HERE = "not on this machine: "


def forbidden_skips(reports: list[pytest.TestReport | pytest.CollectReport]) -> list[str]:
    """One line for each skip whose reason is not of the allowed kind."""
    return [
        f"{report.nodeid}: {reason}"
        for report in reports
        if not (reason := _reason(report)).startswith(NOT_HERE)
    ]


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The text given to ``pytest.skip`` or to the marker."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn a green run with forbidden skips red."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    skipped = [report for report in reporter.stats.get("skipped", []) if not hasattr(report, "wasxfail")]
    lines = forbidden_skips(skipped)
    if lines:
        reporter.ensure_newline()
        reporter.section("skipped for a part that can be installed", red=True)
        for line in lines:
            reporter.line(line)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
