"""What is played at a simulated table: hands without end, a written hand, or an even load."""

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import cycle
from typing import Protocol

from simulator.deeds import Cue, Deed, Key, Sense, press
from simulator.players import Players
from table.events import DealEnded, TableEvent, WallRaised
from table.happening import (
    HOLD,
    TAP,
    BoxReboot,
    Input,
    RefereeOrders,
    RefereeRules,
    ScriptLine,
    SeatHold,
    SeatTap,
    Sensed,
    WireCut,
)
from table.moment import Moment
from table.script import duration
from table.seat import Seat


class Play(Protocol):
    """Decides what is done at one table, and when."""

    def begin(self, now: Moment) -> None:
        """Start playing."""

    def wake_at(self) -> Moment | None:
        """Say when the next deed is done, None where it waits for the machine or has ended."""

    def next_deed(self) -> Deed:
        """Hand over the deed that `wake_at` announced."""

    def notice(self, event: TableEvent, at: Moment) -> None:
        """See what the machine does."""


class Hands:
    """Hand after hand, each with the next seat as dealer, as long as the machine raises walls."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._deeds: deque[Deed] = deque()
        self._dealer = Seat.FOUR

    def begin(self, now: Moment) -> None:
        """Sit down and push the start key."""
        self._deeds.append(Deed(now + timedelta(seconds=2), Key.START))

    def wake_at(self) -> Moment | None:
        """Say when the next deed is done, None while the wall comes up."""
        return self._deeds[0].at if self._deeds else None

    def next_deed(self) -> Deed:
        """Hand over the next deed."""
        return self._deeds.popleft()

    def notice(self, event: TableEvent, at: Moment) -> None:
        """Begin a hand when a wall is raised between hands."""
        if isinstance(event, WallRaised) and not self._deeds:
            self._dealer = self._dealer.lower
            self._deeds.extend(self._players.hand(self._dealer, at))


class _Settled:
    """Deeds that are settled beforehand, whatever the machine does."""

    def __init__(self) -> None:
        self._deeds: Iterator[Deed] = iter(())
        self._next: Deed | None = None

    def wake_at(self) -> Moment | None:
        """Say when the next deed is done, None after the last one."""
        return self._next.at if self._next else None

    def next_deed(self) -> Deed:
        """Hand over the next deed.

        Raises:
            StopIteration: there is none.
        """
        deed = self._next or next(self._deeds)
        self._next = next(self._deeds, None)
        return deed

    def notice(self, event: TableEvent, at: Moment) -> None:
        """Play on, whatever the machine does."""

    def _follow(self, deeds: Iterable[Deed]) -> None:
        self._deeds = iter(deeds)
        self._next = next(self._deeds, None)


class WrittenHand(_Settled):
    """The seat and table lines of a script; what the referee says is not played at the table.

    Args:
        script: the lines.
        tap: how long an input is pressed that is let go at once.
    """

    def __init__(self, script: tuple[ScriptLine, ...], tap: timedelta = TAP) -> None:
        super().__init__()
        self._script = script
        self._tap = tap

    def begin(self, now: Moment) -> None:
        """Play the first second of the script now."""
        deeds = [deed for line in self._script for deed in _deeds(line, now + line.at, self._tap)]
        end = Deed(now + duration(self._script), Cue.ENDED)
        deeds.sort(key=lambda deed: deed.at)
        self._follow([Deed(now, Cue.STARTED), *deeds, end])


class EvenLoad(_Settled):
    """One discard each 3 s and one claim each 12 s, for ever: the play load of the budgets."""

    def __init__(self, offset: timedelta) -> None:
        super().__init__()
        self._offset = offset

    def begin(self, now: Moment) -> None:
        """End the deal after the offset, and play on from there."""
        self._follow(_even_load(now + self._offset))


def _deeds(line: ScriptLine, at: Moment, tap: timedelta) -> Iterable[Deed]:
    match line.happening:
        case SeatTap(seat, button, call):
            return press(seat, button, at, tap, call)
        case SeatHold(seat, button):
            return press(seat, button, at, HOLD)
        case Sensed(event):
            return [Deed(at, Sense(event))]
        case WireCut() | BoxReboot() as mishap:
            return [Deed(at, mishap)]
        case RefereeOrders() | RefereeRules():
            return []


def _even_load(start: Moment) -> Iterator[Deed]:
    beat = timedelta(seconds=3)
    at, seat = start + beat, Seat.ONE
    yield Deed(start, Sense(DealEnded()))
    for claimed in cycle((False, False, False, True)):
        yield from press(seat, Input.DISCARD, at, TAP)
        if claimed:
            yield from press(seat.opposite, Input.CLAIM, at + beat / 2, TAP)
        seat = seat.opposite if claimed else seat.lower
        at += beat
