"""A play while things go wrong, each at its moment after people began."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from simulator.deeds import Deed, Touch
from simulator.modbus_mishaps import Mishap
from simulator.plays import Play
from table.events import TableEvent
from table.happening import Input
from table.moment import Moment
from table.seat import Seat


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button of a seat is down for a while, whatever people do."""

    seat: Seat
    input: Input
    span: timedelta


Written: TypeAlias = tuple[timedelta, Mishap | Stuck]


class Befallen:
    """Obeys `simulator.plays.Play`; what befalls comes before what people do at the moment.

    Args:
        play: what people do.
        written: what befalls, counted from the moment they begin.
    """

    def __init__(self, play: Play, written: Iterable[Written]) -> None:
        self._play = play
        self._written = tuple(written)
        self._due: deque[Deed] = deque()
        self._stuck: dict[tuple[Seat, Input], Moment] = {}

    def begin(self, now: Moment) -> None:
        """Start playing, and count from now."""
        self._play.begin(now)
        deeds = [deed for at, what in self._written for deed in _deeds(now + at, what)]
        self._due.extend(sorted(deeds, key=lambda deed: deed.at))

    def wake_at(self) -> Moment | None:
        """Say when the next deed is done."""
        moments = (self._due[0].at if self._due else None, self._play.wake_at())
        return min((moment for moment in moments if moment), default=None)

    def next_deed(self) -> Deed:
        """Hand over what befalls or what is done next."""
        played_at = self._play.wake_at()
        if self._due and (played_at is None or self._due[0].at <= played_at):
            return self._befalls(self._due.popleft())
        deed = self._play.next_deed()
        match deed.act:
            case Touch(seat, button) if self._down(seat, button, deed.at):
                return replace(deed, act=replace(deed.act, down=True))
            case _:
                return deed

    def notice(self, event: TableEvent, at: Moment) -> None:
        """See what the machine does."""
        self._play.notice(event, at)

    def _befalls(self, deed: Deed) -> Deed:
        match deed.act:
            case Touch(seat, button, down=True):
                lets_go = next(each.at for each in self._due if each.act == _up(seat, button))
                self._stuck[seat, button] = lets_go
            case _:
                pass
        return deed

    def _down(self, seat: Seat, button: Input, at: Moment) -> bool:
        until = self._stuck.get((seat, button))
        return until is not None and at < until


def _deeds(at: Moment, what: Mishap | Stuck) -> list[Deed]:
    if isinstance(what, Stuck):
        down, up = Touch(what.seat, what.input, down=True), _up(what.seat, what.input)
        return [Deed(at, down), Deed(at + what.span, up)]
    return [Deed(at, what)]


def _up(seat: Seat, button: Input) -> Touch:
    return Touch(seat, button, down=False)
