"""`tablewarden wire`: what is said on a line, frame by frame, in words.

A line that is free is opened: a box is asked who it is and listened to, modules are asked for
samples; nothing is written and nothing moves. A line that the daemon has open is left to it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from config.models import Settings
from controller.clock import Clock
from controller.table_drivers import frames_file
from controller.wired_lines import WiredLines, wired_lines
from drivers.adapter import SYSTEM, Places
from drivers.modbus import look as modbus_look
from drivers.modbus.bus import Bus, Member
from drivers.modbus.fitted import Fitted
from drivers.modbus.words import words_of
from drivers.port_holder import holder_of
from drivers.recorder import SENT, Noted, Recorder, Words
from drivers.table_link import look as link_look
from drivers.table_link.words import words
from table.errors import LinkUnavailable, SettingsError
from table.moment import Moment

Say = Callable[[str], None]


class Shown(Recorder):
    """Says every frame as soon as the next one begins, with the time of day."""

    def __init__(self, line: str, words: Words, clock: Clock, say: Say) -> None:
        super().__init__(line, words)
        self._meaning = words
        self._utc, self._started, self._say = clock.utc(), clock.now(), say
        self._since_sent: list[Noted] = []

    def note(self, way: str, now: Moment, what: object) -> None:
        """Take a frame; an answer may still grow."""
        self.flush()
        if way == SENT:
            self._since_sent = []
        self._since_sent = [*self._since_sent[:1], Noted(way, now, what)]

    def flush(self) -> None:
        """Say the newest frame."""
        if self._since_sent:
            newest = self._since_sent[-1]
            *_, said = self._meaning(self._since_sent)
            at = (self._utc + (newest.at - self._started)).astimezone()
            self._say(f"{at:%H:%M:%S}.{at.microsecond // 1000:03} {newest.way} {said}")


@dataclass(frozen=True, slots=True)
class Wires:
    """The lines of a node, to be listened to."""

    settings: Settings
    clock: Clock
    say: Say
    places: Places = SYSTEM

    def show(self, name: str, seconds: float) -> None:
        """Say what is said on the line of a table or bus for so long.

        Raises:
            SettingsError: there is no such line.
            LinkError: the port cannot be opened, or nobody answers.
        """
        lines = wired_lines(self.settings, self.clock.now)
        port = _port(lines, name)
        holder = holder_of(port, self.places)
        if holder and holder.is_daemon:
            served = f"port {port} is served by {holder}, which goes on"
            _kept(self.settings, name, served, self.say)
        else:
            asyncio.run(_live(lines, name, seconds, self.clock, self.say))


def _port(lines: WiredLines, name: str) -> str:
    if name in lines.links:
        return lines.links[name].port
    if name in lines.buses:
        return lines.buses[name].line.url
    known = ", ".join((*lines.links, *lines.buses)) or "none"
    msg = f"{name} is neither a table with a link of its own nor a bus; allowed: {known}"
    raise SettingsError(msg)


def _kept(settings: Settings, name: str, served: str, say: Say) -> None:
    file = frames_file(settings, name)
    try:
        told, at = file.read_text(encoding="utf-8"), file.stat().st_mtime
    except FileNotFoundError:
        say(f"{served}; nothing went wrong on this line yet, so no frames were kept.")
    else:
        when = datetime.fromtimestamp(at, UTC).astimezone()
        say(f"{served}; what was kept when something last went wrong, {when:%Y-%m-%d %H:%M:%S}:")
        say(told.rstrip())
    say("To watch live: sudo systemctl stop tablewarden, the same command, then start it again.")


async def _live(lines: WiredLines, name: str, seconds: float, clock: Clock, say: Say) -> None:
    if name in lines.links:
        link = lines.links[name]
        recorder = Shown(link.port, words, clock, say)
        async with link_look.talking(link.port, link.baudrate, clock.now, recorder) as talk:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await link_look.look(talk, link.expected_serial, clock.now)
                    await asyncio.Event().wait()
        recorder.flush()
    else:
        await _live_bus(lines, lines.buses[name], seconds, clock, say)


async def _live_bus(lines: WiredLines, bus: Bus, seconds: float, clock: Clock, say: Say) -> None:
    recorder = Shown(bus.line.name, words_of(bus.line.frames), clock, say)
    bus.recorder = recorder
    on_bus = modbus_look.modules_on(bus, lines.tables)
    async with bus.joined(lambda _: None) as member:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    for _, fitted, module in on_bus:
                        await _sample(member, fitted, module, say)
                    await asyncio.sleep(1)
    recorder.flush()


async def _sample(member: Member, table: Fitted, module: str, say: Say) -> None:
    """Take samples of a module; one that is silent or another one is told and not the end."""
    try:
        await modbus_look.look(member, table, module)
    except LinkUnavailable as error:
        say(str(error))
