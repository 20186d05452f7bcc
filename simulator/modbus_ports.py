"""The ports through which modules are reached: a pseudo-terminal, or a port on the loopback."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Protocol, TypeAlias

from simulator.modbus_far_ends import Talk
from simulator.pty_port import PtyPort

LOOPBACK = "127.0.0.1"
MOST_AT_ONCE = 4096

Hear: TypeAlias = Callable[[Talk, bytes], None]
Gone: TypeAlias = Callable[[Talk], None]


class ModulePort(Protocol):
    """A port that can be plugged in and out, and stays the same port."""

    @property
    def where(self) -> str:
        """How a host names it."""

    @property
    def plugged_in(self) -> bool:
        """Whether a host can reach it."""

    def plug_in(self) -> None:
        """Open it."""

    def plug_out(self) -> None:
        """Close it and every connection."""

    def send(self, talk: Talk, data: bytes) -> None:
        """Send to one host; what it does not take is lost."""

    def hang_up(self, talk: Talk) -> None:
        """Close one connection."""


class LinePort:
    """A serial line."""

    def __init__(self, link: Path, hear: Hear) -> None:
        self._port = PtyPort(link, lambda chunk: hear(0, chunk))
        self.where = str(link)

    @property
    def plugged_in(self) -> bool:
        """Whether a host can open it."""
        return self._port.plugged_in

    def plug_in(self) -> None:
        """Open the port and make its link.

        Raises:
            SettingsError: something else stands at the path of the link.
        """
        self._port.plug_in()

    def plug_out(self) -> None:
        """Take the link away."""
        self._port.plug_out()

    def send(self, talk: Talk, data: bytes) -> None:  # noqa: ARG002 -- a line has one
        """Send to whoever listens."""
        self._port.send(data)

    def hang_up(self, talk: Talk) -> None:
        """Stay as a line is: nobody hangs up there."""


class LoopbackPort:
    """A TCP port that several hosts can use at once."""

    def __init__(self, hear: Hear, gone: Gone) -> None:
        self._hear = hear
        self._gone = gone
        self._number = 0
        self._talks = count(1)
        self._listening: socket.socket | None = None
        self._open: dict[Talk, socket.socket] = {}

    @property
    def where(self) -> str:
        """Host and port once it was plugged in."""
        return f"tcp://{LOOPBACK}:{self._number}"

    @property
    def number(self) -> int:
        """The port's number once it was plugged in."""
        return self._number

    @property
    def plugged_in(self) -> bool:
        """Whether a host can connect."""
        return self._listening is not None

    def plug_in(self) -> None:
        """Listen, at the second time on the same port."""
        self._listening = socket.create_server((LOOPBACK, self._number))
        self._listening.settimeout(0)
        self._number = self._listening.getsockname()[1]
        asyncio.get_running_loop().add_reader(self._listening, self._accept, self._listening)

    def plug_out(self) -> None:
        """Close everything."""
        if self._listening:
            asyncio.get_running_loop().remove_reader(self._listening)
            self._listening.close()
            self._listening = None
        for talk in tuple(self._open):
            self.hang_up(talk)

    def send(self, talk: Talk, data: bytes) -> None:
        """Send to one host."""
        if talk in self._open:
            with suppress(OSError):
                self._open[talk].send(data)

    def hang_up(self, talk: Talk) -> None:
        """Close one connection."""
        if connection := self._open.pop(talk, None):
            asyncio.get_running_loop().remove_reader(connection)
            connection.close()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(BlockingIOError):
            connection, _ = listening.accept()
            connection.settimeout(0)
            # A module sends each reply at once; so do we.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            talk = next(self._talks)
            self._open[talk] = connection
            asyncio.get_running_loop().add_reader(connection, self._read, talk)

    def _read(self, talk: Talk) -> None:
        try:
            chunk = self._open[talk].recv(MOST_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if chunk:
            self._hear(talk, chunk)
        else:
            self.hang_up(talk)
            self._gone(talk)
