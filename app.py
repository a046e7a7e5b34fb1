"""Start Hearken: ``python app.py``. Every setting is an environment variable, see docs/settings.md."""

import os
import sys

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
# Threads of the model that wait by spinning take the cores from the page and the scorer: measured with other
# work on the machine, a reply then took over six times as long. Must be set before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# NumPy's matrix products are small here; a second thread for them would only spin beside the encoder.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Progress bars of libraries are for terminals, not for a server's log.
os.environ.setdefault("TQDM_DISABLE", "1")


def main() -> int:
    """Check, migrate, serve; a reason why it can't start is one line on standard error."""
    # The checks come before the libraries, which take seconds to load, and before their errors.
    from app.preflight import check_python, check_start

    problems = check_python()
    if problems:
        return _stop(problems)
    from app.stop_signals import end_at_once

    end_at_once()
    # Before the data folder is made: it and all that comes into it is for this account only.
    os.umask(0o077)
    from app.settings import SettingsError, load_settings

    try:
        settings = load_settings()
    except SettingsError as error:
        return _stop(str(error).splitlines())
    problems = check_start(settings.server.host, settings.server.port, str(settings.storage.folder))
    if problems:
        return _stop(problems)
    from app.start import StartError, start

    try:
        start(settings)
    except StartError as error:
        return _stop([str(error)])
    return 0


def _stop(problems: "list[str]") -> int:
    for problem in problems:
        sys.stderr.write(problem + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
