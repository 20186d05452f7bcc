"""A wire between a simulated table and the daemon on which frames come to harm."""

import asyncio
import os
import tty
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import Enum, auto
from itertools import cycle
from pathlib import Path
from random import Random

from drivers.table_link.codes import Kind
from drivers.table_link.frames import Deframer, Frame, encode, stuff, unstuff

MOST_AT_ONCE = 4096
SOUND = 2, 5
"""So many frames in a row stay whole between two that do not."""
_WITH_BOOT = {Kind.EDGE, Kind.MACHINE, Kind.STATE, Kind.HEARTBEAT}
_BOOT_BYTES = 4


class Mishap(Enum):
    """What befalls a frame."""

    FLIPPED_BITS = auto()
    CUT = auto()
    DOUBLED = auto()
    SWAPPED = auto()
    """It comes behind the next one."""
    WRONG_CHECK = auto()
    OLD_BOOT = auto()
    """It names a boot that was before; sound in everything else."""


class _Way:
    """One direction of the wire."""

    def __init__(self, random: Random, mishaps: Iterator[Mishap]) -> None:
        self._random = random
        self._mishaps = mishaps
        self._due = next(mishaps)
        self._sound = random.randint(*SOUND)
        self._rest = b""
        self._behind = b""
        self.harmed: Counter[Mishap] = Counter()

    def carry(self, chunk: bytes) -> bytes:
        """Return what of the bytes comes out at the other end."""
        *pieces, self._rest = (self._rest + chunk).split(b"\0")
        return b"".join(self._pass(piece + b"\0") for piece in pieces)

    def _pass(self, whole: bytes) -> bytes:
        behind, self._behind = self._behind, b""
        if self._sound > 0 or whole == b"\0" or not _can(self._due, whole):
            self._sound -= 1
            return whole + behind
        mishap, self._due = self._due, next(self._mishaps)
        self._sound = self._random.randint(*SOUND)
        self.harmed[mishap] += 1
        return self._harm(mishap, whole) + behind

    def _harm(self, mishap: Mishap, whole: bytes) -> bytes:
        match mishap:
            case Mishap.FLIPPED_BITS:
                flipped = bytearray(whole)
                for _ in range(self._random.randint(1, 3)):
                    flipped[self._random.randrange(len(whole))] ^= 1 << self._random.randrange(8)
                return bytes(flipped)
            case Mishap.CUT:
                return whole[: self._random.randrange(1, len(whole))]
            case Mishap.DOUBLED:
                return whole * 2
            case Mishap.SWAPPED:
                self._behind = whole
                return b""
            case Mishap.WRONG_CHECK:
                plain = unstuff(whole[:-1]) or b""
                return stuff(plain[:-1] + bytes([plain[-1] ^ 1 << self._random.randrange(8)]))
            case Mishap.OLD_BOOT:
                frame = _frame(whole)
                boot = self._random.randbytes(_BOOT_BYTES)
                return encode(replace(frame, payload=boot + frame.payload[_BOOT_BYTES:]))


def _can(mishap: Mishap, whole: bytes) -> bool:
    return mishap is not Mishap.OLD_BOOT or _frame(whole).kind in _WITH_BOOT


def _frame(whole: bytes) -> Frame:
    (frame,) = Deframer().feed(whole)
    assert isinstance(frame, Frame)
    return frame


class DamagedWire:
    """Takes the place of a simulated table's port and carries its bytes, harming some frames.

    Args:
        link: the path of the port; from now on it leads here.
        seed: of what happens when.
    """

    def __init__(self, link: Path, seed: int) -> None:
        self._box = os.open(link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        link.unlink()
        link.symlink_to(os.ttyname(self._far))
        random = Random(seed)
        to_box = [mishap for mishap in Mishap if mishap is not Mishap.OLD_BOOT]
        self.to_host = _Way(random, cycle(Mishap))
        self.to_box = _Way(random, cycle(to_box))
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._box, self._carry, self._box, self._near, self.to_host.carry)
        self._loop.add_reader(self._near, self._carry, self._near, self._box, self.to_box.carry)

    def _carry(self, source: int, target: int, way: Callable[[bytes], bytes]) -> None:
        with suppress(BlockingIOError):
            os.write(target, way(os.read(source, MOST_AT_ONCE)))

    def close(self) -> None:
        """Give everything back; whoever holds an end finds the line gone."""
        self._loop.remove_reader(self._box)
        self._loop.remove_reader(self._near)
        for end in (self._box, self._near, self._far):
            os.close(end)


@contextmanager
def damaged_wire(link: Path, seed: int) -> Iterator[DamagedWire]:
    """Put a damaged wire between a table and the daemon as long as the context lasts."""
    wire = DamagedWire(link, seed)
    try:
        yield wire
    finally:
        wire.close()
