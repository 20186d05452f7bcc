"""What goes wrong between a module and its master, drawn by lot from a seed."""

from collections import Counter, deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from random import Random

from simulator.habits import Span, within
from simulator.modbus_cells import Refusal
from simulator.modbus_module import Module, refuses
from table.moment import ZERO, Moment


class Harm(StrEnum):
    """What can befall one request; at most one of them does."""

    REQUEST_LOST = "request-lost"
    """The module never hears of it."""
    REPLY_LOST = "reply-lost"
    """The module did it, and nobody is told."""
    DELAYED = "delayed"
    LATE = "late"
    """The reply comes when its master has given up."""
    TWICE = "twice"
    BIT_FLIPPED = "bit-flipped"
    """On a serial line; TCP repairs or drops what is damaged."""
    OTHER_UNIT = "other-unit"
    REFUSED = "refused"
    """The module is busy or failed, and has done nothing."""


DELAY: Span = (20, 150)
LATENESS: Span = (600, 1_500)
AGAIN_AFTER = timedelta(milliseconds=20)
UNITS = 247


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply and how it leaves."""

    unit: int
    pdu: bytes
    after: timedelta = ZERO
    """Beyond the turnaround of the module."""
    flip: int | None = None
    """The bit that arrives wrong, counted from the first one and round again."""


class Trouble:
    """Draws what befalls each request; without chances nothing does."""

    def __init__(
        self, random: Random, percent: Mapping[Harm, int] | None = None, jitter: timedelta = ZERO
    ) -> None:
        self._random = random
        self._percent = dict(percent or {})
        self._jitter = jitter
        self._next: deque[Harm] = deque()
        self.befell: Counter[Harm] = Counter()

    def expect(self, harm: Harm, times: int) -> None:
        """Have this befall the next requests, whatever the chances."""
        self._next.extend([harm] * times)

    def serve(self, module: Module, pdu: bytes, now: Moment) -> list[Sent]:
        """Have a module carry out a request, and return what comes back."""
        harm = self.draw()
        if harm is Harm.REQUEST_LOST:
            return []
        if harm is Harm.REFUSED:
            code = self._random.choice((Refusal.FAILURE, Refusal.BUSY))
            return [Sent(module.unit, refuses(code, pdu))] if module.answers(now) else []
        unit, reply = module.unit, module.serve(pdu, now)
        return self._spoilt(unit, reply, harm) if reply else []

    def _spoilt(self, unit: int, pdu: bytes, harm: Harm | None) -> list[Sent]:
        after = self.wandering()
        sent = Sent(unit, pdu, after)
        match harm:
            case Harm.REPLY_LOST:
                return []
            case Harm.DELAYED | Harm.LATE:
                span = DELAY if harm is Harm.DELAYED else LATENESS
                return [Sent(unit, pdu, after + within(self._random, span))]
            case Harm.TWICE:
                return [sent, Sent(unit, pdu, after + AGAIN_AFTER)]
            case Harm.BIT_FLIPPED:
                return [Sent(unit, pdu, after, self._random.randrange(8 * (len(pdu) + 3)))]
            case Harm.OTHER_UNIT:
                return [Sent((unit + self._random.randint(1, 7)) % UNITS + 1, pdu, after)]
            case _:
                return [sent]

    def wandering(self) -> timedelta:
        """Draw how much later something comes."""
        return self._jitter * self._random.randrange(1001) / 1000 if self._jitter else ZERO

    def draw(self, among: Collection[Harm] = tuple(Harm)) -> Harm | None:
        """Draw what befalls a request or a frame, if anything does."""
        harm = self._lot(among)
        if harm:
            self.befell[harm] += 1
        return harm

    def _lot(self, among: Collection[Harm]) -> Harm | None:
        if self._next and self._next[0] in among:
            return self._next.popleft()
        drawn = self._random.randrange(100)
        for harm, percent in self._percent.items():
            drawn -= percent
            if drawn < 0:
                return harm if harm in among else None
        return None
