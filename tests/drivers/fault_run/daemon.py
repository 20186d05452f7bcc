"""The daemon's side of one table: real wire with its reconnect policy, loop, core and record."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from controller.node import Node
from controller.recovery import recover
from controller.table_loop import TableLoop
from controller.table_notice import TableNotice
from controller.table_record import TableRecord
from controller.table_turn import Turn
from controller.table_wire import TableWire
from drivers.port import Answer, TableDriver
from mqtt.payloads import TableMeta
from simulator.habits import Span, within
from table.commands import TableCommand
from table.events import LinkDown, LinkUp, Observed, Restarted
from table.moment import Moment
from tests.controller.live_table import ROOT, RULES, HeardPress
from tests.controller.notebook import Notebook
from tests.drivers.fault_run.virtual_time import LoopClock

_DISK: Span = (4, 60)
TABLE = "t1"


@dataclass(frozen=True, slots=True)
class Sent:
    """A command, and what came of it."""

    command: TableCommand
    at: Moment
    answer: Answer
    ended: Moment


class KnownRecord(TableRecord):
    """A record that remembers every turn; its journal never fails."""

    def __init__(self, node: Node) -> None:
        super().__init__(node, "Table 1", RULES, recover(node.journal, RULES, TABLE))
        self.turns: list[Turn] = []

    def keep(self, turn: Turn) -> "asyncio.Future[bool] | None":
        kept = super().keep(turn)
        if kept is not None:
            self.turns.append(turn)
        return kept


class Daemon:
    """One table of a daemon.

    Attributes:
        links: when the wire came and went.
        sent: every command.
    """

    def __init__(self, driver: TableDriver, random: Random) -> None:
        self._clock = LoopClock()
        self._random = random
        self._journal = Notebook()
        node = Node("node-1", ROOT, self._clock, self._clock.now(), self._journal, HeardPress())
        meta = TableMeta(
            table=TABLE, name="Table 1", node=node.id, time=node.clock.utc(), ruleset="mcr-2014"
        )
        self.record = KnownRecord(node)
        self.wire = TableWire(TABLE, driver, self._clock, TableNotice(node, meta))
        self._loop = TableLoop(RULES, self.record, self._clock, self.wire.send, lambda: None)
        self._loop.reports.recorded = self.wire.recorded
        self.links: list[tuple[Moment, bool]] = []
        self.sent: list[Sent] = []

    @property
    def now(self) -> Moment:
        return self._clock.now()

    async def run(self) -> None:
        """Serve the table until cancelled."""
        self._loop.offer(Restarted("the run begins"))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.wire.run(self._offer))
            tasks.create_task(self._loop.run())
            tasks.create_task(self._write())

    async def send(self, command: TableCommand) -> None:
        """Have the table carry out a command."""
        at = self.now
        answer = await self.wire.send(command)
        self.sent.append(Sent(command, at, answer, self.now))

    def _offer(self, said: Observed | LinkUp | LinkDown) -> None:
        if isinstance(said, LinkUp | LinkDown):
            self.links.append((self.now, isinstance(said, LinkUp)))
        self._loop.offer(said)

    async def _write(self) -> None:
        while True:
            await asyncio.sleep(within(self._random, _DISK) / timedelta(seconds=1))
            self._journal.write()


@asynccontextmanager
async def running(daemon: Daemon) -> AsyncIterator[None]:
    """Run a daemon as long as the context lasts."""
    task = asyncio.create_task(daemon.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
