"""Takes the events of one boot in order, and makes table events of them; no wire, no clock."""

from collections import deque
from dataclasses import dataclass, replace
from datetime import timedelta

from drivers.gestures import Gestures
from drivers.table_link import dialect
from drivers.table_link.clock_fit import ClockFit
from drivers.table_link.codes import Flag
from drivers.table_link.counts import Counts
from drivers.table_link.frames import LAST_SEQ, Frame, following, is_from, steps
from drivers.table_link.messages import Edge, Hello, Lost, Machine
from table.answers import Ignored
from table.events import DealEnded, InputDismissed, Observed, TableRebooted
from table.moment import DeviceNumber, Interval, Moment, Quality

_NEEDS_ACK, _REPLAY = Flag.NEEDS_ACK.value, Flag.REPLAY.value  # plain numbers: flags are slow


class Intake:
    """The event stream of one boot.

    Attributes:
        awaited: number of the next event.
        newest: number to acknowledge, 0 before the first event is recorded.
        wanted: number to rewind to; what is not recorded is kept by the box.
        owes: whether an acknowledgement is due; whoever sends one clears it.
    """

    def __init__(self, hello: Hello, counts: Counts) -> None:
        self._boot = hello.boot
        self._clock = dialect.clock_name(hello)
        self._live_from = hello.following
        self._counts = counts
        self._gestures = Gestures(dialect.senses(hello))
        self._gap = False
        self._asked_again = 0
        self._taken: deque[_Taken] = deque()
        self.awaited = self.wanted = hello.oldest
        self.newest = 0
        self.owes = False

    def take(
        self, frame: Frame, event: Edge | Machine, fit: ClockFit, now: Moment
    ) -> Observed | None:
        """Take an event; return what it says, if it is the next one and says something."""
        if event.boot != self._boot or not frame.flags & _NEEDS_ACK or not frame.seq:
            self._counts.unknown += 1
            return None
        if not self._is_next(frame.seq):
            return None
        self._counts.replayed += bool(frame.flags & _REPLAY)
        if isinstance(event, Edge):
            said = self._edge(event, fit, now)
        else:
            said = self._machine(event, fit, now)
        return self._passed(frame.seq, said)

    def skip(self, lost: Lost, now: Moment) -> Observed | None:
        """Take the news that events are gone for good; the table is out of step then.

        What was lost cannot be told from what a reboot loses, so it is reported as one.
        """
        if lost.boot != self._boot or not lost.first or not lost.last:
            self._counts.unknown += 1
            return None
        if not is_from(self.awaited, lost.last):  # told before
            self.owes = True
            return None
        self._counts.lost += steps(self.awaited, lost.last) + 1
        self._gestures = replace(self._gestures, presses={})
        said = Observed(TableRebooted(), Interval.exactly(now, Quality.POLLED))
        return self._passed(lost.last, said)

    def recorded(self, number: DeviceNumber) -> bool:
        """Learn that an event and all before it are recorded; say whether that was news."""
        waiting = [taken.seq for taken in self._taken]
        if number.clock != self._clock or number.number not in waiting:
            return False
        for _ in range(waiting.index(number.number) + 1):
            self._acknowledged(self._taken.popleft())
        self._acknowledge_silent()
        return True

    def asks_again(self) -> bool:
        """Say whether to rewind, once for each gap."""
        asks = self._gap and self._asked_again != self.awaited
        if asks:
            self._asked_again = self.awaited
        return asks

    def _is_next(self, seq: int) -> bool:
        known = not is_from(self.awaited, seq)
        if known:
            self._counts.duplicates += 1
            self.owes = True
        self._gap = not known and seq != self.awaited
        return seq == self.awaited

    def _passed(self, seq: int, said: Observed | None) -> Observed | None:
        """Number what an event says; one that says nothing has nothing to be recorded."""
        self.awaited = following(seq)
        self._taken.append(_Taken(seq, silent=said is None))
        self._acknowledge_silent()
        if said is None:
            return None
        number = DeviceNumber(self._clock, seq, LAST_SEQ)
        before_us = not is_from(self._live_from, seq)
        return replace(said, replayed=before_us, number=number)

    def _acknowledge_silent(self) -> None:
        while self._taken and self._taken[0].silent:
            self._acknowledged(self._taken.popleft())

    def _acknowledged(self, taken: "_Taken") -> None:
        self.newest, self.wanted, self.owes = taken.seq, following(taken.seq), True

    def _edge(self, event: Edge, fit: ClockFit, now: Moment) -> Observed | None:
        first = fit.interval(event.first_ms, now)
        if dialect.ends_deal(event):
            return Observed(DealEnded(), first)
        edge = dialect.edge(event, _device(fit, event.first_ms), _device(fit, event.at_ms))
        if edge is None:
            self._counts.unknown += 1
            named = f"seat {event.seat}, input {event.input}, change {event.change}"
            return Observed(InputDismissed(f"the box names what nobody knows: {named}"), first)
        heard = self._gestures.hear(edge, first)
        self._gestures = heard.gestures
        if isinstance(heard.said, Ignored):
            self._counts.bounces += 1
            return Observed(InputDismissed(heard.said.reason), first)
        return heard.said

    def _machine(self, event: Machine, fit: ClockFit, now: Moment) -> Observed | None:
        happened = dialect.machine_event(event)
        when = fit.interval(event.at_ms, now)
        if happened is None:
            self._counts.unknown += 1
            named = f"happening {event.happening}"
            return Observed(InputDismissed(f"the machine names what nobody knows: {named}"), when)
        return Observed(happened, when)


@dataclass(frozen=True, slots=True)
class _Taken:
    """An event that is not acknowledged yet."""

    seq: int
    silent: bool
    """It said nothing, so nobody records it."""


def _device(fit: ClockFit, raw_ms: int) -> timedelta:
    return timedelta(milliseconds=fit.clock.extended(raw_ms))
