"""A look at the modules of a bus that serves nobody: who they are, how fast; nothing is written."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from drivers.modbus.bus import Member
from drivers.modbus.fitted import Fitted
from drivers.modbus.greeting import recognise
from drivers.modbus.identity import ModuleIdentity, health_reads
from drivers.modbus.master_answers import Replied
from drivers.modbus.watch import Watch
from table.errors import LinkUnavailable

_TIMES = 5


@dataclass(frozen=True, slots=True)
class SeenModule:
    """What a look shows."""

    identity: ModuleIdentity
    sample_takes: timedelta
    """Shortest time of one sample of its inputs, from the first question to the last answer."""


async def look(member: Member, table: Fitted, name: str) -> SeenModule:
    """Ask a module who it is, and take a few samples.

    Raises:
        LinkUnavailable: it is silent, or another one.
        LinkLost: the line went away.
    """
    module = table.modules[name]
    station = member.meet(module.unit, module.manners)
    named = f"module {name} (unit {module.unit} on {module.bus.line.name})"
    identity = await recognise(member, station, module, named)
    reads = Watch(table, name).reads or health_reads(module.profile, module.layout)
    took, clock = [], asyncio.get_running_loop()
    for _ in range(_TIMES):
        began = clock.time()  # the window of an answer after silence begins with an older question
        sample = [await member.ask(station, read) for read in reads]
        if all(isinstance(one.answer, Replied) for one in sample):
            took.append(timedelta(seconds=clock.time() - began))
    if len(took) <= _TIMES // 2:
        msg = f"{named} leaves most questions unanswered"
        raise LinkUnavailable(msg)
    return SeenModule(identity, min(took))


def modules_on(bus: object, tables: Mapping[str, Fitted]) -> list[tuple[str, Fitted, str]]:
    """Return every module of a bus: its table's id, the table, its name there."""
    return [
        (table, fitted, name)
        for table, fitted in tables.items()
        for name, module in fitted.modules.items()
        if module.bus is bus
    ]
