"""`python parted_table.py FOLDER TABLE SCRIPT SPEED`: a simulated table that plays part by part.

Empty lines part the script. The first part is played as soon as a daemon follows the table, each
later one when SIGUSR1 comes, from its own first whole second on; so play waits for people.
"""

import asyncio
import signal
import sys
from bisect import bisect
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from random import Random
from secrets import randbelow

from simulator.box import EVERYTHING_BUT_DRAWS_AND_DICE, Model
from simulator.clock import ScaledClock
from simulator.deeds import Deed
from simulator.link_times import LinkTimes
from simulator.live_table import LiveTable
from simulator.machine import Machine
from simulator.plays import WrittenHand
from simulator.simulated_table import Kit, SimulatedTable
from table.events import TableEvent
from table.happening import ScriptLine
from table.moment import Moment
from table.script import read_script

SECOND = timedelta(seconds=1)


class PartedHand:
    """The parts of a written hand, each played when it is asked for."""

    def __init__(self, parts: Iterable[tuple[ScriptLine, ...]]) -> None:
        self._parts = iter(parts)
        self._playing: list[WrittenHand] = []

    def begin(self, now: Moment) -> None:
        """Play the first part."""
        self.play_on(now)

    def play_on(self, now: Moment) -> None:
        """Play the next part, beside what is left of those before."""
        hand = WrittenHand(next(self._parts))
        hand.begin(now)
        self._playing.append(hand)

    def wake_at(self) -> Moment | None:
        """Say when the next deed is done, None where play waits."""
        return min(self._due(), key=lambda due: due[0])[0] if self._due() else None

    def next_deed(self) -> Deed:
        """Hand over the deed that `wake_at` announced."""
        return min(self._due(), key=lambda due: due[0])[1].next_deed()

    def notice(self, event: TableEvent, at: Moment) -> None:
        """Play on, whatever the machine does."""

    def _due(self) -> list[tuple[Moment, WrittenHand]]:
        return [(at, hand) for hand in self._playing if (at := hand.wake_at()) is not None]


def parts_of(text: str) -> list[tuple[ScriptLine, ...]]:
    """Return the parts of a written hand, each counted from its own first whole second."""
    empty = [number for number, line in enumerate(text.splitlines(), start=1) if not line.strip()]
    parts = groupby(read_script(text), key=lambda line: bisect(empty, line.number))
    return [_counted_anew(tuple(lines)) for _, lines in parts]


def _counted_anew(lines: tuple[ScriptLine, ...]) -> tuple[ScriptLine, ...]:
    start = lines[0].at // SECOND * SECOND
    return tuple(replace(line, at=line.at - start) for line in lines)


async def _play(folder: Path, name: str, script: Path, speed: Fraction) -> None:
    loop, ended, clock = asyncio.get_running_loop(), asyncio.Event(), ScaledClock(speed)
    hand = PartedHand(parts_of(script.read_text(encoding="utf-8")))
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    loop.add_signal_handler(signal.SIGUSR1, lambda: hand.play_on(clock.now()))
    model = Model(f"SIM-{name}", EVERYTHING_BUT_DRAWS_AND_DICE)
    kit = Kit(model, lambda: randbelow(2**32 - 1) + 1, LinkTimes.at(speed))
    machine = Machine(Random(name), jam_percent=0)
    table = LiveTable(name, SimulatedTable(kit, machine, hand, clock.now()), folder, clock)
    table.open()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await ended.wait()
    table.close()


if __name__ == "__main__":
    folder, name, script, speed = sys.argv[1:]
    asyncio.run(_play(Path(folder), name, Path(script), Fraction(speed)))
