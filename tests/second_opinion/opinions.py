"""What a reader of a hand holds to have been seen in it."""

from dataclasses import dataclass, field

from table.fouls import FoulKind
from table.seat import Seat
from tests.second_opinion.clocks import Clock, Discard
from tests.second_opinion.spans import Span


@dataclass(frozen=True)
class Measured:
    """What was measured against a limit; an empty call has nothing to measure."""

    kind: FoulKind
    seat: Seat
    span: Span | None
    limit: int | None
    presumed: bool = False


@dataclass
class Opinion:
    """What the checker makes of a hand."""

    margin: int
    fouls: list[Measured] = field(default_factory=list)
    too_close: list[Measured] = field(default_factory=list)
    recorded: list[Measured] = field(default_factory=list)
    """Over a presumed start, within the margin."""
    in_time: list[Measured] = field(default_factory=list)
    winners: tuple[Seat, ...] = ()
    running: Clock | None = None
    """Whose limit still runs when the story breaks off."""
    newest: Discard | None = None
    used: dict[Seat, Span] = field(default_factory=lambda: dict.fromkeys(Seat, Span(0, 0)))

    def judge(
        self, kind: FoulKind, seat: Seat, span: Span, limit: int, *, presumed: bool = False
    ) -> None:
        """Say whether it was over; equality is in time, and doubt charges nobody."""
        measured = Measured(kind, seat, span, limit, presumed)
        if span.least > limit + (self.margin if presumed else 0):
            self.fouls.append(measured)
        elif span.least > limit:
            self.recorded.append(measured)
        elif span.most > limit:
            self.too_close.append(measured)
        else:
            self.in_time.append(measured)

    def charge(self, kind: FoulKind, seat: Seat, ahead: Span) -> None:
        """Say which of two happenings came first, where that is certain; there is no limit."""
        known = self.fouls if ahead.least > 0 else self.in_time
        known.append(Measured(kind, seat, ahead, 0))

    def use(self, seat: Seat, span: Span) -> None:
        used = self.used[seat]
        self.used[seat] = Span(used.least + span.least, used.most + span.most)
