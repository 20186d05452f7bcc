"""A pseudo-terminal: the near end is a port for the daemon, the far end is ours."""

import asyncio
import os
import pty
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class PtyPort:
    """Both ends of a pseudo-terminal; the far end delivers what is written to the port.

    Attributes:
        path: what the daemon opens.
    """

    def __init__(self) -> None:
        self._far, self._near = pty.openpty()
        tty.setraw(self._far)
        tty.setraw(self._near)
        os.set_blocking(self._far, False)
        self.path = os.ttyname(self._near)
        self._plugged = True
        self._loop = asyncio.get_running_loop()
        self._listening = False

    def listen(self, take: Callable[[bytes], None]) -> None:
        """Deliver the bytes that are written to the port."""

        def read() -> None:
            with suppress(BlockingIOError):
                take(os.read(self._far, 4096))

        self._loop.add_reader(self._far, read)
        self._listening = True

    def ignore(self) -> None:
        """Leave the bytes that are written to the port unread from now on."""
        if self._listening:
            self._loop.remove_reader(self._far)
            self._listening = False

    def send(self, chunk: bytes) -> None:
        """Have bytes arrive at the port."""
        os.write(self._far, chunk)

    def fill(self) -> bytes:
        """Write to the port until it takes nothing more; return what it took."""
        os.set_blocking(self._near, False)
        took = b""
        with suppress(BlockingIOError):
            while True:
                took += b"x" * os.write(self._near, b"x" * 1000)
        return took

    def unplug(self) -> None:
        """Pull the cable."""
        if self._plugged:
            self._plugged = False
            self.ignore()
            os.close(self._near)
            os.close(self._far)


@contextmanager
def pty_port() -> Iterator[PtyPort]:
    """Lend a pseudo-terminal."""
    port = PtyPort()
    try:
        yield port
    finally:
        port.unplug()
