"""The one door to pyserial: bytes in, stamped first thing; bytes out; and two errors.

What the libraries leave open is closed here, as seen on pseudo-terminals (ADR 3):

* `serial.Serial.write` spins for ever when a port without write timeout takes no more bytes, and
  `read` uses select(), which knows no descriptor above 1023, while each port takes five of them:
  a port of ours reads and writes its descriptor directly, and too much unsent is a loss.
* A second opener steals bytes: every port is opened exclusively.
* Closing waits for the port to drain, which it may never do: lines are aborted, not closed.
* Most URLs (`loop://`, `rfc2217://`, `spy://`, `hwgrep://` ...) are nothing asyncio could wait for:
  they are served by threads. `socket://` becomes a plain asyncio connection.
"""

import asyncio
import os
import termios
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EAGAIN, EBUSY
from typing import TYPE_CHECKING, Literal, Protocol, cast

import serial
from serial_asyncio_fast import connection_for_serial, create_serial_connection

from drivers.port import Now
from table.errors import LinkLost, LinkUnavailable
from table.moment import Moment

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MOST_UNSENT = 4096
"""Bytes that may wait for a port that does not take them; a table needs some 100 each second."""
_OPEN_WITHIN_SECONDS = 5
_THREAD_LOOKS_UP_SECONDS = 0.1


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
        busy = isinstance(error, OSError) and error.errno in (EAGAIN, EBUSY)
        reason = "another program has it open" if busy else str(error) or "no answer"
        msg = f"port {port} cannot be opened: {reason}"
        raise LinkUnavailable(msg) from error


async def _open(port: str, baudrate: int, character: Character, ear: "_Ear") -> SerialLine:
    loop = asyncio.get_running_loop()
    if port.lower().startswith("socket://"):
        _, line = await create_serial_connection(loop, lambda: _TransportLine(ear), port)
        return cast("_TransportLine", line)
    if "://" in port:
        opened_url = await loop.run_in_executor(None, _opened_url, port, baudrate, character)
        return _ThreadLine(ear, opened_url)
    opened = await loop.run_in_executor(None, _Port, port, baudrate, character)
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


class _Port(serial.Serial):
    """A port with a descriptor, opened exclusively, that never blocks."""

    def __init__(self, port: str, baudrate: int, character: Character) -> None:
        super().__init__(
            port,
            baudrate,
            parity=character.parity,
            stopbits=character.stop_bits,
            exclusive=True,
        )
        with suppress(ValueError, OSError):  # not every kind of port has this mode
            self.set_low_latency_mode(True)

    def read(self, size: int = 1) -> bytes:
        try:
            chunk = os.read(self.fileno(), size)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise serial.SerialException(str(error)) from error
        if not chunk:
            msg = "the device is gone"
            raise serial.SerialException(msg)
        return chunk

    def write(self, chunk: "ReadableBuffer", /) -> int:
        try:
            return os.write(self.fileno(), chunk)
        except BlockingIOError:
            raise  # the transport keeps what is left and tries again
        except OSError:
            # The reader learns of the same hang-up; to the transport this would be a bug.
            return memoryview(chunk).nbytes


class _Ear:
    """Stamps what arrives and tells the receiver of a loss once."""

    def __init__(self, port: str, now: Now, receiver: Receiver) -> None:
        self.port = port
        self.now = now
        self._receiver = receiver
        self.open = True

    def hear(self, chunk: bytes, now: Moment) -> None:
        if self.open:
            self._receiver.arrived(chunk, now)

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
        self._ear.hear(data, self._ear.now())

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
