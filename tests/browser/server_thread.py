"""A server in a thread of its own, for a browser that runs in this one."""

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import uvicorn
from fastapi import FastAPI

Application = Callable[[], AbstractAsyncContextManager[FastAPI]]


class _Telling(uvicorn.Server):
    """Says when it takes connections."""

    def __init__(self, config: uvicorn.Config, started: threading.Event) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._started.set()


class ServerThread:
    """Uvicorn on a port of its own, in a thread and an event loop of its own.

    Args:
        application: Makes the application, and cleans up after it, in that loop: Gradio makes locks of
            the loop that a page is built in.
        port: A free one when 0. It is taken at once, so that nobody else gets it before the start.
    """

    def __init__(self, application: Application, port: int = 0) -> None:
        self._application = application
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        self._server: uvicorn.Server | None = None
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin to serve, and wait until it does: one page is built at a time.

        Raises:
            RuntimeError: The application could not be made.
        """
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            raise RuntimeError("the server did not start") from self._failure

    def stop(self) -> None:
        """Cut all connections and end."""
        if self._server is not None:
            self._server.should_exit = True
            self._server.force_exit = True
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as failure:
            self._failure = failure
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        async with self._application() as app:
            self._server = _Telling(
                uvicorn.Config(app, log_level="critical", access_log=False), self._started
            )
            await self._server.serve(sockets=[self._socket])
