"""Deletes old conversations now, for operators who prefer cron: ``python -m app.retention``.

Set HEARKEN_STORAGE__RETENTION_JOB=false to leave it to cron alone.
"""

import argparse
import asyncio
import sys

from app.database import configured_engine
from app.db.engine import session_factory
from app.db.migrate import MigrationError, upgrade_configured
from app.db.retention import RetentionReport
from app.retention_job import delete_now
from app.settings import Settings, SettingsError, load_settings


async def run(settings: Settings) -> RetentionReport:
    """Delete what is older than the settings allow."""
    engine = configured_engine(settings)
    try:
        return await delete_now(session_factory(engine), settings.storage.retention_days)
    finally:
        await engine.dispose()


def described(report: RetentionReport, keep_days: int) -> str:
    """The report as a line for an operator."""
    return (
        f"Deleted {report.sessions} conversations idle for more than {keep_days} days, "
        f"{report.persons} persons, {report.staff_sessions} expired logins of staff and {report.orphans} "
        f"rows without an owner; {report.held} old conversations wait for a reviewer."
    )


def main(arguments: list[str] | None = None) -> int:
    """Run from a command line; returns the exit status."""
    argparse.ArgumentParser(prog="python -m app.retention", description=__doc__).parse_args(arguments)
    try:
        settings = load_settings()
        upgrade_configured(settings.storage, settings.database_url)
        report = asyncio.run(run(settings))
    except (SettingsError, MigrationError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(described(report, settings.storage.retention_days) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
