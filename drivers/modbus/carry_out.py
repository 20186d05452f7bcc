"""Carries out what a table is ordered, write by write, on the buses of its modules."""

import asyncio
from dataclasses import dataclass

from drivers.modbus.bus import Member
from drivers.modbus.bus_queue import Station
from drivers.modbus.greeting import part_of
from drivers.modbus.images import Part
from drivers.modbus.master_answers import Exchange
from drivers.modbus.pulse_run import Run
from drivers.modbus.pulse_steps import Steps, took
from drivers.modbus.requests import Request
from drivers.port import Answer, Outcome
from table.errors import LinkLost

AT_ONCE = 3
AGAIN_SECONDS, LONGEST_SECONDS = 0.1, 2.0
"""A write that must end well is tried again so often at once, then after a wait that is doubled
each time: others share the bus."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A module on its bus."""

    member: Member
    station: Station

    async def ask(self, request: Request) -> Exchange:
        """Have a request sent once.

        Raises:
            LinkLost: the line went away before.
        """
        return await self.member.ask(self.station, request)


@dataclass(slots=True)
class Halt:
    """Whether everything was told to stop."""

    told: bool = False


async def carry_out(module: Reached, steps: Steps, halt: Halt) -> Answer:
    """Send the writes of one order; what may have started something goes out once.

    After a halt nothing is started, and what may be on is still switched off.

    Raises:
        LinkLost: the line went away before anything was sent.
    """
    run = Run(steps)
    while step := run.due:
        await asyncio.sleep(run.wait.total_seconds() + _rest(run.tries))
        if halt.told and run.verdict is None:
            run = run.stopped()
            continue
        try:
            exchange = await module.ask(step.write)
        except LinkLost as cause:
            if not run.place and not run.tries:
                raise
            return run.verdict or Answer(Outcome.UNCERTAIN, str(cause))
        run = run.heard(exchange.answer)
        if run.verdict and run.verdict.outcome is Outcome.UNCERTAIN and step.starts:
            run = await _looked(module, run)
    return run.answer


def _rest(tries: int) -> float:
    if tries <= AT_ONCE:
        return 0
    doubled: float = AGAIN_SECONDS * 2 ** min(tries - AT_ONCE, 8)
    return min(doubled, LONGEST_SECONDS)


async def _looked(module: Reached, run: Run) -> Run:
    """See whether a pulse took of which no answer tells, while it lasts."""
    if run.steps.proof is None:
        return run
    try:
        part = part_of(await module.ask(run.steps.proof))
    except LinkLost:
        return run
    return run.seen_on() if isinstance(part, Part) and took(run.steps, part) else run
