"""A table that is plugged in and pulled out in virtual time, and everybody who hears of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from controller.backoff import LONGEST
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.table_notice import TableNotice
from controller.table_wire import TableWire
from drivers.port import Answer, Capability, Grade, Identity, LinkHealth, Outcome, TableDriver
from mqtt.payloads import TableAvailability, TableMeta
from table.commands import TableCommand
from table.errors import LinkLost, LinkUnavailable
from table.events import Condition, LinkDown, LinkUp, Observed
from table.moment import MILLISECOND, Moment
from tests.controller.live_table import ROOT, HeardPress
from tests.harness.virtual_clock import VirtualClock

FOUND = Condition(cycling=False, wall_ready=True, wall_raised=False)
ABSENT = "port /dev/ttyS1: no such device"
SECOND = timedelta(seconds=1)
WHO = Identity("Open Table Works", "OTW-4", "TL-7", "1.2.0", "WMCC-118")


@dataclass
class Plug:
    """A connected table; obeys `drivers.port.TableLink`."""

    capabilities: dict[Capability, Grade] = field(
        default_factory=lambda: {Capability.DRAW_SENSE: Grade.RETROFIT}
    )
    identity: Identity = WHO
    resolution: timedelta = MILLISECOND
    condition: Condition = FOUND
    health: LinkHealth = field(default_factory=LinkHealth)
    sent: list[TableCommand] = field(default_factory=list)
    kept: list[Observed] = field(default_factory=list)
    said: "asyncio.Queue[Observed | LinkLost | None]" = field(default_factory=asyncio.Queue)
    gone: bool = False

    async def events(self) -> AsyncIterator[Observed]:
        while (said := await self.said.get()) is not None:
            if isinstance(said, LinkLost):
                self.gone = True
                raise said
            yield said

    def recorded(self, observed: Observed, /) -> None:
        self.kept.append(observed)

    async def send(self, command: TableCommand) -> Answer:
        if self.gone:
            message = "port /dev/ttyS1 hung up"
            raise LinkLost(message)
        self.sent.append(command)
        return Answer(Outcome.DONE)


@dataclass
class Socket:
    """Where a table may be plugged in; obeys `drivers.port.TableDriver`."""

    clock: VirtualClock
    plug: Plug | None = None
    absent: str = ABSENT
    tried: list[Moment] = field(default_factory=list)
    closed: int = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Plug]:
        self.tried.append(self.clock.now())
        if self.plug is None:
            raise LinkUnavailable(self.absent)
        try:
            yield self.plug
        finally:
            self.closed += 1


class Wired:
    """A table's wire in virtual time, and everybody who hears of it."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.press = HeardPress()
        self.socket = Socket(self.clock)
        self.heard: list[Observed | LinkUp | LinkDown] = []
        driver: TableDriver = self.socket
        node = Node("node-1", ROOT, self.clock, self.clock.now(), NoJournal("none"), self.press)
        meta = TableMeta(
            table="t1", name="Table 1", node="node-1", time=self.clock.utc(), ruleset="mcr-2014"
        )
        self.wire = TableWire("t1", driver, self.clock, TableNotice(node, meta))

    async def plug_in(self, plug: Plug | None = None) -> Plug:
        """Plug a table in and wait until it is found."""
        plugged = self.socket.plug = plug or Plug()
        await self.clock.advance(LONGEST)
        assert self.wire.link is plugged
        return plugged

    async def pull(self, cause: str = "port /dev/ttyS1 hung up") -> None:
        """Pull the plug while the table is connected."""
        plug, self.socket.plug = self.socket.plug, None
        assert plug
        plug.said.put_nowait(LinkLost(cause))
        await self.clock.settle()

    def heard_last(self) -> Observed | LinkUp | LinkDown:
        return self.heard[-1]

    def staff_see(self) -> tuple[str, tuple[str, ...]]:
        return self.availability.status, self.availability.causes

    @property
    def availability(self) -> TableAvailability:
        said = self.press.retained[ROOT.table_availability("t1")]
        assert isinstance(said, TableAvailability)
        return said

    @property
    def meta(self) -> TableMeta:
        said = self.press.retained[ROOT.table_meta("t1")]
        assert isinstance(said, TableMeta)
        return said


@asynccontextmanager
async def wired() -> AsyncIterator[Wired]:
    table = Wired()
    task = asyncio.create_task(table.wire.run(table.heard.append))
    try:
        await table.clock.settle()
        yield table
    finally:
        task.cancel()
        await asyncio.wait([task])
