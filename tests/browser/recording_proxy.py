"""A connection between browser and server that remembers every byte the server sent."""

import re
import socket
import socketserver
import threading
from typing import Any

_ENCODING = re.compile(rb"(?im)^(accept-encoding|sec-websocket-extensions):[^\r\n]*")
_CHUNK = re.compile(rb"\r\n[0-9a-f]+\r\n")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})", re.IGNORECASE)
_BLOCK = 65536


class RecordingProxy:
    """Listens on a port of its own; requests lose their ``Accept-Encoding``, so that all is plain text.

    Whatever the protocol (pages, JSON, server-sent events, WebSocket), it passes here.
    """

    def __init__(self, port: int) -> None:
        self._lock = threading.Lock()
        self._sent: list[bytearray] = []
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with socket.create_connection(("127.0.0.1", port)) as server:
                    up = threading.Thread(target=_requests, args=(self.request, server), daemon=True)
                    up.start()
                    proxy._answers(server, self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where browsers find the server; without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def sent(self) -> str:
        """All that the server sent so far, as text: chunks of a body joined, escapes of JSON undone."""
        with self._lock:
            streams = [bytes(stream) for stream in self._sent]
        text = "\n".join(_CHUNK.sub(b"", stream).decode("utf-8", "replace") for stream in streams)
        return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)

    def forget(self) -> None:
        """Forget what was sent so far; open connections go on being recorded."""
        with self._lock:
            for stream in self._sent:
                stream.clear()

    def close(self) -> None:
        """Take no more connections."""
        self._server.shutdown()
        self._server.server_close()

    def _answers(self, server: socket.socket, browser: Any) -> None:
        stream = bytearray()
        with self._lock:
            self._sent.append(stream)
        try:
            while block := server.recv(_BLOCK):
                with self._lock:
                    stream += block
                browser.sendall(block)
            browser.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side has gone; the other one notices


def _requests(browser: Any, server: socket.socket) -> None:
    try:
        while block := browser.recv(_BLOCK):
            server.sendall(_ENCODING.sub(rb"\1: identity", block))
        server.shutdown(socket.SHUT_WR)
    except OSError:
        pass
