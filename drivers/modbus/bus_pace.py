"""What is counted of one device, and how closely a poll really watches it."""

from collections import Counter, deque
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

from drivers.modbus.master_answers import Exchange, Refused, Trouble, Unanswered
from drivers.modbus.windows import Window
from drivers.port import Pace
from table.moment import ZERO

_KEPT = 64
"""Samples that a pace is measured over."""


@dataclass(slots=True)
class Counts:
    """What a device answered since the line was opened."""

    asked: int = 0
    answered: int = 0
    troubles: Counter[Trouble] = field(default_factory=Counter)
    exceptions: Counter[int] = field(default_factory=Counter)
    """Exception replies by code."""

    def note(self, exchange: Exchange) -> None:
        """Take what became of a request."""
        self.asked += 1
        if exchange.troubles:
            self.troubles.update(exchange.troubles)
        match exchange.answer:
            case Unanswered(trouble):
                self.troubles[trouble] += 1
            case Refused(code):
                self.exceptions[code] += 1
            case _:
                self.answered += 1


@dataclass(slots=True)
class Paces:
    """The newest samples of one poll."""

    wanted: timedelta
    _windows: deque[Window] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def note(self, window: Window) -> None:
        """Take the window of a sample."""
        self._windows.append(window)

    @property
    def pace(self) -> Pace:
        """The pace over the newest samples; no time at all before there are two."""
        kept = list(self._windows)
        pairs = list(pairwise(kept))
        widths = sorted(after.arrived - before.asked for before, after in pairs)
        if not widths:
            return Pace(self.wanted, ZERO, ZERO, ZERO)
        achieved = (kept[-1].asked - kept[0].asked) / len(pairs)
        return Pace(self.wanted, achieved, widths[len(widths) // 2], widths[-1])
