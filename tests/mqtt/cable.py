"""A cable to the broker that can be pulled in the middle of a message."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.harness.broker import HOST


class Cable:
    """Passes bytes between a port of its own and another."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._ends: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.holds = math.inf
        """So many bytes pass on to the broker before it tears by itself."""

    def pull(self) -> None:
        """Tear every connection down at once, what is under way is lost."""
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what one client says and hears."""
        there, back = await asyncio.open_connection(HOST, self._target)
        self._ends |= {writer, back}
        await asyncio.gather(_pass(reader, back, self._strain), _pass(there, writer))

    def _strain(self, piece: bytes) -> None:
        self.holds -= len(piece)
        if self.holds <= 0:
            self.holds = math.inf
            self.pull()


async def _pass(
    source: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    passed: Callable[[bytes], None] = lambda _: None,
) -> None:
    try:
        while piece := await source.read(512):
            sink.write(piece)
            await sink.drain()
            passed(piece)
    except ConnectionError:
        pass
    finally:
        sink.close()


@asynccontextmanager
async def cable(target: int) -> AsyncIterator[Cable]:
    """Lay a cable to a port of the loopback."""
    laid = Cable(target)
    server = await asyncio.start_server(laid.connect, HOST, 0)
    laid.port = server.sockets[0].getsockname()[1]
    async with server:
        yield laid
        laid.pull()
