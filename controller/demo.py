"""The whole product on one machine: broker, simulated tables, daemon and board as processes."""

import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.demo_broker import BrokerKind, DemoBroker, demo_broker
from controller.processes import Program, ours, program

VENUE = "demo"
HABITS = "brooding,late,hasty,wavering"
"""Players who soon show a referee an overrun, a late pung, an early draw and an empty call."""
_SETTINGS = """[node]
id = "demo-node"
venue = "{venue}"
venue_name = "Demonstration"
state_directory = "{folder}"
keeps_venue = true

[broker]
host = "{broker.host}"
port = {broker.port}

[event]
ruleset = "{wishes.rules}"
chief_referees = ["Referee B"]

[board]
port = {wishes.port}
people = ["Referee A", "Referee B", "Floor staff"]
"""
_TABLE = """
[tables.{table}]
wire = "serial-link"
port = "{folder}/{table}"
name = "Table {number}"
"""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the demonstration is to show."""

    tables: int = 3
    port: int = 8080
    seed: int = 1
    broker: BrokerKind | None = None
    """The first that is installed, if None."""
    script: Path | None = None
    """Played at the first table instead of players with habits."""
    rules: str = "mcr-2014"
    """The rule set of the event."""

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the tables."""
        return tuple(f"t{number}" for number in range(1, self.tables + 1))


@dataclass(frozen=True, slots=True)
class Venue:
    """A demonstration that runs."""

    folder: Path
    broker: DemoBroker
    settings: Path
    programs: tuple[Program, ...]
    address: str
    """Of the board."""


@asynccontextmanager
async def venue(wishes: Wishes) -> AsyncIterator[Venue]:
    """Run a whole venue in a folder of its own as long as the context lasts.

    Raises:
        TablewardenError: a program is missing or does not start.
    """
    with tempfile.TemporaryDirectory(prefix="tablewarden-") as name:
        folder = Path(name)
        async with demo_broker(folder, wishes.broker) as broker:
            settings = write_settings(folder, broker, wishes)
            config = ("--config", str(settings))
            async with (
                program("simulator", ours("simulator", *_simulated(folder, wishes))) as tables,
                program("daemon", ours("controller", "run", *config)) as daemon,
                program("board", ours("board", *config)) as board,
            ):
                await tables.line_with("ready")
                address = (await board.line_with("board http")).removeprefix("board ")
                yield Venue(folder, broker, settings, (tables, daemon, board), address)


def write_settings(folder: Path, broker: DemoBroker, wishes: Wishes) -> Path:
    """Write the settings that daemon and board are started with."""
    text = _SETTINGS.format(venue=VENUE, folder=folder, broker=broker, wishes=wishes)
    for number, table in enumerate(wishes.names, start=1):
        text += _TABLE.format(table=table, folder=folder, number=number)
    settings = folder / "tablewarden.toml"
    settings.write_text(text, encoding="utf-8")
    return settings


def _simulated(folder: Path, wishes: Wishes) -> Sequence[str]:
    tables = [word for table in wishes.names for word in ("--table", table)]
    arguments = ["--dir", str(folder), "--seed", str(wishes.seed), *tables]
    arguments += ["--habits", HABITS]
    if wishes.script is None:
        arguments.append("--draws")
    else:
        arguments += ["--script", str(wishes.script), "--scripted", wishes.names[0]]
    return arguments


async def show(wishes: Wishes) -> int:
    """Run the demonstration until Ctrl-C, or until one of its programs ends by itself."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with venue(wishes) as running:
        say(f"{wishes.tables} simulated tables, {running.broker.kind}, daemon and board are up")
        say(f"the event plays by {wishes.rules}")
        say(f"open {running.address} in a browser; Ctrl-C ends everything")
        watchers = [asyncio.create_task(one.drain(), name=one.name) for one in running.programs]
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([*watchers, stopped], return_when=asyncio.FIRST_COMPLETED)
        ended = [watcher.get_name() for watcher in watchers if watcher.done()]
        for task in (*watchers, stopped):
            task.cancel()
        await asyncio.wait([*watchers, stopped])
    if ended:
        say(f"{ended[0]} ended by itself; the demonstration is over")
        return 1
    say("all programs have ended")
    return 0


def say(sentence: str) -> None:
    """Print a line at once."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()
