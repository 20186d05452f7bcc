"""One bus and everybody who shares it: a serial port, or a host and its port.

The bus is opened for the first who joins and closed after the last who leaves. A lost line is told
to everybody on it; whoever joins then opens it anew. Nothing here reconnects by itself, and no bus
knows of another.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from drivers.modbus.bus_pace import Paces
from drivers.modbus.bus_queue import Manners, Poll, Station, Take
from drivers.modbus.bus_round import Round
from drivers.modbus.lines import BusLine, FrameKind
from drivers.modbus.master import BROADCAST
from drivers.modbus.master_answers import Exchange
from drivers.modbus.requests import Read, Request, Write
from drivers.modbus.words import words_of
from drivers.port import Now
from drivers.recorder import Recorder
from table.answers import Code
from table.errors import CommandRefused, LinkLost

TURNAROUND = timedelta(milliseconds=150)
"""Rest after a broadcast (Modbus over Serial Line V1.02, section 2.4.1: 100 to 200 ms)."""
Loss: TypeAlias = Callable[[LinkLost], None]


class Bus:
    """A bus that may be opened.

    Args:
        line: where it is.
        now: the daemon's clock.
        kept: where the last frames are written when something goes wrong.
    """

    def __init__(self, line: BusLine, now: Now, kept: Path | None = None) -> None:
        self.recorder = Recorder(line.name, words_of(line.frames), kept)
        self.recorder.on = True
        self.line = line
        self._now = now
        self._round: Round | None = None
        self._door = asyncio.Lock()

    @asynccontextmanager
    async def joined(self, lost: Loss) -> AsyncIterator["Member"]:
        """Share the bus, opening it if nobody has.

        Args:
            lost: learns once that the line is gone; not called after leaving.

        Raises:
            LinkUnavailable: the line cannot be opened.
        """
        async with self._door:
            current = await self._opened()
            member = Member(current, lost)
            current.members.append(member.lose)
        try:
            yield member
        finally:
            member.leave()
            async with self._door:
                if not current.members:
                    await current.close()

    async def _opened(self) -> Round:
        """Return the round that runs, or begin one once the line of the last is given back."""
        if self._round and self._round.master.cause:
            await self._round.over()
            self._round = None
        if self._round is None:
            begun = Round(self.line, self._now, self.recorder)
            await begun.open()
            self._round = begun
        return self._round


class Member:
    """Somebody's share of an open bus; of no more use once the line is lost."""

    def __init__(self, current: Round, lost: Loss) -> None:
        self._round = current
        self._lost = lost
        self._polls: list[Poll] = []

    def meet(self, unit: int, manners: Manners) -> Station:
        """Return the device of a unit id; two members who share it share what is known of it."""
        return self._round.stations.setdefault(unit, Station(unit, manners))

    async def ask(self, station: Station, request: Request) -> Exchange:
        """Have a request sent once, before any poll, and return what became of it.

        Cancelled before its turn, it is never sent; cancelled later, its answer is dropped.

        Raises:
            LinkLost: the line went away before the request was sent.
        """
        return await self._round.carry(station, request)

    async def broadcast(self, request: Write) -> Exchange:
        """Write to every device of the bus at once; none of them answers.

        Raises:
            CommandRefused: a device of the bus is not meant to hear broadcasts; nothing was sent.
            LinkLost: the line went away before the request was sent.
        """
        stations = self._round.stations
        deaf = [unit for unit, station in stations.items() if not station.manners.broadcast]
        name = self._round.master.line.name
        if self._round.master.line.frames is not FrameKind.RTU:
            reason = f"port {name} carries no broadcasts: they are for serial lines"
            raise CommandRefused(Code.BAD_VALUE, reason)
        if deaf:
            reason = f"port {name}: unit {deaf[0]} is not to hear broadcasts"
            raise CommandRefused(Code.BAD_VALUE, reason)
        everybody = Station(BROADCAST, Manners(TURNAROUND))
        return await self._round.carry(everybody, request)

    def poll(
        self, station: Station, reads: tuple[Read, ...], period: timedelta, take: Take
    ) -> Poll:
        """Have a sample taken again and again, and hand on every one.

        A sample breaks off at the first read that is not answered. A silent device is asked at
        its probe period. `take` must not raise.
        """
        poll = Poll(station, reads, take, asyncio.get_running_loop().time(), Paces(period))
        self._polls.append(poll)
        self._round.add(poll)
        return poll

    def lose(self, cause: LinkLost) -> None:
        """Learn that the line is gone."""
        self._lost(cause)

    def leave(self) -> None:
        """Take back all polls."""
        for poll in self._polls:
            self._round.drop(poll)
        if self.lose in self._round.members:
            self._round.members.remove(self.lose)
