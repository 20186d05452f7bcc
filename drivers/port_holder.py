"""Which process has a serial port open, as far as the system tells this user."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from drivers.adapter import SYSTEM, Places

_PROCESS, _PLACE = 4, 5
"""Columns of a line of /proc/locks (proc_locks(5))."""

_PSEUDO_TERMINALS = "pts"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a port open."""

    process: int
    words: tuple[str, ...] = ()
    """Its command line, as far as it can be read."""

    @property
    def is_daemon(self) -> bool:
        """Whether it serves the tables of a node."""
        named = [Path(word).name for word in self.words]
        return "run" in named and bool({"tablewarden", "controller"} & set(named))

    @property
    def is_self(self) -> bool:
        """Whether it is this very process."""
        return self.process == os.getpid()

    def __str__(self) -> str:
        if self.is_daemon:
            return f"process {self.process} (tablewarden run)"
        known = f" ({Path(self.words[0]).name})" if self.words and self.words[0] else ""
        return f"process {self.process}{known}"


def holder_of(port: str, places: Places = SYSTEM) -> Holder | None:
    """Return who has a port open: whoever has locked it, else the first who is seen with it.

    It looks at every process, which takes a while. Of other users' processes only locks are seen,
    and from within a sandbox nothing.
    """
    try:
        device = Path(port).resolve(strict=True)
        found = device.stat()
    except OSError:
        return None
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    process = next(_lockers(places, place), None)
    if process is None and device.parent.name != _PSEUDO_TERMINALS:  # their makers hold them open
        process = next(_openers(places, device), None)
    return None if process is None else Holder(process, _words(places, process))


def _lockers(places: Places, place: str) -> Iterator[int]:
    with suppress(OSError):
        for line in (places.processes / "locks").read_text(encoding="ascii").splitlines():
            columns = line.split()
            waits = "->" in columns
            if len(columns) > _PLACE and columns[_PLACE] == place and not waits:
                yield int(columns[_PROCESS])


def _openers(places: Places, device: Path) -> Iterator[int]:
    for folder in places.processes.iterdir() if places.processes.is_dir() else ():
        if folder.name.isdecimal():
            with suppress(OSError):
                if any(one.readlink() == device for one in (folder / "fd").iterdir()):
                    yield int(folder.name)


def _words(places: Places, process: int) -> tuple[str, ...]:
    try:
        told = (places.processes / str(process) / "cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(told.decode(errors="replace").rstrip("\0").split("\0"))
