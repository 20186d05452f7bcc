"""A way to the broker that can be shut, so that somebody else comes back before the daemon does."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.harness.broker import HOST, free_port

MOST_AT_ONCE = 65536
_AT_ONCE = struct.pack("ii", 1, 0)
"""Linger no time: what is closed so is reset."""


class Gate:
    """Carries connections to a port of the loopback while it is open; refuses them otherwise.

    Args:
        target: the port they are carried to.
    """

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()
        self._entered: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Let connections through."""
        self._server = await asyncio.start_server(self._enter, HOST, self.port)

    async def shut(self) -> None:
        """End every connection and refuse new ones."""
        if self._server is None:
            return
        self._server.close()
        await self._server.wait_closed()
        self._server = None
        for passing in self._passing:
            passing.cancel()
        if self._passing:
            await asyncio.wait(self._passing)

    def reset(self) -> None:
        """Reset every connection (RST) and let new ones through."""
        for writer in self._entered:
            end = writer.get_extra_info("socket")
            with suppress(OSError):  # it may have ended by itself
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            writer.transport.abort()

    def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passing = asyncio.create_task(self._carry(reader, writer))
        self._passing.add(passing)
        passing.add_done_callback(self._passing.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._entered.add(writer)
        with suppress(OSError):
            try:
                there, back = await asyncio.open_connection(HOST, self._target)
                both = [
                    asyncio.create_task(_copy(reader, back)),
                    asyncio.create_task(_copy(there, writer)),
                ]
                try:
                    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    back.close()
                    for copying in both:
                        copying.cancel()
                    await asyncio.wait(both)
            finally:
                self._entered.discard(writer)
                writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(MOST_AT_ONCE):
            writer.write(chunk)
            await writer.drain()


@asynccontextmanager
async def gate(target: int) -> AsyncIterator[Gate]:
    """Keep a gate, open at first, as long as the context lasts."""
    made = Gate(target)
    await made.open()
    try:
        yield made
    finally:
        await made.shut()
