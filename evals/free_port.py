"""A port for a server that is started a while after the port was chosen."""

import random
import socket

_CANDIDATES = range(20_000, 30_000)
"""Below the ports that Linux, Windows and macOS hand out by themselves (from 32,768 or 49,152 up)."""
_TRIES = 100


def free_port() -> int:
    """A port of loopback on which nothing listens.

    A port that the system picks may be given to the next connection of any other program before the
    server takes it; one of those that are never handed out stays free.

    Raises:
        OSError: None of a hundred was free.
    """
    for port in random.sample(_CANDIDATES, _TRIES):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port among {_TRIES} below {_CANDIDATES.stop}")
