"""A deliberately naive reader of one finished hand: which fouls must have been seen in it.

It types the books itself (`limits`), imports nothing of the program but its words (`table`), and
shares neither code nor state with it. It leaves out, and the random hands never contain: wall and
dice, restrictions and stand-ins, the orders `set-turn`, `restart-hand` and `resume` with what was
left, a rebooted box and a restart, robbed kongs, a hu declared beside a self-draw or a claim, calls
of a discard from before a pause, whatever is replayed in a book with totals, a second hand, fouls
that only a referee can enter, policies, leases, lapses and notes of alerts, notices of any kind,
buzzers and lamps. Where the house has decided what no book says (docs/adr/0006, 0017, 0024, 0025)
it takes the decision as given, and says so.
"""

from table.events import Call, LinkUp
from table.seat import Seat
from tests.second_opinion.clocks import Clock, Discard
from tests.second_opinion.limits import BEFORE, EARLY, EMPTY, LATE, OVER, TOTAL, Book
from tests.second_opinion.opinions import Measured, Opinion
from tests.second_opinion.presses import in_order, plays_on, repeats, skipped, undrawn
from tests.second_opinion.roles import role
from tests.second_opinion.spans import When, apart, passed, plus
from tests.second_opinion.story import Said, Story, meant
from tests.second_opinion.turns import OF_THREE, Turn
from tests.second_opinion.used import used_in
from tests.second_opinion.winners import winners

DEALER = Seat.ONE


def opinion(book: Book, story: Story) -> Opinion:
    """Read a story to its end."""
    link = next(happening for _, happening in story if isinstance(happening, LinkUp))
    checker = _Checker(book, draws=link.draws)
    for said in meant(story):
        checker.hear(said)
    return checker.summary()


class _Checker:
    def __init__(self, book: Book, *, draws: bool) -> None:
        self.book, self.draws = book, draws
        self.made = Opinion(book.margin)
        self.turn: Turn | None = None
        """None where no hand is played."""
        self.lost = False
        self.pressed: dict[Seat, When] = {}
        """When each seat pressed last."""
        self.took: set[Seat] = set()
        """Who has drawn out of turn since the own last discard."""
        self.opening: When | None = None
        self.began: When | None = None
        self.fresh_limits = {(seat, tile): 0 for seat in Seat for tile in ("kong", "flower")}

    def summary(self) -> Opinion:
        if self.turn and not self.lost:
            self.made.running, self.made.newest = self.turn.running(), self.turn.after
        return self.made

    def hear(self, said: Said) -> None:
        turn = self.turn
        if said.word in ("begin", "dealt"):
            self._deal(said)
        elif turn is None:
            return
        elif said.word == "lost":
            self._add_up(turn, None)
            self.lost = True
        elif said.word in ("end", "void"):
            self._end(turn, said)
        elif self.lost:
            self._find_again(said)
        elif turn.paused:
            self._while_paused(turn, said)
        else:
            self._play(turn, said)

    def _play(self, turn: Turn, said: Said) -> None:
        if said.word == "discard":
            self._discard(turn, said)
        elif said.word == "claim" and not turn.declared:
            self._claim(turn, said)
        elif said.word == "draw":
            self._draw(turn, said)
        elif said.word == "hu":
            self._note(turn, said, "hu")
            if not turn.declared:
                said.role = "play on"
        elif said.word in ("pause", "give"):
            self._note(turn, said, said.word)
        elif said.word == "withdraw":
            self._note(turn, said, "play on")

    def _note(self, turn: Turn, said: Said, role: str) -> None:
        said.role, said.opening = role, self.opening
        turn.notes.append(said)

    # Deal, end, pause, lost step.

    def _deal(self, said: Said) -> None:
        if self.turn is None:
            self.began = said.when
        if said.word == "dealt" and self.book.untimed:
            self.opening = plus(said.when, self.book.untimed)
        turn = self._open(None)
        if said.word == "dealt":
            self._note(turn, said, "dealt")

    def _open(self, after: Discard | None) -> Turn:
        """Begin a turn; whoever did not say that the deal ended has ended it by now."""
        if after and self.book.untimed and self.opening is None:
            self.opening = plus(after.when, self.book.untimed)
        self.turn = Turn(self.book, self.draws, DEALER, self.opening, after)
        return self.turn

    def _while_paused(self, turn: Turn, said: Said) -> None:
        """Go on; the pause is no part of the untimed opening, which ends so much later."""
        if said.word == "resume":
            pause = next(note for note in reversed(turn.notes) if note.word == "pause")
            if self.opening:
                self.opening = plus(self.opening, said.when.last - pause.when.last)
            self._note(turn, said, "resume")

    def _find_again(self, said: Said) -> None:
        """Go on with the next press that is told as it happens."""
        if said.word == "discard" and not said.replayed and said.seat:
            self.lost = False
            self.took.clear()
            self.pressed[said.seat] = said.when
            self._open(Discard(said.seat, said.when, said.when))

    def _end(self, turn: Turn, said: Said) -> None:
        """The hand is over: an unfinished turn counts, and so do the totals."""
        if not self.lost:
            self.made.winners = winners(turn)
            self._add_up(turn, said)
        self.turn = None
        if self.book.total is not None and said.word != "void":
            for seat in Seat:
                self.made.judge(TOTAL, seat, self.made.used[seat], self.book.total)

    # Draws at the wrong time. Two events of which nobody can tell the first charge nobody.

    def _draw(self, turn: Turn, said: Said) -> None:
        after, sensed = turn.after, BEFORE in self.book.sensed and not said.replayed
        if sensed and after and after.undrawn and not turn.notes and said.seat is after.seat:
            self.made.charge(BEFORE, after.seat, apart(after.when, said.when))
        if said.seat is turn.holder:
            self._note(turn, said, "own draw")
            return
        sure = turn.surely_on_turn(said) and said.seat not in self.took
        early = said.seat is turn.holder.lower
        self._note(turn, said, ("early" if sure else "maybe early") if early else "")
        if said.seat:
            self.took.add(said.seat)

    def _early_draw(self, turn: Turn, said: Said) -> None:
        """The next in order had drawn before the seat on turn discarded."""
        arranging = turn.after is None and self.book.opening_flowers
        if EARLY not in self.book.sensed or arranging or said.replayed or said.seat is None:
            return
        early = turn.early(said.seat.lower)
        drawn = [note.when for note in turn.notes if note.role == "own draw"]
        if early and any(apart(early.when, when).least > 0 for when in drawn):
            return  # Nobody knows any more whose turn it was when the next in order drew.
        if early and early.role == "early" and not early.replayed:
            self.made.charge(EARLY, said.seat.lower, apart(early.when, said.when))

    def _drawn_in_turn(self, early: Said | None, said: Said) -> None:
        """A draw that may as well have come after the discard was no early one."""
        if early and self.turn and apart(early.when, said.when).least <= 0:
            self._note(self.turn, early, "own draw")

    # Discards.

    def _discard(self, turn: Turn, said: Said) -> None:
        again = repeats(turn, self.pressed, said)
        if turn.declared and not again:
            self._note(turn, Said("withdraw", said.when), "play on")
        elif turn.declared:
            return
        if said.seat is None or self._late_press(turn, said) or again:
            return
        self._late_calls(turn, said)
        if said.seat is turn.holder:
            self._measure(turn.running(), said)
            self._early_draw(turn, said)
        self._empty_call(turn, said)
        self._add_up(turn, said)
        no_draw, passed_over = undrawn(turn, self.took, said), skipped(turn, said)
        out = turn.after and turn.has_tile and turn.holder is not said.seat
        left = {turn.holder} if out else set()
        self.pressed[said.seat] = said.when
        self.took = (self.took - {said.seat, *passed_over}) | left
        # House decision: a whole round in which nobody pressed is rather an elbow.
        unsure = said.replayed or (turn.after is None and said.seat.lower is turn.dealer)
        self._open(Discard(said.seat, said.when, said.when, unsure, passed_over, no_draw))
        self._drawn_in_turn(turn.early(said.seat.lower), said)

    def _late_press(self, turn: Turn, said: Said) -> bool:
        """A discard that a claim has shown already is pressed at last."""
        after = turn.after
        if after is None or after.pressed or after.seat is not said.seat:
            return False
        if passed(after.when, said.when).least > self.book.turn:
            return False
        after.pressed = self.pressed[after.seat] = said.when
        if after.when.first <= said.when.first and said.when.last <= after.when.last:
            after.when = said.when
        self._note(turn, said, "late press")
        return True

    def _empty_call(self, turn: Turn, said: Said) -> None:
        """A call has the tile, and the next in order plays on as if nobody had called."""
        tile = turn.tile
        if tile is None or tile.seat is None or not plays_on(turn, said):
            return
        sensed = EMPTY in self.book.sensed and tile.call in self.book.empty_calls
        known = self.book.reach is None and not tile.replayed and not said.replayed
        seen = turn.seen() and not turn.overdue(tile)
        if sensed and known and seen and in_order(turn, tile, said):
            self.made.fouls.append(Measured(EMPTY, tile.seat, None, None))

    # Claims.

    def _claim(self, turn: Turn, said: Said) -> None:
        meaning = role(turn, said)
        turn.doubt_early(said)
        if meaning == "shows":
            self._claim(self._implied(turn, said), said)
        elif meaning == "call":
            self._call(turn, said)
        elif meaning == "replacement" and self._fresh_limit(turn, said):
            self._measure(turn.running(), said)
            self._note(turn, said, "replacement")
        elif meaning == "replacement":
            self._note(turn, said, "inside" if turn.after else "nothing")
        else:
            self._note(turn, said, meaning)

    def _implied(self, turn: Turn, said: Said) -> Turn:
        """The claim shows a discard that was not pressed: some time since the one before."""
        since = turn.after.when if turn.after else self.began or said.when
        when = When(since.first, max(since.first, said.when.last), unseen=True)
        self._add_up(turn, None)
        self.took.discard(turn.holder)
        return self._open(Discard(turn.holder, when, None, said.replayed))

    def _call(self, turn: Turn, said: Said) -> None:
        """Take a call of the newest discard: late or not, refused or not, first or not."""
        late = turn.late(said)
        if said.seat and turn.measurable(said) and (said.call in OF_THREE or not late):
            self.made.judge(LATE, said.seat, turn.taken(said), self.book.window or 0)
        if late and not self.book.late_stands:
            self._note(turn, said, "refused")
            return
        self._note(turn, said, "stands")
        if turn.tile is said:
            said.role = "takes"

    def _late_calls(self, turn: Turn, said: Said) -> None:
        """Conclude that calls of unknown kind were late: play goes on as after a late call.

        House decision: where it is refused, its caller discards only what was called in time, of a
        discard that nobody pressed.
        """
        for call in turn.calls:
            after_it = plays_on(turn, said) and in_order(turn, call, said)
            shown = said.seat is call.seat if self.book.late_stands else after_it
            unknown = shown and call.call is None and not said.replayed
            if unknown and turn.late(call) and call.seat:
                self.made.judge(LATE, call.seat, turn.taken(call), self.book.window or 0)

    def _fresh_limit(self, turn: Turn, said: Said) -> bool:
        """Say whether a replacement opens a fresh limit; each seat has so many in a hand."""
        tiles = []
        either = self.book.flower_fresh or (self.book.kong_fresh and said.call is None)
        if either and turn.after and said.call is not Call.KONG:
            tiles.append(("flower", self.book.flowers))
        if self.book.kong_fresh and said.call is not Call.FLOWER:
            tiles.append(("kong", self.book.kongs))
        for tile, allowed in tiles:
            if turn.running() and said.seat and self.fresh_limits[said.seat, tile] < allowed:
                self.fresh_limits[said.seat, tile] += 1
                return True
        return False

    # Measures.

    def _measure(self, clock: Clock | None, said: Said) -> None:
        if clock and clock.counts and not said.replayed:
            taken, presumed = passed(clock.start, said.when), clock.presumed or clock.waits
            self.made.judge(OVER, clock.seat, taken, clock.limit, presumed=presumed)

    def _add_up(self, turn: Turn, ended: Said | None) -> None:
        for seat, span in used_in(turn, ended):
            self.made.use(seat, span)
