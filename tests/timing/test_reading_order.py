"""What happens at once is heard the same in whatever order it was read."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from hypothesis import event, given, note
from hypothesis import strategies as st

from table.commands import ConfirmHu, HandCommand, Ordered, WithdrawHu
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    LinkUp,
    Observed,
    TableEvent,
    TileDrawn,
    Woken,
)
from table.fouls import FoulSeen
from table.moment import MILLISECOND, ZERO, DeviceStamp, Interval, Moment, Quality
from table.seat import Seat
from tests.timing.books import seconds
from tests.timing.strategies import BOOKS, CALLING, HOLD, START, TAP, THINKING
from timing.effects import HandEffect, HandEnded, HuRanked
from timing.hand import Hand, HandStimulus, Turn, fresh, step
from timing.precedence import holder
from timing.rules import TimeRules


@dataclass
class Reading:
    """One order in which a play is read."""

    rules: TimeRules
    state: Hand = field(default_factory=lambda: fresh("t1"))
    effects: list[HandEffect] = field(default_factory=list)

    def read(self, now: Moment, stimulus: HandStimulus) -> None:
        done = step(self.rules, self.state, stimulus, now)
        self.state = done.state
        self.effects.extend(done.effects)

    def outcome(self) -> object:
        """Return what must not depend on the order: whose turn, whose tile, whose hu and foul."""
        phase = self.state.phase
        has = holder(phase.pool) if isinstance(phase, Turn) else None
        ranked = [effect for effect in self.effects if isinstance(effect, HuRanked)]
        ended = [effect for effect in self.effects if isinstance(effect, HandEnded)]
        fouls = [each for each in self.effects if isinstance(each, FoulSeen)]
        return (
            type(phase),
            self.state.on_turn,
            has and (has.seat, has.call),
            (ranked[-1].winners, ranked[-1].discarder, ranked[-1].kong) if ranked else None,
            ended,
            sorted((each.kind, each.seat, each.rule, repr(each.ended)) for each in fouls),
        )


@dataclass
class Twice:
    """A play that is read in two orders."""

    draw: st.DrawFn
    first: Reading
    second: Reading
    holds: bool
    stamped: bool
    now: Moment = START

    def read(self, stimulus: HandStimulus) -> None:
        for reading in (self.first, self.second):
            reading.read(self.now, stimulus)

    def at_once(self, events: list[TableEvent]) -> list[Observed]:
        """Let events happen so that any two of them must be taken as simultaneous."""
        doubt = self.draw(st.sampled_from([ZERO, MILLISECOND, 20 * MILLISECOND, seconds(0.2)]))
        apart = min(doubt, MILLISECOND / 2) if self.stamped else doubt
        happened = []
        for each in events:
            ahead = self.draw(st.integers(-4, 4)) * apart / 4
            happened.append(Observed(each, self._around(self.now + ahead, doubt)))
        self.now += doubt * 2
        return happened

    def shuffled(self, happened: list[Observed]) -> None:
        """Read the same events in the one order and in another, woken in between or not."""
        note(f"{self.now.micros / 1e6}: {[(e.event, e.when.earliest.micros) for e in happened]}")
        for seen in happened:
            self.first.read(self.now, seen)
        for seen in self.draw(st.permutations(happened)):
            self.second.read(self.now, seen)
            if self.draw(st.booleans()):
                self.second.read(self.now, Woken())

    def _around(self, at: Moment, doubt: timedelta) -> Interval:
        stamp = DeviceStamp("box-7/boot-1", at - Moment(0), MILLISECOND) if self.stamped else None
        return Interval(at - doubt, at + doubt, Quality.DEVICE, stamp)


def _discard(play: Twice, *beside: TableEvent) -> None:
    """Let the seat on turn discard, or the one that was passed over by a claim."""
    phase = play.first.state.phase
    seat = play.first.state.on_turn or Seat.ONE
    if isinstance(phase, Turn) and play.draw(st.integers(0, 3)) == 0:
        seat = phase.pool.seat.lower
    play.now += play.draw(st.sampled_from(THINKING))
    pressed = play.at_once([DiscardPressed(seat), *beside])
    play.shuffled(pressed)
    if play.holds:
        play.now += TAP
        play.read(replace(pressed[0], event=DiscardReleased(seat)))


def _discard_and_draw(play: Twice) -> None:
    """Let the next seat reach for the wall as the seat on turn discards."""
    on_turn = play.first.state.on_turn
    if on_turn is None or not play.first.state.inputs.draws:
        return _discard(play)
    return _discard(play, TileDrawn(on_turn.lower))


def _calls(play: Twice) -> None:
    """Let two or three seats call, draw or declare hu at the same time."""
    phase = play.first.state.phase
    if not isinstance(phase, Turn) or phase.pool.claims:
        return
    play.now += play.draw(st.sampled_from(CALLING))
    seats = play.draw(st.permutations([seat for seat in Seat if seat is not phase.pool.seat]))
    some = seats[: play.draw(st.integers(2, 3))]
    known = play.draw(st.booleans()) or phase.drawn
    said = [_said(play, phase, seat, known=known) for seat in some]
    happened = play.at_once(said)
    play.shuffled(happened)
    held = [(seen.event.seat, seen) for seen in happened if isinstance(seen.event, DiscardPressed)]
    if held:
        play.now += HOLD
        play.shuffled([replace(seen, event=HuDeclared(seat)) for seat, seen in held])
        _verify(play)


def _said(play: Twice, turn: Turn, seat: Seat, *, known: bool) -> TableEvent:
    """Return what a seat says of the discard: what the next seat says is a call for certain.

    A call of unknown kind may show a discard that nobody pressed, most of all after a draw; a call
    that was read before it is judged by then. So all calls of one moment are of either sort.
    """
    following = seat is turn.pool.seat.lower
    others = [Call.PUNG, Call.KONG] if known else [None]
    calls = [Call.CHOW, Call.PUNG] if following else others
    said: list[TableEvent] = [ClaimPressed(seat, play.draw(st.sampled_from(calls)))]
    if play.holds:
        said.append(DiscardPressed(seat))
    if following and play.first.state.inputs.draws:
        said.append(TileDrawn(seat))
    return play.draw(st.sampled_from(said))


def _verify(play: Twice) -> None:
    assert play.first.outcome() == play.second.outcome()
    play.now += seconds(20)
    command: HandCommand = ConfirmHu() if play.draw(st.booleans()) else WithdrawHu()
    play.read(Ordered(command, "referee"))


@st.composite
def readings(draw: st.DrawFn) -> Twice:
    rules = draw(st.sampled_from(BOOKS))
    holds, senses = draw(st.booleans()), draw(st.booleans())
    play = Twice(draw, Reading(rules), Reading(rules), holds, draw(st.booleans()))
    play.read(LinkUp(holds=holds, draws=senses))
    play.read(Observed(DealEnded(), Interval.exactly(play.now)))
    moves = (_discard, _calls, _discard_and_draw)
    _discard(play)
    for move in draw(st.lists(st.sampled_from(moves), min_size=2, max_size=8)):
        move(play)
        assert play.first.outcome() == play.second.outcome()
    return play


@given(readings())
def test_simultaneous_calls_draws_and_hu_have_one_outcome_in_any_reading_order(play: Twice) -> None:
    kinds = {effect.kind for effect in play.first.effects if isinstance(effect, FoulSeen)}
    for kind in kinds:
        event(f"foul {kind}")
    assert play.first.outcome() == play.second.outcome()
