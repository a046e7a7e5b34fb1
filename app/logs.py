"""Logging that tells an operator what broke without telling what a person wrote."""

import logging
import sys
import traceback


def configure_logging(level: str) -> None:
    """Log to standard error in one line a record; libraries only from warnings on."""
    logging.basicConfig(
        level=logging.WARNING,
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    for name in ("app", "models", "safety"):
        logging.getLogger(name).setLevel(level.upper())
    # It warns of every form that it can't read, which anybody can send; the answer says so, too.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)


def log_without_text(logger: logging.Logger, what: str, error: BaseException) -> None:
    """Log an exception's type and the lines it passed through, but not its text.

    The text of an exception can quote its input, and the input can be a person's message.
    """
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    logger.error("%s: %s at %s", what, type(error).__name__, " > ".join(places[-4:]))
