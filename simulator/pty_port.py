"""The wire of a simulated table: a pseudo-terminal, reached through a symbolic link."""

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from table.errors import SettingsError

MOST_AT_ONCE = 4096


class PtyPort:
    """A serial port that others open by the path of its link; plugging it out takes the link away.

    Like a real line it keeps nothing for a host that does not listen.
    """

    def __init__(self, link: Path, hear: Callable[[bytes], None]) -> None:
        self._link = link
        self._hear = hear
        self._ends: tuple[int, int] | None = None

    @property
    def plugged_in(self) -> bool:
        """Whether a host can open the port."""
        return self._ends is not None

    def plug_in(self) -> None:
        """Open the port and make its link.

        Raises:
            SettingsError: something else stands at the path of the link.
        """
        if self._link.exists() and not self._link.is_symlink():
            message = f"{self._link} is in the way: the port of a simulated table is a link"
            raise SettingsError(message)
        # Our own hold on the far end keeps the port alive while no host has it open.
        near, far = os.openpty()
        tty.setraw(far)
        os.set_blocking(near, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(far))
        self._ends = near, far
        asyncio.get_running_loop().add_reader(near, self._read, near)

    def send(self, data: bytes) -> None:
        """Send to whoever listens; what does not fit is lost, as on a line nobody reads."""
        if self._ends and data:
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def plug_out(self) -> None:
        """Take the link away and hang up."""
        if self._ends is None:
            return
        asyncio.get_running_loop().remove_reader(self._ends[0])
        self._link.unlink(missing_ok=True)
        for end in self._ends:
            os.close(end)
        self._ends = None

    def _read(self, near: int) -> None:
        with suppress(BlockingIOError):
            self._hear(os.read(near, MOST_AT_ONCE))
