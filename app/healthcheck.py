"""The container's health check: ``python -m app.healthcheck`` exits 0 while the process answers.

It asks only whether the process is alive: an outage of the model server must not make an orchestrator
restart the app, which still shows helplines and keeps what people write.
"""

import http.client
import os
import sys

TIMEOUT_S = 4.0


def is_alive(port: int) -> bool:
    """Whether ``/healthz`` on this machine answers 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    # Read straight from the environment: the settings class would take a second to import, every 30 seconds.
    sys.exit(0 if is_alive(int(os.environ.get("HEARKEN_SERVER__PORT") or "7860")) else 1)
