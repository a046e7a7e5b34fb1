"""The container's health check follows /healthz."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from app.healthcheck import is_alive


class StatusServer(HTTPServer):
    """A server whose health a test sets."""

    status = 200


class Answer(BaseHTTPRequestHandler):
    """Answers /healthz with the server's status, everything else with 404."""

    def do_GET(self) -> None:
        assert isinstance(self.server, StatusServer)
        status = self.server.status if self.path == "/healthz" else 404
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[StatusServer]:
    with StatusServer(("127.0.0.1", 0), Answer) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_a_process_that_answers_is_alive(server: StatusServer) -> None:
    server.status = 200
    assert is_alive(server.server_port)


def test_a_process_that_answers_with_an_error_is_not(server: StatusServer) -> None:
    server.status = 500
    assert not is_alive(server.server_port)


def test_a_port_nobody_listens_on_is_not_alive() -> None:
    with StatusServer(("127.0.0.1", 0), Answer) as closed:
        port = closed.server_port
    assert not is_alive(port)
