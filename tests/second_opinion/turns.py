"""One turn: what was said between two discards, and what follows from reading it over.

Nothing is kept beside the notes themselves: who is on turn, whose limit runs and since when is
found by going through them from the first to the last, each time anew.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from table.events import Call
from table.seat import Seat
from tests.second_opinion.clocks import Clock, Discard, Stretch
from tests.second_opinion.limits import Book
from tests.second_opinion.spans import Span, When, apart, later, passed, plus, together
from tests.second_opinion.story import Said

OF_THREE = (Call.PUNG, Call.KONG)
TAKES_A_TILE = ("own draw", "replacement", "inside")


@dataclass
class Turn:
    """What was said between two discards; `after` is None before the first one."""

    book: Book
    draws: bool
    """The table senses draws."""
    dealer: Seat
    opening: When | None
    """Nobody is timed before this, as it was known when the turn began."""
    after: Discard | None
    notes: list[Said] = field(default_factory=list)

    @property
    def next(self) -> Seat:
        return self.after.seat.lower if self.after else self.dealer

    @property
    def calls(self) -> list[Said]:
        return [note for note in self.notes if note.role in ("takes", "stands", "refused")]

    @property
    def tile(self) -> Said | None:
        """Return the call that has the tile, if any has."""
        best: Said | None = None
        for call in self.calls:
            if call.role != "refused" and (best is None or self._beats(call, best)):
                best = call
        return best

    @property
    def holder(self) -> Seat:
        """Who is on turn: who has the tile, else the next in order."""
        return self.tile.seat if self.tile and self.tile.seat else self.next

    def _beats(self, call: Said, other: Said) -> bool:
        """Pung and kong before chow; then the earlier; together, the nearest to the discarder."""
        if self.of_three(call) != self.of_three(other):
            return self.of_three(call)
        if not together(call.when, other.when):
            return apart(call.when, other.when).least > 0
        return self._far(call) < self._far(other)

    def _far(self, call: Said) -> int:
        assert self.after
        assert call.seat
        return (call.seat - self.after.seat) % 4

    def of_three(self, call: Said) -> bool:
        return call.call in OF_THREE or (call.call is None and call.seat is not self.next)

    def interrupted(self, note: Said | None = None) -> bool:
        """Say whether a pause or a hu closed the call window before a note, or until now."""
        before = self.notes[: self.notes.index(note)] if note in self.notes else self.notes
        return any(one.word in ("pause", "hu") for one in before)

    @property
    def declared(self) -> list[Said]:
        """Return the hu that stand, in the order in which they were declared."""
        standing: list[Said] = []
        for note in self.notes:
            if note.word == "hu":
                others = [one for one in standing if one.seat is not note.seat]
                standing = others if len(others) < len(standing) else [*standing, note]
            elif note.word == "withdraw":
                standing = []
        return standing

    @property
    def paused(self) -> bool:
        pauses = [note.word for note in self.notes if note.word in ("pause", "resume")]
        return pauses[-1:] == ["pause"]

    @property
    def has_tile(self) -> bool:
        """Whether the seat on turn has drawn or replaced a tile."""
        return self.with_tile(self.notes)

    def with_tile(self, notes: list[Said]) -> bool:
        holder = self.holder
        return any(note.seat is holder and note.role in TAKES_A_TILE for note in notes)

    def before(self, said: Said) -> list[Said]:
        """Return the notes of what certainly happened before."""
        return [note for note in self.notes if apart(note.when, said.when).least > 0]

    def surely_on_turn(self, said: Said) -> bool:
        """Say whether whoever is on turn was so for certain before something else.

        Tiles taken in the deal and the untimed opening are nobody's turn yet (house decision).
        """
        if self.tile:
            return apart(self.tile.when, said.when).least > 0
        if self.after:
            return apart(self.after.when, said.when).least > 0
        clock = self.running()
        return clock is not None and apart(clock.start, said.when).least > 0

    def early(self, seat: Seat) -> Said | None:
        """Return the first draw of a seat out of turn that may be early.

        What was drawn before a pause or a hu is for whoever sees the table (house decision).
        """
        stops = [place for place, one in enumerate(self.notes) if one.word in ("pause", "hu")]
        notes = self.notes[stops[-1] :] if stops else self.notes
        roles = ("early", "maybe early")
        return next((note for note in notes if note.seat is seat and note.role in roles), None)

    def doubt_early(self, claim: Said) -> None:
        """A claim may be of the discard of the seat that drew, which drew in its turn then."""
        if self.after and claim.seat in (self.holder, self.next) and claim.call is not Call.FLOWER:
            for note in self.notes:
                note.role = "maybe early" if note.role == "early" else note.role

    def seen(self) -> bool:
        """Say whether the discard itself was pressed, and nothing has stopped the clocks since."""
        after = self.after
        return after is not None and bool(after.pressed) and not after.replayed

    def overdue(self, call: Said) -> bool:
        window = self.book.window
        return window is not None and self.taken(call).least > window

    def too_late(self, taken: Span) -> bool:
        """Say whether nobody calls the newest discard so late, so that it may be of another."""
        window = self.book.window
        return window is not None and taken.most > window + self.book.late_span

    def taken(self, call: Said) -> Span:
        """From the discard to the call; what reaching for the button takes is in his favour."""
        assert self.after
        span = passed(self.after.when, call.when)
        return Span(max(span.least - (self.book.reach or 0), 0), span.most)

    def measurable(self, call: Said) -> bool:
        """Say whether a call can be late at all: a pung or a kong of a discard that was seen."""
        after = self.after
        if after is None or self.book.window is None or call.replayed or after.replayed:
            return False
        if after.when.unseen or self.interrupted(call) or self.too_late(self.taken(call)):
            return False
        return self.of_three(call)

    def late(self, call: Said) -> bool:
        """Say whether it came after the call window by even its shortest reading."""
        return self.measurable(call) and self.taken(call).least > (self.book.window or 0)

    def stretches(self) -> Iterator[Stretch]:
        """Cut the turn into clocks and what stopped them; the last one may still run."""
        clock = self._first()
        for note in self.notes:
            if clock and note.role in ("replacement", "pause", "hu"):
                yield Stretch(clock, note)
            clock = self._next(clock, note)

    def running(self) -> Clock | None:
        """Return the clock that runs when everything was said."""
        clock = self._first()
        for note in self.notes:
            clock = self._next(clock, note)
        return clock

    def _next(self, clock: Clock | None, note: Said) -> Clock | None:
        """Return the clock after a note."""
        if note.role in ("pause", "hu"):
            return None
        if note.role in ("resume", "play on"):
            return self._fresh(note)
        if note.role == "dealt":
            return self._timed(note)
        if clock is None:
            return None
        if note.role == "takes":
            return self._claimed(note)
        return self._moved(self._held_up(clock, note), note)

    def _held_up(self, clock: Clock, note: Said) -> Clock:
        """Return the clock as it starts after a call that was refused, or after a late press."""
        if note.role == "refused" and note.seat is not clock.seat:
            start = later(clock.start, note.when)
            return replace(clock, start=start, presumed=not clock.waits or clock.presumed)
        later_on = not clock.waits and apart(clock.start, note.when).least > 0
        return replace(clock, start=note.when) if note.role == "late press" and later_on else clock

    def _moved(self, clock: Clock, note: Said) -> Clock:
        """Return the same seat's clock after a note that may move it."""
        match note.role:
            case "own draw" if self.after and (self.book.from_draw or clock.waits):
                drawn = later(self.after.when, note.when)
                start = drawn if clock.waits else later(clock.start, drawn)
                presumed = clock.presumed and start is not note.when
                counts = clock.counts and not note.replayed
                start = self._not_in_opening(start, note)
                return replace(clock, start=start, waits=False, presumed=presumed, counts=counts)
            case "replacement":
                return self._replaced(clock, note)
            case "last flower":
                return replace(
                    clock, start=self._not_in_opening(later(clock.start, note.when), note)
                )
            case "give":
                return replace(clock, limit=clock.limit + note.span)
            case _:
                return clock

    def _not_in_opening(self, when: When, note: Said | None = None) -> When:
        opening = note.opening if note else self.opening
        return when if opening is None else later(when, opening)

    @property
    def _limit(self) -> int:
        return self.book.turn if self.after else self.book.first

    def _first(self) -> Clock | None:
        """Return the clock of the next in order; before the first discard nobody has one yet."""
        after, book = self.after, self.book
        if after is None:
            return None
        counts = not after.replayed
        if not book.from_draw:
            start = self._not_in_opening(after.when)
            return Clock(self.next, book.turn, start, presumed=after.when.unseen, counts=counts)
        start = self._not_in_opening(plus(after.when, book.window or 0))
        return Clock(self.next, book.turn, start, waits=True, counts=counts)

    def _timed(self, note: Said) -> Clock:
        start = self._not_in_opening(note.when, note)
        return Clock(self.dealer, self.book.first, start, counts=not note.replayed)

    def _fresh(self, note: Said) -> Clock | None:
        """Everybody on turn begins anew; the untimed first discard stays untimed."""
        timed = self.after or any(one.role == "dealt" for one in self.notes)
        start = self._not_in_opening(note.when, note)
        return Clock(self.holder, self._limit, start) if timed else None

    def _claimed(self, note: Said) -> Clock:
        after, book = self.after, self.book
        assert after
        assert note.seat
        counts = not (after.replayed or note.replayed or self.interrupted(note))
        start, presumed, waits = after.when, after.when.unseen, False
        kong = book.kong_fresh and note.call in (Call.KONG, None)
        if not book.from_draw and counts and kong:
            # A kong is another turn after its replacement: wsom 打牌时限 §3; else decision.
            start = later(after.when, note.when)
            waits = self.draws and note.call is Call.KONG
            presumed = not waits
        elif book.from_draw:
            start, presumed = later(plus(after.when, book.window or 0), note.when), True
        for call in self.calls:
            if call.role == "refused" and call.seat is not note.seat:
                start, presumed = later(start, call.when), not waits
        start = self._not_in_opening(start, note)
        return Clock(note.seat, book.turn, start, waits, presumed=presumed, counts=counts)

    def _replaced(self, clock: Clock, note: Said) -> Clock:
        if self.after is None:
            start = self._not_in_opening(note.when, note)
            return Clock(clock.seat, self._limit, start, counts=not note.replayed)
        start = self._not_in_opening(later(clock.start, note.when), note)
        waits, counts = self.draws, not note.replayed
        return Clock(clock.seat, self.book.turn, start, waits, presumed=not waits, counts=counts)
