"""Ports for servers that are started later."""

import random
import socket

import pytest

from evals.free_port import free_port


def test_a_server_can_listen_on_it() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as server:
        assert server.getsockname()[1] == port


def test_it_is_none_that_the_system_hands_out() -> None:
    assert 20_000 <= free_port() < 30_000


def offer(monkeypatch: pytest.MonkeyPatch, *ports: int) -> None:
    """Let these be the candidates."""

    def sample(*_: object) -> list[int]:
        return list(ports)

    monkeypatch.setattr(random, "sample", sample)


def test_a_port_in_use_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    other = free_port()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        offer(monkeypatch, taken.getsockname()[1], other)
        assert free_port() == other


def test_when_none_is_free_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        offer(monkeypatch, taken.getsockname()[1])
        with pytest.raises(OSError, match="no free port"):
            free_port()
