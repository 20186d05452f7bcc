"""Plays a written hand through the whole-table core in virtual time."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import assert_never

from controller.table_core import (
    Effect,
    Step,
    Stimulus,
    TableRules,
    TableState,
    fresh,
    step,
    wake_at,
)
from scoring.effects import AlertRaised, AlertRecorded
from scoring.rules import FoulRules
from table.abilities import Abilities
from table.commands import Ordered
from table.events import (
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    LinkDown,
    LinkUp,
    Observed,
    RefereeCalled,
    TableRebooted,
    TileDrawn,
    Woken,
)
from table.happening import (
    TAP,
    BoxReboot,
    Input,
    Official,
    RefereeOrders,
    RefereeRules,
    ScriptLine,
    SeatGesture,
    SeatHold,
    SeatTap,
    Sensed,
    WireCut,
)
from table.moment import MILLISECOND, DeviceStamp, Interval, Moment, Quality

START = Moment(0)
HELD_AFTER = timedelta(seconds=1)
"""A press held this long is a hold; docs/table-link.md, HELD."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One effect and when it came, counted from the start of the script."""

    at: timedelta
    effect: Effect


@dataclass(frozen=True, slots=True, order=True)
class _Arrival:
    """What reaches the daemon, and when."""

    at: Moment
    order: int
    what: "Stimulus | RefereeRules"


class Rehearsal:
    """One table that lives in virtual time; `state` is what became of it when `play` is through."""

    def __init__(self, rules: TableRules, table: str = "t1") -> None:
        self._rules = replace(rules, fouls=_with_chief(rules.fouls))
        self._last_alert = ""
        self.state: TableState = fresh(table)
        self._past = [(START, self.state)]

    def state_at(self, at: timedelta) -> TableState:
        """Return the state so long after the start, once everything of that moment was heard."""
        later = bisect_right(self._past, START + at, key=lambda past: past[0])
        return self._past[later - 1][1]

    def play(self, script: Sequence[ScriptLine]) -> Iterator[Happened]:
        """Play a script to its end, and on until time alone has nothing more to say."""
        for arrival in _arrivals(script):
            yield from self._wake_until(arrival.at)
            yield from self._take(self._stimulus(arrival.what), arrival.at)
        while (due := wake_at(self._rules, self.state)) is not None:
            yield from self._take(Woken(), due)

    def _wake_until(self, moment: Moment) -> Iterator[Happened]:
        while (due := wake_at(self._rules, self.state)) is not None and due < moment:
            yield from self._take(Woken(), due)

    def _take(self, stimulus: Stimulus, now: Moment) -> Iterator[Happened]:
        taken: Step = step(self._rules, self.state, stimulus, now)
        self.state = taken.state
        self._past.append((now, self.state))
        for effect in taken.effects:
            if isinstance(effect, AlertRaised | AlertRecorded):
                self._last_alert = effect.alert.id
            yield Happened(now - START, effect)

    def _stimulus(self, what: "Stimulus | RefereeRules") -> Stimulus:
        """Find the alert and the revision the referee has before him."""
        if not isinstance(what, RefereeRules):
            return what
        alert = what.alert or self._last_alert
        known = self.state.docket.alerts.get(alert)
        return Ordered(what.on(alert, known.revision if known else 0), what.by.value)


def _with_chief(rules: FoulRules) -> FoulRules:
    """Let `chief` be one of the chief referees, whoever they are in the event."""
    return replace(rules, chiefs=rules.chiefs | {Official.CHIEF})


def _arrivals(script: Sequence[ScriptLine]) -> list[_Arrival]:
    """Bring what the lines mean into the order in which it reaches the daemon."""
    able = Abilities(reopen=True)
    link = LinkUp(holds=True, draws=any(_is_draw(line) for line in script), abilities=able)
    arrived: list[tuple[Moment, Stimulus | RefereeRules]] = [(START, link)]
    clock = _BoxClock()
    for line in script:
        arrived.extend(_meaning(line, clock, link))
    for line in script:
        if isinstance(cut := line.happening, WireCut):
            began = clock.interval(line).latest
            arrived = [_after_cut(began, cut.span, when, what) for when, what in arrived]
    return sorted(_Arrival(when, order, what) for order, (when, what) in enumerate(arrived))


def _is_draw(line: ScriptLine) -> bool:
    return isinstance(line.happening, Sensed) and isinstance(line.happening.event, TileDrawn)


class _BoxClock:
    """The table's own clock; another one after each reboot."""

    def __init__(self) -> None:
        self._boots = 1

    def reboot(self) -> None:
        self._boots += 1

    def interval(self, line: ScriptLine) -> Interval:
        """Say when a line happened; what is in doubt was seen by a sensor without a clock."""
        at = START + line.at
        if line.doubt:
            return Interval(at - line.doubt, at + line.doubt, Quality.POLLED)
        stamp = DeviceStamp(f"rehearsal-{self._boots}", line.at, MILLISECOND)
        return Interval(at, at, Quality.DEVICE, stamp)


def _meaning(
    line: ScriptLine, clock: _BoxClock, link: LinkUp
) -> Iterator[tuple[Moment, "Stimulus | RefereeRules"]]:
    """Say what the daemon gets to hear of one line, and when."""
    when = clock.interval(line)
    heard = when.latest
    happening = line.happening
    match happening:
        case SeatTap() | SeatHold():
            yield from _gesture(happening, when)
        case Sensed(event):
            yield heard, Observed(event, when)
        case WireCut(span):
            yield heard, LinkDown("the script cut the wire")
            yield heard + span, link
        case BoxReboot():
            clock.reboot()
            yield heard, Observed(TableRebooted(), when)
        case RefereeOrders(command, by):
            yield heard, Ordered(command, by.value)
        case RefereeRules():
            yield heard, happening
        case _:
            assert_never(happening)


def _gesture(gesture: SeatGesture, when: Interval) -> Iterator[tuple[Moment, Observed]]:
    """Say what a press means and when that is known: a discard at once, the rest later."""
    seat, heard = gesture.seat, when.latest
    if gesture.input is Input.DISCARD:
        yield heard, Observed(DiscardPressed(seat), when)
    match gesture:
        case SeatTap(input=Input.DISCARD):
            yield heard + TAP, Observed(DiscardReleased(seat), when)
        case SeatTap(call=call):
            yield heard + TAP, Observed(ClaimPressed(seat, call), when)
        case SeatHold(input=Input.DISCARD):
            yield heard + HELD_AFTER, Observed(HuDeclared(seat), when)
        case SeatHold():
            yield heard + HELD_AFTER, Observed(RefereeCalled(seat), when)


def _after_cut(
    began: Moment, span: timedelta, when: Moment, what: "Stimulus | RefereeRules"
) -> tuple[Moment, "Stimulus | RefereeRules"]:
    """Keep back what the table saw while the wire was cut; it comes late, marked as replayed."""
    if isinstance(what, Observed) and began < when <= began + span:
        return began + span, replace(what, replayed=True)
    return when, what
