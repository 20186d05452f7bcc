"""What the service manager is told: ready, alive, what is going on, stopping (sd_notify(3))."""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

from table.moment import MICROSECOND, Moment

logger = logging.getLogger(__name__)


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
        now: tells how long a part has been still.
        manager: who is fed; by default the one that the environment names.
    """

    def __init__(self, now: Callable[[], Moment], manager: ServiceManager | None = None) -> None:
        self._now = now
        self._manager = manager or ServiceManager(os.environ)
        self._moved: dict[str, Moment] = {}
        self._told: list[str] = []

    def part(self, name: str) -> Callable[[], None]:
        """Expect a part to move from now on, and return what it calls whenever it does."""

        def moved() -> None:
            self._moved[name] = self._now()

        moved()
        return moved

    def feed(self) -> list[str]:
        """Feed the service manager, unless parts stand still: those are returned."""
        still = self._still()
        if not still:
            self._manager.alive()
        if still and still != self._told:
            logger.error("standing still: %s", ", ".join(still))
        elif self._told and not still:
            logger.info("every part moves again")
        self._told = still
        return still

    async def run(self) -> None:
        """Say that the daemon is ready, feed until cancelled, then say that it stops."""
        interval = self._manager.watchdog_interval
        self._manager.ready()
        try:
            while interval is not None:
                self.feed()
                await asyncio.sleep(interval.total_seconds() / 4)
            await asyncio.Event().wait()
        finally:
            self._manager.stopping()

    def _still(self) -> list[str]:
        interval = self._manager.watchdog_interval
        if interval is None:
            return []
        now = self._now()
        return [part for part, moment in self._moved.items() if now - moment > interval / 2]
