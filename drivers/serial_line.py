"""The one door to pyserial: bytes in, stamped first thing; bytes out; and two errors.

What the libraries leave open is closed here, as seen on pseudo-terminals (ADR 3):

* A port takes no bytes, or floods us with them: too much of either is a loss.
* Opening may hang: each port is opened in a thread of its own, once at a time.
* Closing waits for the port to drain, which it may never do: lines are aborted, not closed.
* Most URLs (`loop://`, `rfc2217://`, `spy://`, `hwgrep://` ...) are nothing asyncio could wait for:
  they are served by threads. `socket://` becomes a plain asyncio connection.
"""

import asyncio
import termios
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol, cast

import serial
from serial_asyncio_fast import connection_for_serial, create_serial_connection

from drivers.apart import Apart
from drivers.port import Now
from drivers.port_trouble import reason
from drivers.serial_port import DevicePort
from table.errors import LinkLost, LinkUnavailable
from table.moment import Moment

MOST_UNSENT = 4096
"""Bytes that may wait for a port that does not take them; a table needs some 100 each second."""
MOST_HEARD = 2**17
"""Bytes a second that a line may deliver; a table needs some 2,000, a fast bus 50,000."""
_OPEN_WITHIN_SECONDS = 5
_THREAD_LOOKS_UP_SECONDS = 0.1
_APART = Apart()


@dataclass(frozen=True, slots=True)
class Character:
    """How a byte is sent: a start bit, eight of data, and these."""

    parity: Literal["N", "E", "O"] = "N"
    """None, even or odd."""
    stop_bits: Literal[1, 2] = 1

    def __str__(self) -> str:
        return f"8{self.parity}{self.stop_bits}"

    @property
    def bits(self) -> int:
        """All the bits of a character on the wire."""
        return 1 + 8 + (self.parity != "N") + self.stop_bits


PLAIN = Character()
"""8N1, as nearly everything is set."""


class Receiver(Protocol):
    """Whoever listens to a line."""

    def arrived(self, chunk: bytes, now: Moment) -> None:
        """Take the bytes that arrived together, and the moment they did."""

    def lost(self, cause: LinkLost) -> None:
        """Learn that the line is gone; called once, and not after `close`."""


class SerialLine(Protocol):
    """An open line."""

    def write(self, chunk: bytes) -> None:
        """Send bytes soon; never blocks. On a line that is gone it does nothing."""

    async def close(self) -> None:
        """Drop what is unsent and give the port back."""


async def open_line(
    port: str, baudrate: int, now: Now, receiver: Receiver, character: Character = PLAIN
) -> SerialLine:
    """Open a port or any URL that pyserial knows, and start to deliver.

    Raises:
        LinkUnavailable: the port is absent, busy, no serial port, or not reachable.
    """
    try:
        async with asyncio.timeout(_OPEN_WITHIN_SECONDS):
            return await _open(port, baudrate, character, _Ear(port, now, receiver))
    except termios.error as error:
        msg = f"port {port} cannot be opened: it cannot be set to {baudrate} baud, {character}"
        raise LinkUnavailable(msg) from error
    except (OSError, ValueError) as error:
        why = await asyncio.to_thread(reason, port, error)  # it may look through all processes
        msg = f"port {port} cannot be opened: {why}"
        raise LinkUnavailable(msg) from error


async def _open(port: str, baudrate: int, character: Character, ear: "_Ear") -> SerialLine:
    loop = asyncio.get_running_loop()
    if port.lower().startswith("socket://"):
        _, line = await create_serial_connection(loop, lambda: _TransportLine(ear), port)
        return cast("_TransportLine", line)
    if "://" in port:
        opened_url = await _APART.make(
            port, lambda: _opened_url(port, baudrate, character), serial.Serial.close
        )
        return _ThreadLine(ear, opened_url)
    opened = await _APART.make(
        port,
        lambda: DevicePort(port, baudrate, character.parity, character.stop_bits),
        DevicePort.close,
    )
    line = _TransportLine(ear)
    transport, _ = await connection_for_serial(loop, lambda: line, opened)
    line.connection_made(transport)  # the library does so later, and we may write before
    return line


def _opened_url(port: str, baudrate: int, character: Character) -> serial.Serial:
    # The timeout is for the threads; to change it later would block on a network port.
    return serial.serial_for_url(
        port,
        baudrate,
        parity=character.parity,
        stopbits=character.stop_bits,
        exclusive=True,
        timeout=_THREAD_LOOKS_UP_SECONDS,
    )


class _Ear:
    """Stamps what arrives and tells the receiver of a loss once."""

    def __init__(self, port: str, now: Now, receiver: Receiver) -> None:
        self.port = port
        self.now = now
        self._receiver = receiver
        self._loop = asyncio.get_running_loop()
        self._second = self._heard = 0
        self.open = True

    def hear(self, chunk: bytes, now: Moment) -> bool:
        """Hand bytes on; say whether the line is flooded, and lost."""
        if not self.open:
            return False
        second = int(self._loop.time())
        self._heard = len(chunk) + (self._heard if second == self._second else 0)
        self._second = second
        if self._heard > MOST_HEARD:
            self.lose(f"it sends more than {MOST_HEARD} bytes a second")
            return True
        self._receiver.arrived(chunk, now)
        return False

    def lose(self, reason: object) -> None:
        if self.open:
            self.open = False
            self._receiver.lost(LinkLost(f"port {self.port} is lost: {reason}"))


class _TransportLine(asyncio.Protocol):
    """A line on an asyncio transport."""

    def __init__(self, ear: _Ear) -> None:
        self._ear = ear
        self._gone = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._ear.hear(data, self._ear.now()):
            self._abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ear.lose(exc or "the other side closed it")
        if not self._gone.done():
            self._gone.set_result(None)

    def write(self, chunk: bytes) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(chunk)
        if self._transport.get_write_buffer_size() > MOST_UNSENT:
            self._ear.lose("it takes no bytes")
            self._abort()

    async def close(self) -> None:
        self._ear.open = False
        self._abort()
        await self._gone

    def _abort(self) -> None:
        if not self._transport.is_closing():
            self._transport.abort()


class _ThreadLine:
    """A line on what asyncio cannot wait for: one thread reads, one writes in order."""

    def __init__(self, ear: _Ear, port: serial.Serial) -> None:
        self._ear = ear
        self._port = port
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(2, "serial")
        self._reading = self._loop.run_in_executor(self._threads, self._read)
        self._unsent = 0

    def write(self, chunk: bytes) -> None:
        if not self._ear.open:
            return
        self._unsent += len(chunk)
        if self._unsent > MOST_UNSENT:
            self._ear.lose("it takes no bytes")
        self._threads.submit(self._send, chunk)

    async def close(self) -> None:
        self._ear.open = False
        await self._reading
        await self._loop.run_in_executor(self._threads, self._port.close)
        self._threads.shutdown(wait=False)

    def _read(self) -> None:
        with self._losing():
            while self._ear.open:
                first = self._port.read(1)
                now = self._ear.now()
                if first:
                    chunk = first + self._port.read(self._port.in_waiting)
                    self._loop.call_soon_threadsafe(self._ear.hear, chunk, now)

    def _send(self, chunk: bytes) -> None:
        with self._losing():
            self._port.write(chunk)
            self._loop.call_soon_threadsafe(self._sent, len(chunk))

    def _sent(self, count: int) -> None:
        self._unsent -= count

    @contextmanager
    def _losing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._loop.call_soon_threadsafe(self._ear.lose, error)
