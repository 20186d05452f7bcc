"""What the service manager is told: ready, alive, what is going on, stopping (sd_notify(3))."""

import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta

from controller.clock import Clock
from table.moment import MICROSECOND, Moment


class ServiceManager:
    """Sends datagrams to the socket that systemd names; without one everything is silent.

    Args:
        environ: `NOTIFY_SOCKET` is a path, or a name in the abstract namespace behind `@`;
            `WATCHDOG_USEC` is set where the unit has a watchdog.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        name = environ.get("NOTIFY_SOCKET", "")
        self._address = f"\0{name[1:]}" if name.startswith("@") else name
        micros = environ.get("WATCHDOG_USEC", "")
        self.watchdog_interval = int(micros) * MICROSECOND if micros.isdigit() else None
        """The service is killed when it says nothing for so long; None without a watchdog."""

    def ready(self) -> None:
        """Say that start-up is done."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """Say that the service is going down on its own account."""
        self._tell("STOPPING=1")

    def status(self, sentence: str) -> None:
        """Say in one line what is going on; `systemctl status` shows it."""
        self._tell(f"STATUS={' '.join(sentence.split())}")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._tell("WATCHDOG=1")

    def _tell(self, assignment: str) -> None:
        if not self._address:
            return
        with (
            suppress(OSError),  # a manager that went away is no reason to stop a table
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as line,
        ):
            line.sendto(assignment.encode(), self._address)


class Watchdog:
    """Feeds the service manager only while every part of the daemon moves.

    A part is a table loop or the journal's writer; an idle one says so too. One part that stands
    still for half the interval stops the feeding, and the service manager restarts the daemon.

    Args:
        clock: tells how long a part has been still; the machine's own, never a scaled one.
        manager: who is fed.
        parts: names of the parts that must move from now on.
    """

    def __init__(self, clock: Clock, manager: ServiceManager, parts: Iterable[str]) -> None:
        self._clock = clock
        self._manager = manager
        self._moved: dict[str, Moment] = {}
        for part in parts:
            self.moved(part)

    @property
    def beat(self) -> timedelta | None:
        """How often parts should say that they move and `feed` be called; None: not at all."""
        interval = self._manager.watchdog_interval
        return None if interval is None else interval / 4

    def moved(self, part: str) -> None:
        """Take note that a part has moved; a new name is a part from now on."""
        self._moved[part] = self._clock.now()

    def retire(self, part: str) -> None:
        """Expect nothing more of a part that ended as it should."""
        self._moved.pop(part, None)

    def still(self) -> list[str]:
        """Name the parts that have not moved within half the interval."""
        interval = self._manager.watchdog_interval
        if interval is None:
            return []
        now = self._clock.now()
        return [part for part, moment in self._moved.items() if now - moment > interval / 2]

    def feed(self) -> list[str]:
        """Feed the service manager, unless parts stand still: those are returned."""
        still = self.still()
        if not still:
            self._manager.alive()
        return still
