"""A small hall of real processes: simulated tables, a broker, the daemon and the board."""

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from controller.clock import MonotonicClock
from controller.journal import Boot, Record
from controller.journal_reader import JournalReader, Start
from controller.processes import Program, ours, program
from controller.table_core import Effect
from controller.table_memory import EFFECTS
from table.moment import MICROSECOND, Moment
from tests.harness.broker import Mosquitto, free_port
from tests.journeys import parted_table
from tests.journeys.scoreboard import PATIENCE

_SETTINGS = """[node]
id = "node-1"
venue = "hall"
state_directory = "{folder}"
keeps_venue = true

[broker]
port = {broker}

[event]
ruleset = "mcr-2014"

[board]
port = {board}
people = ["Referee A", "Referee B"]
"""
_TABLE = """
[tables.t{number}]
wire = "serial-link"
port = "{folder}/t{number}"
name = "Table {number}"
"""


def logged(log: Path) -> list[dict[str, Any]]:
    """Return the whole lines of a table's log.

    A command whose answer is late on a busy machine is sent again under its id; it is one command.
    """
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    seen: set[int] = set()
    return [line for line in lines if not _again(line.get("id"), seen)]


def _again(id_: int | None, seen: set[int]) -> bool:
    again = id_ in seen
    if id_ is not None:
        seen.add(id_)
    return again


@dataclass(frozen=True)
class Hall:
    """Where everything of a journey is."""

    folder: Path
    broker: Mosquitto
    board_port: int
    speed: int = 1

    @property
    def settings(self) -> Path:
        return self.folder / "tablewarden.toml"

    @property
    def journal(self) -> JournalReader:
        return JournalReader(self.folder / "journal.sqlite")

    def log(self) -> list[dict[str, Any]]:
        """Return what the simulated table wrote down: edges played, commands received."""
        return logged(self.folder / "t1.log.jsonl")

    def simulator(self, script: Path) -> tuple[str, ...]:
        play = ("--script", str(script), "--scripted", "t1", "--speed", str(self.speed))
        return ours("simulator", "--dir", str(self.folder), "--table", "t1", *play)

    @asynccontextmanager
    async def parted(self, table: str, script: Path) -> AsyncIterator[Callable[[], None]]:
        """Run a table whose play waits at each empty line until what is yielded is called."""
        command = (sys.executable, str(parted_table.__file__), str(self.folder), table)
        async with program(table, (*command, str(script), str(self.speed))) as running:
            await running.line_with("ready")
            yield partial(running.process.send_signal, signal.SIGUSR1)

    def daemon(self) -> tuple[str, ...]:
        speed = ("--speed", str(self.speed))
        return ours("controller", "run", "--config", str(self.settings), *speed)

    def board(self) -> tuple[str, ...]:
        return ours("board", "--config", str(self.settings))

    def plays_by(self, ruleset: str) -> None:
        """Choose another rule set than mcr-2014, before anything runs."""
        text = self.settings.read_text(encoding="utf-8")
        self.settings.write_text(text.replace('"mcr-2014"', f'"{ruleset}"'), encoding="utf-8")

    def effects(self, table: str = "t1") -> Iterator[tuple[Record, Effect]]:
        """Iterate over everything that followed at a table, as the journal has it."""
        for record in self.journal.records(table):
            for effect in EFFECTS.decode(record.effects, "journal"):
                yield record, effect

    def boots(self) -> dict[int, Boot]:
        """Return every start of the daemon, by session."""
        return {link.session: link.boot for link in self.journal.links() if isinstance(link, Start)}


def hall_in(
    folder: Path, broker: Mosquitto, speed: int = 1, door: int = 0, *, tables: int = 1
) -> Hall:
    """Write the settings of a hall that plays by mcr-2014.

    Args:
        folder: of all its files.
        broker: everybody's.
        speed: so many times as fast as real time.
        door: port on which daemon and board reach the broker, if it is not the broker's own.
        tables: how many, from t1 on.
    """
    hall = Hall(folder, broker, free_port(), speed)
    text = _SETTINGS.format(folder=folder, broker=door or broker.port, board=hall.board_port)
    for number in range(1, tables + 1):
        text += _TABLE.format(folder=folder, number=number)
    hall.settings.write_text(text, encoding="utf-8")
    return hall


@dataclass(frozen=True)
class Play:
    """A script that is being played, and how its time and ours belong together."""

    hall: Hall
    zero: int
    """Second 0 of the script, by the clock of the simulated table, in µs."""

    def now(self) -> int:
        """Return the present moment of the script in µs."""
        return self.at(MonotonicClock().now())

    def at(self, moment: Moment) -> int:
        """Return what moment of the script a moment of the machine's clock was, in µs."""
        return moment.micros * self.hall.speed - self.zero

    async def reach(self, script_us: int) -> None:
        """Wait for a moment of the script."""
        await MonotonicClock().sleep_until(Moment((script_us + self.zero) // self.hall.speed))

    def recorded(self, record: Record, boot: Boot) -> int:
        """Return at what moment of the script a record was made, in µs."""
        since = (record.moment - boot.moment) // MICROSECOND // self.hall.speed
        return self.at(Moment(boot.moment.micros + since))

    def ended(self) -> bool:
        """Say whether the last line was played."""
        return any(line.get("script") == "ended" for line in self.hall.log())


async def begun(hall: Hall) -> Play:
    """Wait until the table plays its script."""

    def starts() -> list[int]:
        return [line["device_us"] for line in hall.log() if line.get("script") == "started"]

    await until(starts)
    # Lines are written a little after their moment; the quickest one shows how the clocks differ.
    apart = min(line["monotonic_us"] - line["device_us"] for line in hall.log())
    return Play(hall, apart + starts()[0])


async def until(met: Callable[[], object], beat: float = 0.05) -> None:
    """Wait for a condition that nobody announces."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if met():
                return
            await asyncio.sleep(beat)


async def killed(running: Program) -> None:
    """End a program without a word to anybody."""
    running.process.send_signal(signal.SIGKILL)
    await running.drain()


def gaps(numbers: Iterable[int]) -> list[int]:
    """Return the numbers that are missing between the first and the last."""
    seen = sorted(numbers)
    return sorted(set(range(seen[0], seen[-1])) - set(seen)) if seen else []


def digits(text: str) -> list[str]:
    """Return the numbers of a sentence as they are written."""
    return re.findall(r"\d+(?:\.\d+)?", text)
