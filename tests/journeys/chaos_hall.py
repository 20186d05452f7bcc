"""A hall under fire: broker with logins and rights, tables, daemon, two archives, and mishaps."""

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.processes import Program, ours, program
from mqtt.access import Role, mosquitto_acl
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys import chaos_comparer, chaos_probe, chaos_subscriber
from tests.journeys.chaos_plan import Kind, Mishap
from tests.journeys.gate import Gate, gate
from tests.journeys.hall import Hall, hall_in, killed
from tests.journeys.scoreboard import ROOT

SPEED = 10
"""So many times as fast as real time is played."""
TABLES = 3
QUEUE = 25
"""Messages that wait at the broker for somebody who is away or slow; the next are dropped."""
LAST_BYTES = 200_000
"""The newest event of every table is among so many bytes at the end of an archive."""
NODE = "node-1"
FOLLOWERS = {"scoreboard": "everyone", "archivist": "officials"}
LOGINS = {
    NODE: Role.NODE,
    "referee": Role.REFEREE,
    "board": Role.BOARD,
    "scoreboard": Role.SCOREBOARD,
    "archivist": Role.REFEREE,
    chaos_comparer.LOGIN: Role.REFEREE,
    chaos_probe.LOGIN: Role.REFEREE,
}
_LINES = """allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl
max_queued_messages {queue}
"""
_RIGHTS = {Kind.UNTOLD: (NODE, "topic write"), Kind.UNHEARD: ("scoreboard", "topic read")}


@dataclass(frozen=True)
class Archived:
    """An event as an archive wrote it down."""

    how: str
    at: float
    event: dict[str, Any]


@dataclass
class Archive:
    """The independent subscriber, which runs as a process of its own."""

    login: str
    file: Path
    running: Program
    counted: dict[str, Any] = field(default_factory=dict)
    """What it said of itself when it ended."""

    def lines(self) -> list[Archived]:
        return list(_archived(self.file.read_bytes()))

    def reached(self) -> dict[str, int]:
        """Return the newest event of each table, by what was written last."""
        with self.file.open("rb") as file:
            file.seek(max(0, self.file.stat().st_size - LAST_BYTES))
            newest = _archived(file.read())
        return {line.event["subject"]: line.event["tableseq"] for line in newest}

    def tell(self, number: signal.Signals) -> None:
        self.running.process.send_signal(number)

    async def end(self) -> None:
        """Have it say what it counted."""
        self.tell(signal.SIGTERM)
        said = await self.running.line_with("live")
        self.counted = json.loads(said)


def _archived(text: bytes) -> Iterator[Archived]:
    """Iterate over the whole lines of a part of an archive."""
    for line in text[: text.rfind(b"\n") + 1].splitlines():
        with suppress(json.JSONDecodeError):
            yield Archived(**json.loads(line))


class Daemon:
    """The daemon, to be killed and started again."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._stack = AsyncExitStack()
        self._running: Program | None = None

    async def start(self) -> None:
        running = program("daemon", self._hall.daemon())
        self._running = await self._stack.enter_async_context(running)

    async def kill(self) -> None:
        if self._running is not None:
            await killed(self._running)
        await self._stack.aclose()

    async def end(self) -> None:
        await self._stack.aclose()


@dataclass
class Field:
    """Everything that mishaps can befall."""

    hall: Hall
    way: Gate
    daemon: Daemon
    archives: dict[str, Archive]
    taken: set[Kind] = field(default_factory=set)
    """Rights that are taken away now."""

    @property
    def broker(self) -> Mosquitto:
        return self.hall.broker

    async def befall(self, mishap: Mishap) -> None:
        """Let a mishap begin and end, each at its time."""
        await asyncio.sleep(mishap.after)
        await self._begin(mishap)
        await asyncio.sleep(mishap.lasts)
        await self._end(mishap)

    async def _begin(self, mishap: Mishap) -> None:
        archive = self.archives[mishap.whom]
        match mishap.kind:
            case Kind.TERM:
                await asyncio.to_thread(self.broker.stop)
            case Kind.KILL:
                self.broker.kill()
            case Kind.STOP:
                self.broker.freeze()
            case Kind.RESET:
                self.way.reset()
            case Kind.UNTOLD | Kind.UNHEARD:
                self._give({*self.taken, mishap.kind})
            case Kind.SLOW:
                archive.tell(signal.SIGUSR1)
            case Kind.FULL:
                archive.tell(signal.SIGSTOP)
            case Kind.DAEMON:
                await self.daemon.kill()

    async def _end(self, mishap: Mishap) -> None:
        archive = self.archives[mishap.whom]
        match mishap.kind:
            case Kind.TERM | Kind.KILL:
                await asyncio.to_thread(self.broker.start)
            case Kind.STOP:
                self.broker.thaw()
            case Kind.RESET:
                pass
            case Kind.UNTOLD | Kind.UNHEARD:
                self._give(self.taken - {mishap.kind})
            case Kind.SLOW:
                archive.tell(signal.SIGUSR1)
            case Kind.FULL:
                archive.tell(signal.SIGCONT)
            case Kind.DAEMON:
                await self.daemon.start()

    def _give(self, taken: set[Kind]) -> None:
        self.taken = taken
        rights(self.broker.directory, taken)
        self.broker.reload()


def rights(folder: Path, taken: set[Kind]) -> None:
    """Write the access list without what is taken away."""
    lines = []
    user = ""
    for line in mosquitto_acl(ROOT, LOGINS, keeper=NODE).splitlines():
        user = line.removeprefix("user ") if line.startswith("user ") else user
        cut = ((whose, what) for whose, what in map(_RIGHTS.__getitem__, taken) if whose == user)
        if not any(line.startswith(what) and "/event/" in line for _, what in cut):
            lines.append(line)
    (folder / "acl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _logins(folder: Path) -> None:
    """Write the passwords, each the login itself, and the file that the node reads its own from."""
    passwords = folder / "passwords"
    passwords.write_text("".join(f"{login}:{login}\n" for login in LOGINS), encoding="utf-8")
    tool = shutil.which("mosquitto_passwd")
    assert tool, "mosquitto_passwd is not installed: apt install mosquitto"
    subprocess.run([tool, "-U", passwords], check=True)
    secret = folder / "node.password"
    secret.write_text(NODE, encoding="utf-8")
    secret.chmod(0o600)


@asynccontextmanager
async def field_in(folder: Path, *, keeping: bool) -> AsyncIterator[Field]:
    """Open a hall in play in which nothing has happened yet.

    Args:
        folder: of all its files.
        keeping: whether the broker keeps its messages on disk.
    """
    _logins(folder)
    rights(folder, set())
    lines = _LINES.format(folder=folder, queue=QUEUE)
    with mosquitto(folder, lines, keeping=keeping) as broker:
        async with AsyncExitStack() as opened:
            way = await opened.enter_async_context(gate(broker.port))
            hall = hall_in(folder, broker, SPEED, way.port, tables=TABLES)
            _log_in(hall)
            archives = {
                login: await opened.enter_async_context(_archive(broker, login))
                for login in FOLLOWERS
            }
            daemon = Daemon(hall)
            opened.push_async_callback(daemon.end)
            yield Field(hall, way, daemon, archives)


def _log_in(hall: Hall) -> None:
    text = hall.settings.read_text(encoding="utf-8")
    login = f'[broker]\nlogin = "{NODE}"\npassword_file = "{hall.folder}/node.password"\n'
    people = text.replace('"Referee A", "Referee B"', '"Person of referee", "Person of board"')
    hall.settings.write_text(people.replace("[broker]\n", login), encoding="utf-8")


@asynccontextmanager
async def _archive(broker: Mosquitto, login: str) -> AsyncIterator[Archive]:
    file = broker.directory / f"{login}.jsonl"
    script = str(Path(chaos_subscriber.__file__))
    words = (str(broker.port), login, FOLLOWERS[login], str(file))
    async with program(login, (sys.executable, script, *words)) as running:
        await running.line_with("following")
        archive = Archive(login, file, running)
        try:
            yield archive
        finally:
            if running.process.returncode is None:
                archive.tell(signal.SIGCONT)


@asynccontextmanager
async def played(hall: Hall, seed: int) -> AsyncIterator[None]:
    """Have people play at every table as long as the context lasts."""
    tables = [word for number in range(1, TABLES + 1) for word in ("--table", f"t{number}")]
    words = ("--dir", str(hall.folder), *tables, "--speed", str(SPEED), "--seed", str(seed))
    habits = ("--habits", "hesitant,late,quick,forgetful", "--draws")
    async with program("simulator", ours("simulator", *words, *habits)) as running:
        await running.line_with("ready")
        yield
