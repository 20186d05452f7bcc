"""A small hall of real processes: simulated tables, a broker, the daemon and the board."""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal_reader import JournalReader
from controller.processes import Program, ours, program
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, Subscription
from mqtt.payloads import EventEnvelope
from mqtt.topics import Root, TopicKind
from tests.harness.broker import Mosquitto, free_port

ROOT = Root("mahjong", "hall")
PATIENCE = 60.0
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

[tables.t1]
wire = "serial-link"
port = "{folder}/t1"
name = "Table 1"
"""


@dataclass(frozen=True)
class Hall:
    """Where everything of a journey is."""

    folder: Path
    broker: Mosquitto
    board_port: int

    @property
    def settings(self) -> Path:
        return self.folder / "tablewarden.toml"

    @property
    def journal(self) -> JournalReader:
        return JournalReader(self.folder / "journal.sqlite")

    def log(self) -> list[dict[str, Any]]:
        """Return what the simulated table wrote down: edges played, commands received."""
        lines = (self.folder / "t1.log.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def simulator(self, script: Path, *more: str) -> tuple[str, ...]:
        play = ("--script", str(script), "--scripted", "t1")
        return ours("simulator", "--dir", str(self.folder), "--table", "t1", *play, *more)

    def daemon(self, *more: str) -> tuple[str, ...]:
        return ours("controller", "run", "--config", str(self.settings), *more)

    def board(self) -> tuple[str, ...]:
        return ours("board", "--config", str(self.settings))


def hall_in(folder: Path, broker: Mosquitto) -> Hall:
    """Write the settings of a hall with one table."""
    hall = Hall(folder, broker, free_port())
    text = _SETTINGS.format(folder=folder, broker=broker.port, board=hall.board_port)
    hall.settings.write_text(text, encoding="utf-8")
    return hall


class Scoreboard:
    """A subscriber of everything, as other people's programs are: keeps what it was told."""

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.events: dict[str, EventEnvelope] = {}
        self._stirred = asyncio.Event()

    def of(self, kind: str) -> list[EventEnvelope]:
        """Return the events of a kind in their order; an event told twice counts once."""
        wanted = f"tablewarden.{kind}"
        return [event for event in self.events.values() if event.type == wanted]

    async def until(self, met: Callable[[], bool], seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while not met():
                self._stirred.clear()
                await self._stirred.wait()

    async def read(self, line: BrokerLine) -> None:
        await line.subscribe(Subscription(f"{ROOT.path}/#"))
        async for delivery in line.deliveries():
            self.deliveries.append(delivery)
            address = ROOT.parse(delivery.topic)
            if address and address.kind is TopicKind.EVENT:
                event = EventEnvelope.model_validate_json(delivery.payload)
                self.events.setdefault(event.id, event)
            self._stirred.set()


@asynccontextmanager
async def scoreboard(broker: Mosquitto) -> AsyncIterator[Scoreboard]:
    """Run a subscriber as long as the context lasts."""
    board = Scoreboard()
    async with connect(broker.line("scoreboard")) as line:
        reading = asyncio.create_task(board.read(line))
        try:
            yield board
        finally:
            reading.cancel()
            await asyncio.wait([reading])


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


__all__ = ["Hall", "Scoreboard", "digits", "gaps", "hall_in", "killed", "program", "scoreboard"]
