"""Takes the events of one boot in order, and makes table events of them; no wire, no clock."""

from dataclasses import replace
from datetime import timedelta

from drivers.gestures import Gestures
from drivers.table_link import dialect
from drivers.table_link.clock_fit import ClockFit
from drivers.table_link.codes import Flag
from drivers.table_link.counts import Counts
from drivers.table_link.frames import Frame, following, is_from, steps
from drivers.table_link.messages import Edge, Hello, Lost, Machine
from table.answers import Ignored
from table.events import DealEnded, InputDismissed, Observed, TableRebooted
from table.moment import Interval, Moment, Quality


class Intake:
    """The event stream of one boot.

    Attributes:
        awaited: number of the next event.
        newest: number to acknowledge, 0 before the first event.
        owes: whether an acknowledgement is due; whoever sends one clears it.
    """

    def __init__(self, hello: Hello, counts: Counts) -> None:
        self._boot = hello.boot
        self._live_from = hello.following
        self._counts = counts
        self._gestures = Gestures(dialect.senses(hello))
        self._gap = False
        self._asked_again = 0
        self.awaited = hello.oldest
        self.newest = 0
        self.owes = False

    def take(
        self, frame: Frame, event: Edge | Machine, fit: ClockFit, now: Moment
    ) -> Observed | None:
        """Take an event; return what it says, if it is the next one and says something."""
        if event.boot != self._boot or not frame.flags & Flag.NEEDS_ACK or not frame.seq:
            self._counts.unknown += 1
            return None
        if not self._is_next(frame.seq):
            return None
        self._counts.replayed += bool(frame.flags & Flag.REPLAY)
        self._pass(frame.seq)
        if isinstance(event, Edge):
            said = self._edge(event, fit, now)
        else:
            said = self._machine(event, fit, now)
        return said and replace(said, replayed=self._recorded_before(frame.seq))

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
        self._pass(lost.last)
        self._gestures = replace(self._gestures, presses={})
        replayed = self._recorded_before(lost.last)
        return Observed(TableRebooted(), Interval.exactly(now, Quality.POLLED), replayed)

    def ask_again(self) -> int | None:
        """Return the number to rewind to, once for each gap."""
        if self._gap and self._asked_again != self.awaited:
            self._asked_again = self.awaited
            return self.awaited
        return None

    def _is_next(self, seq: int) -> bool:
        known = not is_from(self.awaited, seq)
        if known:
            self._counts.duplicates += 1
            self.owes = True
        self._gap = not known and seq != self.awaited
        return seq == self.awaited

    def _pass(self, seq: int) -> None:
        self.newest, self.awaited, self.owes = seq, following(seq), True

    def _recorded_before(self, seq: int) -> bool:
        """Say whether the event was recorded before this host listened."""
        return not is_from(self._live_from, seq)

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


def _device(fit: ClockFit, raw_ms: int) -> timedelta:
    return timedelta(milliseconds=fit.clock.extended(raw_ms))
