"""What pads say in tests, as far as it matters."""

from dataclasses import dataclass
from datetime import timedelta

from drivers.gestures import Change, Edge, SeatInput
from drivers.pads.stamps import PadPress
from table.moment import ZERO, Moment
from table.seat import Seat

KNOWN = Moment(100_000_000)
"""A reading of the daemon's clock."""
HEARD = timedelta(seconds=7)
"""What the pad's clock showed then."""


@dataclass(frozen=True)
class Finger:
    """A pad whose clock runs as ours does, and that had heard of `KNOWN` without delay."""

    seat: Seat = Seat.ONE
    pad: str = "a"

    def tells(
        self,
        change: Change,
        first: timedelta,
        held: timedelta = ZERO,
        waited: timedelta = ZERO,
        what: SeatInput = SeatInput.DISCARD,
    ) -> PadPress:
        """Tell of a change, `first` after `KNOWN`; the message leaves after it has waited."""
        down = HEARD + first
        edge = Edge(self.seat, what, change, down, down + held)
        return PadPress(edge, self.pad, KNOWN, HEARD, down + held + waited)
