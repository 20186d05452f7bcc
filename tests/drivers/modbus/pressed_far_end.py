"""The far end of the presses: simulated tables on real ports, in a process of their own.

Says on its output where the ports are, begins at a line on its input, says the truth when all is
pressed, and stays until the next line; what it says are lines of JSON. Moments are those of the
machine's monotonic clock.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from random import Random

from simulator.clock import ScaledClock
from simulator.modbus_kits import KITS
from simulator.modbus_live import LiveModules
from simulator.modbus_table import ModuleTable
from table.moment import MICROSECOND, Moment
from tests.drivers.modbus.pressed_kits import (
    Pressed,
    Waiting,
    pressed_by_lot,
    pressed_table,
    truth_of,
)

CLOCK = ScaledClock()
BEGINS_AFTER = timedelta(milliseconds=200)
LINGERS_SECONDS = 1.0
Spoken = dict[str, list[list[tuple[int, str, int, int]]]]


def spoken(truths: Sequence[list[Pressed]]) -> Spoken:
    """Return the truth as JSON can hold it."""
    return {
        "truth": [[_numbers(press) for press in truth] for truth in truths],
    }


def understood(said: Spoken) -> list[list[Pressed]]:
    """Return the truth; undoes `spoken`."""
    return [
        [
            Pressed((seat, what), Moment(at), timedelta(microseconds=lasts))
            for seat, what, at, lasts in truth
        ]
        for truth in said["truth"]
    ]


def _numbers(press: Pressed) -> tuple[int, str, int, int]:
    return (*press.button, press.at.micros, press.lasts // MICROSECOND)


async def press_all(kit: str, tables: int, presses: int, seed: int, folder: Path) -> None:
    """Serve tables of a kit until everything was pressed."""
    plays = [
        Waiting(pressed_by_lot(Random(f"{kit} {seed} {place}"), kit, presses))
        for place in range(tables)
    ]
    simulated = [pressed_table(kit, play) for play in plays]
    with ExitStack() as stack:
        places = [
            list(_opened(stack, f"t{place}", kit, table, folder).places.values())
            for place, table in enumerate(simulated)
        ]
        _say({"ports": places})
        await _told()
        for play in plays:
            play.begin_now(CLOCK.now() + BEGINS_AFTER)
        lasts = max(play.lasts for play in plays) + BEGINS_AFTER
        await asyncio.sleep(lasts.total_seconds() + LINGERS_SECONDS)
        _say(spoken([truth_of(table) for table in simulated]))
        await _told()


def _opened(stack: ExitStack, name: str, kit: str, table: ModuleTable, folder: Path) -> LiveModules:
    live = LiveModules(name, table, KITS[kit].wires[0], folder, CLOCK)
    stack.callback(live.close)
    live.open()
    return live


def _say(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


async def _told() -> None:
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


if __name__ == "__main__":
    kit_, tables_, presses_, seed_, folder_ = sys.argv[1:]
    asyncio.run(press_all(kit_, int(tables_), int(presses_), int(seed_), Path(folder_)))
