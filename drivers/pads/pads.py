"""The pads of one table: which of them are there, and what they say."""

from dataclasses import replace
from datetime import timedelta

from drivers.gestures import Gestures, Senses
from drivers.pads.stamps import PadPress, interval, since_change
from table.answers import Ignored
from table.errors import CommandRefused
from table.events import Observed
from table.moment import Moment
from table.seat import Seat

OLDEST = timedelta(seconds=5)
"""A change that may lie further back counts nothing (contract: orders expire after 5 s)."""
SILENCE = timedelta(seconds=6)
"""A pad that says nothing for so long is gone; it beats every 2 s (house choice)."""
OUT_OF_ORDER, TOO_OLD, AWAY = "out-of-order", "too-old", "not-connected"
"""Codes of `mqtt.reply_codes`, which drivers do not know."""


class Pads:
    """Hears what the pads of a table say, in the order in which it arrives.

    Args:
        table: id of the table, for sentences.
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.since: Moment | None = None
        """When the table was connected; None while it is not."""
        self._beats: dict[Seat, Moment] = {}
        self._newest: dict[Seat, tuple[str, timedelta]] = {}
        self._gestures = Gestures(Senses(releases=True))

    @property
    def last(self) -> Moment | None:
        """When any of them was heard last."""
        return max(self._beats.values(), default=None)

    def beat(self, seat: Seat, now: Moment) -> None:
        """Note that a seat's pad is there."""
        self._beats[seat] = now

    def here(self, now: Moment) -> frozenset[Seat]:
        """Return the seats whose pads are there."""
        return frozenset(seat for seat, last in self._beats.items() if now - last < SILENCE)

    def hear(self, press: PadPress, arrived: Moment) -> Observed | Ignored | None:
        """Return what a seat says by a change; nothing where it only begins or ends something.

        Raises:
            CommandRefused: it counts nothing, and why.
        """
        seat = press.edge.seat
        self.beat(seat, arrived)
        if self.since is None:
            message = f"the pads of table {self.table} are only just being connected; press again"
            raise CommandRefused(AWAY, message)
        when = interval(press, arrived)
        self._check_order(press)
        age = since_change(press, when, arrived)
        if age > OLDEST:
            message = (
                f"the press at seat {seat.value} of table {self.table} may be"
                f" {age.total_seconds():.1f} s old; {OLDEST.total_seconds():g} s at most count"
            )
            raise CommandRefused(TOO_OLD, message)
        self._begin_anew(press)
        self._newest[seat] = (press.pad, press.edge.at)
        heard = self._gestures.hear(press.edge, when)
        self._gestures = heard.gestures
        if not isinstance(heard.said, Observed):
            return heard.said
        before_it = heard.said.when.earliest < self.since
        return replace(heard.said, replayed=before_it)

    def _check_order(self, press: PadPress) -> None:
        pad, newest = self._newest.get(press.edge.seat, (press.pad, None))
        if pad == press.pad and newest is not None and press.edge.at <= newest:
            message = (
                f"a later press of the pad at seat {press.edge.seat.value} of table {self.table}"
                " came before this one"
            )
            raise CommandRefused(OUT_OF_ORDER, message)

    def _begin_anew(self, press: PadPress) -> None:
        """Forget what another pad at the seat began: its times are of another clock."""
        seat = press.edge.seat
        if self._newest.get(seat, (press.pad,))[0] == press.pad:
            return
        presses = self._gestures.presses.items()
        kept = {place: last for place, last in presses if place[0] is not seat}
        self._gestures = replace(self._gestures, presses=kept)
