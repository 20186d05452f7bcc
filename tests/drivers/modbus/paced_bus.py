"""The far end of a serial bus: modules that answer as fast as the baud rate lets them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU

from tests.drivers.pty_port import PtyPort, pty_port

READ_BITS = {1, 2}
REQUEST_BYTES = 8
BITS_PER_CHARACTER = 10


@dataclass
class Module:
    """One module of the bus; it answers reads with its registers and echoes single writes."""

    thinks_seconds: float = 0.001
    silent: bool = False
    filled_with: int = 0
    """What each byte of a reply to a read holds."""


@dataclass
class PacedBus:
    """Modules on one wire; requests must be of the 8 bytes that reads and single writes have.

    Attributes:
        heard: the whole requests that arrived, each with the moment of its first byte.
        said: the moment the last byte of each reply left.
    """

    port: PtyPort
    modules: dict[int, Module]
    baudrate: int = 115200
    heard: list[tuple[float, bytes]] = field(default_factory=list)
    said: list[tuple[int, float]] = field(default_factory=list)
    _request: bytes = b""
    _began: float = 0

    def listen(self) -> None:
        """Begin to answer."""
        self.port.listen(self._take)

    def seconds(self, characters: int) -> float:
        """Return how long so many characters are on the wire."""
        return characters * BITS_PER_CHARACTER / self.baudrate

    def _take(self, chunk: bytes) -> None:
        at = asyncio.get_running_loop().time()
        self._began = self._began if self._request else at
        self._request += chunk
        while len(self._request) >= REQUEST_BYTES:
            request, self._request = (
                self._request[:REQUEST_BYTES],
                self._request[REQUEST_BYTES:],
            )
            self.heard.append((self._began, request))
            self._answer(request, self._began)

    def _answer(self, request: bytes, at: float) -> None:
        module = self.modules.get(request[0])
        if module is None or module.silent:
            return
        reply = reply_to(request, module.filled_with)
        end = at + self.seconds(len(request)) + module.thinks_seconds + self.seconds(len(reply))
        asyncio.get_running_loop().call_at(end, self._say, request[0], reply)

    def _say(self, unit: int, reply: bytes) -> None:
        self.said.append((unit, asyncio.get_running_loop().time()))
        self.port.send(reply)


def reply_to(request: bytes, filled_with: int = 0) -> bytes:
    """Return the whole frame that answers a read, or the echo of a single write."""
    function = request[1]
    if function > max(READ_BITS) + 2:
        return request
    count = int.from_bytes(request[4:6], "big")
    size = (count + 7) // 8 if function in READ_BITS else 2 * count
    return framed(request[0], bytes([function, size]) + bytes([filled_with]) * size)


def framed(unit: int, said: bytes) -> bytes:
    """Return the RTU frame of function and data."""
    return FramerRTU(DecodePDU(is_server=True)).encode(said, unit, 0)


@contextmanager
def bus_in_a_thread(modules: dict[int, Module], baudrate: int = 115200) -> Iterator[PacedBus]:
    """Run a bus beside the event loop of the master, so that neither delays the other."""
    ready, done = threading.Event(), threading.Event()
    made: list[PacedBus] = []
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        with pty_port() as port:
            made.append(PacedBus(port, modules, baudrate))
            made[0].listen()
            end = asyncio.Event()
            loops.append((asyncio.get_running_loop(), end))
            ready.set()
            await end.wait()
        done.set()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield made[0]
    finally:
        loop, end = loops[0]
        loop.call_soon_threadsafe(end.set)
        thread.join()
