"""A cable to a box on which bytes come to harm, both ways; what leaves first arrives first."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from random import Random
from typing import TypeAlias

from simulator.habits import Span, within
from table.moment import MICROSECOND, ZERO, Moment


class CableHarm(StrEnum):
    """What can befall bytes that leave together; at most one of them does."""

    LOST = "lost"
    BYTES_LOST = "bytes-lost"
    DELAYED = "delayed"
    LATE = "late"
    """So late that whoever waits has given up, or asked again."""
    TWICE = "twice"
    BIT_FLIPPED = "bit-flipped"


_WAITS: Mapping[CableHarm, Span] = {
    CableHarm.DELAYED: (20, 150),
    CableHarm.LATE: (300, 1_500),
}
_JITTER: Span = (0, 4)
_LONG_AGO = Moment(0)
Parcel: TypeAlias = tuple[Moment, bytes]


@dataclass
class Way:
    """One direction.

    Attributes:
        percent: how often each harm befalls; nothing does, and nothing wanders, while it is empty.
        mute_until: everything is lost before.
    """

    random: Random
    percent: Mapping[CableHarm, int]
    befell: Counter[str] = field(default_factory=Counter)
    mute_until: Moment = _LONG_AGO
    _last: Moment = _LONG_AGO

    def carry(self, chunk: bytes, now: Moment) -> list[Parcel]:
        """Return what arrives, and when."""
        harm = self._lot()
        if harm:
            self.befell[harm] += 1
        if now < self.mute_until or harm is CableHarm.LOST:
            return []
        span = _WAITS.get(harm) if harm else None
        wait = within(self.random, span) if span else ZERO
        self._last = max(self._last + MICROSECOND, now + wait + self._wandering())
        arriving = self._spoilt(chunk, harm)
        return [(self._last, arriving)] * (2 if harm is CableHarm.TWICE else 1)

    def _spoilt(self, chunk: bytes, harm: CableHarm | None) -> bytes:
        place = self.random.randrange(len(chunk))
        match harm:
            case CableHarm.BIT_FLIPPED:
                flipped = chunk[place] ^ 1 << self.random.randrange(8)
                return chunk[:place] + bytes([flipped]) + chunk[place + 1 :]
            case CableHarm.BYTES_LOST:
                return chunk[:place] + chunk[place + self.random.randint(1, len(chunk)) :]
            case _:
                return chunk

    def _wandering(self) -> timedelta:
        return within(self.random, _JITTER) if self.percent else ZERO

    def _lot(self) -> CableHarm | None:
        drawn = self.random.randrange(100)
        for harm, percent in self.percent.items():
            drawn -= percent
            if drawn < 0:
                return harm
        return None
