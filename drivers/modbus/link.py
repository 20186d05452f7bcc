"""A table of modules that were greeted: its events, its orders, and how well it is heard."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Mapping
from datetime import timedelta
from typing import Any

from drivers import condition
from drivers.modbus.bus import Member
from drivers.modbus.bus_queue import Poll
from drivers.modbus.carry_out import Halt, Reached, carry_out
from drivers.modbus.fitted import Fitted
from drivers.modbus.greeting import greet
from drivers.modbus.identity import ModuleIdentity
from drivers.modbus.init import Feeding, feeding
from drivers.modbus.machine_signs import Signs
from drivers.modbus.master_answers import Exchange, Replied, Trouble
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.pulses import Job, Orders, accept, over
from drivers.modbus.table_identity import identity_of
from drivers.modbus.watch import Watch
from drivers.modbus.writes import clearing
from drivers.port import Answer, Capability, Grade, Identity, LinkHealth, Now, Outcome, Pace
from drivers.reports import until_lost
from table.commands import Stop, TableCommand
from table.errors import LinkLost
from table.events import Condition, MachineEvent, Observed

LAST_ORDERS_SECONDS = 2.0
"""Longest wait for an order at the end: what the host switched on, it should switch off."""
_DAMAGE = (Trouble.DAMAGED, Trouble.CUT_SHORT)
_STRANGE = (Trouble.STRANGER, Trouble.OTHER_FUNCTION, Trouble.OTHER_SHAPE)


class ModbusTableLink:
    """One table; obeys `drivers.port.TableLink` once `begin` has returned."""

    def __init__(self, table: Fitted, now: Now) -> None:
        self._table = table
        self._now = now
        self._modules: dict[str, Reached] = {}
        self._known: dict[str, ModuleIdentity] = {}
        self._polls: dict[str, Poll] = {}
        self._watches: dict[str, Watch] = {}
        self._signs = Signs()
        self._condition = Condition(cycling=False, wall_ready=False, wall_raised=False)
        self._orders = Orders()
        self._halt = Halt()
        self._queue: asyncio.Queue[Observed | LinkLost] = asyncio.Queue()
        self._cause: LinkLost | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs: set[asyncio.Task[None]] = set()
        self._clearing: set[tuple[str, str]] = set()

    @property
    def identity(self) -> Identity:
        """Who its modules say they are, one after the other."""
        return identity_of(self._table, self._known)

    @property
    def capabilities(self) -> dict[Capability, Grade]:
        """What it can do, and how."""
        return self._table.capabilities

    @property
    def resolution(self) -> timedelta:
        """Width of the interval in which a press is known, as measured; at first the best of it."""
        pace = self._pace
        width = pace.width if pace and pace.width else self._table.period
        return width + self._table.debounce

    @property
    def paces(self) -> Mapping[str, Pace]:
        """How closely each module is watched."""
        return {name: poll.pace for name, poll in self._polls.items()}

    @property
    def condition(self) -> Condition:
        """The machine as last reported."""
        return self._condition

    @property
    def health(self) -> LinkHealth:
        """What the wires did to us so far."""
        stations = [module.station for module in self._modules.values()]
        troubles: Counter[Trouble] = sum((one.counts.troubles for one in stations), Counter())
        return LinkHealth(
            damaged_frames=sum(troubles[kind] for kind in _DAMAGE),
            unknown=sum(troubles[kind] for kind in _STRANGE),
            suspect=any(station.fails for station in stations),
            lacks=tuple(
                f"no sound input {name}" for one in self._watches.values() for name in one.lacks
            ),
            pace=self._pace,
        )

    @property
    def _pace(self) -> Pace | None:
        """How closely the seats are watched, at the module where it is worst."""
        pressed = (pace for name, pace in self.paces.items() if name in self._table.pressed)
        return max(pressed, key=lambda pace: pace.width, default=None)

    def events(self) -> AsyncIterator[Observed]:
        """Iterate over what the table reports.

        Raises:
            LinkLost: a wire or a module went away.
        """
        return until_lost(self._queue)

    def recorded(self, _: Observed, /) -> None:
        """Keep nothing for later: modules tell no press again."""

    async def send(self, command: TableCommand) -> Answer:
        """Have the table carry out a command and say how it ended.

        Raises:
            LinkLost: the wire went away before the command was sent.
        """
        if self._cause:
            raise LinkLost(str(self._cause)) from self._cause
        accepted = accept(self._table.outlets, self._orders, command, self._now())
        if isinstance(accepted, Answer):
            return accepted
        self._orders = accepted.orders
        if isinstance(command, Stop):
            self._halt.told = True
            self._halt = Halt()
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        # In a task of its own: an output that is on must go off, whoever waits no more.
        self._start(self._carry(accepted.job, answered, self._halt), self._jobs)
        return await answered

    async def begin(self, members: Mapping[str, Member]) -> None:
        """Greet every module, see how the machine stands, and begin to poll.

        Raises:
            LinkUnavailable: a module is silent, another one, or does not take its settings.
            LinkLost: a line went away meanwhile.
        """
        for name, module in self._table.modules.items():
            member = members[name]
            reached = Reached(member, member.meet(module.unit, module.manners))
            self._modules[name] = reached
            self._known[name] = await greet(member, reached.station, module, self._named(name))
        self._watches = watches = {name: Watch(self._table, name) for name in self._modules}
        for name, watch in watches.items():
            first = [await self._modules[name].ask(read) for read in watch.reads]
            self._signs = watch.take(self._signs, tuple(first)).signs
        self._condition = self._signs.condition(
            {signal: signs for one in watches.values() for signal, signs in one.faults.items()}
        )
        for name, watch in watches.items():
            self._watch(name, watch)

    async def close(self) -> None:
        """End everything that was begun, orders when they are done; the buses are their owners'."""
        self.lose(LinkLost("the table was let go"))
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=LAST_ORDERS_SECONDS)
        for task in (left := self._tasks | self._jobs):
            task.cancel()
        if left:
            await asyncio.wait(left)

    def lose(self, cause: LinkLost) -> None:
        """Learn that a line or a module is gone."""
        if self._cause is None:
            self._cause = cause
            self._queue.put_nowait(cause)

    def _watch(self, name: str, watch: Watch) -> None:
        module, reached = self._table.modules[name], self._modules[name]

        def take(exchanges: tuple[Exchange, ...]) -> None:
            self._take(name, watch, exchanges)

        poll = reached.member.poll(reached.station, watch.reads, watch.period, take)
        self._polls[name] = poll
        if fed := feeding(module.profile, module.layout):
            self._start(self._feed(reached, fed))

    def _take(self, name: str, watch: Watch, exchanges: tuple[Exchange, ...]) -> None:
        if self._cause:
            return
        shown = watch.take(self._signs, exchanges)
        self._signs = shown.signs
        for observed in shown.events:
            if isinstance(observed.event, MachineEvent):
                self._condition = condition.after(self._condition, observed.event)
            self._queue.put_nowait(observed)
        for source in shown.clear:
            if (name, source.name) not in self._clearing:
                self._start(self._clear(name, watch, source))
        if shown.restarted:
            self.lose(LinkLost(f"{self._named(name)} was without power"))
        elif self._modules[name].station.silent:
            answer = exchanges[-1].answer
            reason = "silent" if isinstance(answer, Replied) else answer.reason
            self.lose(LinkLost(f"{self._named(name)}: {reason}"))

    def _start(
        self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]] | None = None
    ) -> None:
        tasks = self._tasks if among is None else among
        task = asyncio.get_running_loop().create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _carry(self, job: Job, answered: "asyncio.Future[Answer]", halt: Halt) -> None:
        answer = Answer(Outcome.UNCERTAIN, "the table was let go")
        try:
            answers = [
                await carry_out(self._modules[name], steps, halt) for name, steps in job.steps
            ]
            worse = (one for one in answers if one.outcome is not Outcome.DONE)
            answer = next(worse, Answer(Outcome.DONE))
        except LinkLost as cause:
            if not answered.done():
                answered.set_exception(cause)
        finally:
            self._orders = over(self._orders, job, self._now(), answer.outcome)
            if not answered.done():
                answered.set_result(answer)

    async def _clear(self, name: str, watch: Watch, source: EdgeSource) -> None:
        write = clearing(source)
        if write is None:
            return
        self._clearing.add((name, source.name))
        try:
            exchange = await self._modules[name].ask(write)
            if isinstance(exchange.answer, Replied):
                watch.cleared(source, exchange.window)
        except LinkLost as cause:
            self.lose(cause)
        finally:
            self._clearing.discard((name, source.name))

    async def _feed(self, reached: Reached, fed: Feeding) -> None:
        try:
            while True:
                await reached.ask(fed.write)
                await asyncio.sleep(fed.every.total_seconds())
        except LinkLost as cause:
            self.lose(cause)

    def _named(self, name: str) -> str:
        module = self._table.modules[name]
        return f"module {name} (unit {module.unit} on {module.bus.line.name})"
