"""What one module of a table is asked again and again, and what its samples tell."""

from dataclasses import dataclass
from datetime import timedelta

from drivers.modbus.fitted import Fitted
from drivers.modbus.functions import DEAL_END, Sign, fault_sign, seat_signal
from drivers.modbus.greeting import part_of
from drivers.modbus.identity import health_reads
from drivers.modbus.images import Image, Misread, Part, level, number
from drivers.modbus.machine_signs import Noticed, Signs, notice, notice_code
from drivers.modbus.master_answers import Exchange
from drivers.modbus.profile_layout import EdgeSource, Point, channels
from drivers.modbus.profile_outputs import FaultSign
from drivers.modbus.reads import sample_reads
from drivers.modbus.seats import hear, listening
from drivers.modbus.signals import latch_cleared, sample, watching
from drivers.modbus.windows import Window
from table.events import Observed

MACHINE_EVERY = timedelta(milliseconds=100)
"""A module that only shows the machine leaves its bus to those that seats press. House choice."""
HEALTH_EVERY = timedelta(seconds=1)
"""A module without inputs is asked so often whether it is well."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a sample says."""

    signs: Signs
    events: tuple[Observed, ...]
    clear: tuple[EdgeSource, ...]
    """Latches to set back."""
    restarted: bool
    """The module was without power: it must be greeted again."""


class Watch:
    """The samples of one module.

    Attributes:
        reads: what a sample asks.
        period: how often it is wanted.
        faults: the fault codes of each signal that has some.
    """

    def __init__(self, table: Fitted, name: str) -> None:
        module = table.modules[name]
        self._layout, signals = module.layout, table.signals_of(name)
        self._sources = tuple(
            self._layout.edges[signal]
            for signal, function in signals.items()
            if seat_signal(function) or function == DEAL_END
        )
        self._levels = {
            function: self._level_of(signal)
            for signal, function in signals.items()
            if function in set(Sign) or fault_sign(function)
        }
        self.faults = self._codes(table, name)
        codes = (self._layout.points[signal] for signal in self.faults)
        points = (*self._levels.values(), *codes)
        watched = sample_reads(module.profile.timing, self._layout, self._sources, points)
        self.reads = watched or health_reads(module.profile, self._layout)[:1]
        self.period = HEALTH_EVERY if not watched else MACHINE_EVERY
        if self._sources:
            self.period = table.period
        self._shows_machine = bool(self._levels or self.faults)
        self._hold = table.hold
        self._signals = watching(self._sources, self.reads)
        self._seats = listening(self._sources, signals, table.hold)
        self._before: Window | None = None

    @property
    def lacks(self) -> tuple[str, ...]:
        """The functions whose inputs say nothing that can be, or are stuck."""
        functions = self._seats.functions
        return tuple(sorted(functions.get(name, name) for name in self._seats.troubled))

    def take(self, signs: Signs, exchanges: tuple[Exchange, ...]) -> Shown:
        """Take a sample, whole or broken off; `signs` are those of the whole table."""
        found = [part_of(exchange) for exchange in exchanges]
        parts = {part.read: part for part in found if isinstance(part, Part)}
        window = Window(exchanges[0].window.asked, exchanges[-1].window.arrived)
        told = sample(self._signals, parts, self._hold)
        self._signals = told.signals
        heard = hear(self._seats, told, window)
        self._seats = heard.seats
        whole = len(parts) == len(self.reads)
        shows = self._shows_machine and whole
        noticed = self._notice(signs, Image(parts), window) if shows else Noticed(signs)
        events = (*heard.events, *noticed.events)
        return Shown(noticed.signs, events, told.clear, told.restarted)

    def cleared(self, source: EdgeSource, write: Window) -> None:
        """Take the acknowledged write that set a latch back."""
        self._signals = latch_cleared(self._signals, source.name, write)

    def _notice(self, signs: Signs, image: Image, window: Window) -> Noticed:
        """Take a whole sample: of a broken one it would not be known since when a lamp is lit."""
        lit = {name: self._lit(image, point) for name, point in self._levels.items()}
        seen = {name: one for name, one in lit.items() if one is not None}
        noticed = notice(signs, seen, self._before, window)
        for name, known in self.faults.items():
            code = number(image, self._layout.points[name])
            if not isinstance(code, Misread):
                windows = (self._before or window, window)
                more = notice_code(noticed.signs, name, code, known, windows)
                noticed = Noticed(more.signs, (*noticed.events, *more.events))
        self._before = window
        return noticed

    @staticmethod
    def _lit(image: Image, point: Point) -> bool | None:
        part = image.part_of(point)
        lit = None if part is None else level(part, point)
        return None if isinstance(lit, Misread) else lit

    def _level_of(self, signal: str) -> Point:
        edge = self._layout.edges.get(signal)
        return self._layout.points[signal] if edge is None else edge.level or edge.watch

    @staticmethod
    def _codes(table: Fitted, name: str) -> dict[str, tuple[FaultSign, ...]]:
        profile = table.modules[name].profile
        known: dict[str, tuple[FaultSign, ...]] = {}
        for sign in profile.faults.values():
            for channel in channels(profile, sign.signal):
                known[channel] = (*known.get(channel, ()), sign)
        return known
