"""Written hands for Hypothesis: players with habits, near the limits, and whatever can go wrong.

A `Scene` is a list of stimuli with the moments at which they arrive. Moves are drawn one after the
other and look at the state only to know who is on turn, so that most of them make sense in play;
the rest is noise of every kind in any phase.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from hypothesis import strategies as st

from table.abilities import LiftAt
from table.commands import (
    AnswerCall,
    ConfirmHu,
    DrawHand,
    EndDeal,
    ExtraTime,
    GiveTime,
    HandCommand,
    Ordered,
    Pause,
    RestartHand,
    Resume,
    SeatPlayers,
    SeatStandIn,
    SetTurn,
    StartHand,
    VoidHand,
    WithdrawHu,
)
from table.events import (
    Call,
    ClaimPressed,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    DiscardPressed,
    DiscardReleased,
    Fault,
    FaultCleared,
    FaultRaised,
    HuDeclared,
    LiftSensed,
    LinkDown,
    LinkUp,
    MachineStopped,
    Observed,
    RefereeCalled,
    Restarted,
    TableEvent,
    TableRebooted,
    TileDrawn,
    WallRaised,
    WallReady,
    Woken,
)
from table.moment import MILLISECOND, ZERO, DeviceStamp, Interval, Moment, Quality
from table.restrictions import FREE, Restriction
from table.seat import BySeat, Seat
from tests.timing.books import (
    FIFTH,
    FROM_DISCARD,
    GB,
    JINGJI,
    LENIENT,
    MCR,
    REACHING,
    WINDOWLESS,
    WSOM,
    seconds,
)
from timing.hand import Hand, HandStimulus, Restricted, fresh, step
from timing.rules import TimeRules

START = Moment(0)
ENDS: tuple[HandCommand, ...] = (ConfirmHu(), DrawHand(), VoidHand("tiles fell"))
BOOKS = (MCR, MCR, GB, JINGJI, WSOM, FIFTH, FIFTH, FROM_DISCARD, LENIENT, REACHING, WINDOWLESS)
TAP = timedelta(milliseconds=80)
HOLD = timedelta(seconds=1)
ORDERS: tuple[HandCommand, ...] = (
    StartHand(),
    EndDeal(),
    Pause("tea"),
    Resume(),
    ConfirmHu(),
    WithdrawHu(),
    DrawHand(),
    VoidHand("tiles fell"),
    SeatPlayers(BySeat("ann", "bo", "cy", "di")),
    Resume(remaining=True),
    GiveTime(seconds(5), "a spilled tea"),
    ExtraTime(seconds(300), "the lift was stuck"),
    *(SetTurn(seat, "nobody pressed") for seat in Seat),
    ConfirmHu((Seat.TWO,)),
    RestartHand("a wrong wall"),
    SeatStandIn(Seat.THREE, "eve", "out for the session"),
    *(AnswerCall(seat) for seat in Seat),
)
DEAD = Restriction(no_hu=True, no_calls=True)
OUT = Restriction(no_hu=True, no_calls=True, mechanical=True, out=True)
RULINGS = (
    Restricted(BySeat.all(FREE)),
    Restricted(BySeat(FREE, DEAD, FREE, FREE)),
    Restricted(BySeat(FREE, FREE, OUT, FREE)),
)
ALL_EVENTS: tuple[TableEvent, ...] = (
    *(DiscardPressed(seat) for seat in Seat),
    *(DiscardReleased(seat) for seat in Seat),
    *(HuDeclared(seat) for seat in Seat),
    *(ClaimPressed(seat, call) for seat in Seat for call in (None, *Call)),
    *(RefereeCalled(seat) for seat in Seat),
    *(TileDrawn(seat) for seat in Seat),
    DealEnded(),
    WallRaised(),
    TableRebooted(),
    CycleStarted(),
    WallReady(),
    MachineStopped(),
    CyclePaused(),
    CycleResumed(),
    LiftSensed(LiftAt.RAISED),
    LiftSensed(LiftAt.LOWERED),
    DiceRolled((3, 4)),
    FaultRaised(Fault.TILE_JAM),
    FaultRaised(Fault.TILE_MISSING, 12, "wall counter", 3),
    FaultCleared(Fault.TILE_JAM),
    FaultCleared(Fault.TILE_MISSING, 12),
)
THINKING = tuple(
    seconds(span) for span in (0.4, 1, 2, 4, 6, 9.99, 10, 10.01, 13.01, 14, 16.5, 20, 20.01)
)
"""How long a seat takes, at and around the limits."""
CALLING = tuple(seconds(span) for span in (0.2, 1, 2.99, 3, 3.001, 3.01, 3.5, 4.2, 6, 6.01, 9))
"""How long after a discard a seat claims."""

seats = st.sampled_from(Seat)
calls = st.sampled_from([None, None, Call.PUNG, Call.PUNG, Call.KONG, Call.CHOW, Call.FLOWER])
doubts = st.sampled_from([ZERO, ZERO, MILLISECOND, 5 * MILLISECOND, 400 * MILLISECOND])


@dataclass
class Scene:
    """A hand in the making: its book, what has happened, and the state reached."""

    rules: TimeRules
    stamped: bool
    now: Moment = START
    state: Hand = field(default_factory=lambda: fresh("t1"))
    happenings: list[tuple[Moment, HandStimulus]] = field(default_factory=list)

    def add(self, stimulus: HandStimulus, *, after: timedelta = ZERO) -> None:
        self.now += after
        self.happenings.append((self.now, stimulus))
        self.state = step(self.rules, self.state, stimulus, self.now).state

    def see(self, event: TableEvent, doubt: timedelta, *, replayed: bool = False) -> Interval:
        when = self.interval(doubt)
        self.add(Observed(event, when, replayed))
        return when

    def interval(self, doubt: timedelta) -> Interval:
        at = self.now - Moment(0)
        stamp = DeviceStamp("box-7/boot-1", at, MILLISECOND) if self.stamped else None
        return Interval(self.now - doubt, self.now + doubt, Quality.DEVICE, stamp)


Move = Callable[[st.DrawFn, Scene], None]


def _discard(draw: st.DrawFn, scene: Scene) -> None:
    """Let the seat on turn discard, or another one if that forgets its press."""
    late = draw(st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2, 3]))
    seat = (scene.state.on_turn or draw(seats)).after(late)
    doubt, takes = draw(doubts), draw(st.sampled_from(THINKING))
    if scene.state.inputs.draws and draw(st.booleans()):
        scene.now += draw(st.sampled_from(CALLING))
        scene.see(TileDrawn(seat), doubt)
    scene.now += takes
    when = scene.see(DiscardPressed(seat), doubt, replayed=draw(st.integers(0, 19)) == 0)
    if scene.state.inputs.holds:
        scene.add(Observed(DiscardReleased(seat), when), after=TAP)


def _claim(draw: st.DrawFn, scene: Scene) -> None:
    scene.now += draw(st.sampled_from(CALLING))
    when = scene.interval(draw(doubts))
    event = ClaimPressed(draw(seats), draw(calls))
    delay = draw(st.sampled_from([ZERO, TAP, HOLD]))
    scene.add(Observed(event, when, draw(st.integers(0, 19)) == 0), after=delay)


def _replace(draw: st.DrawFn, scene: Scene) -> None:
    scene.now += draw(st.sampled_from(THINKING))
    call = draw(st.sampled_from([None, Call.KONG, Call.FLOWER]))
    scene.see(ClaimPressed(scene.state.on_turn or draw(seats), call), draw(doubts))


def _hu(draw: st.DrawFn, scene: Scene) -> None:
    """Hold `discard`: the press comes first and the hu a second after it."""
    seat, doubt = draw(seats), draw(doubts)
    scene.now += draw(st.sampled_from(THINKING))
    when = scene.see(DiscardPressed(seat), doubt)
    scene.add(Observed(HuDeclared(seat), when), after=HOLD)


def _order(draw: st.DrawFn, scene: Scene) -> None:
    after = draw(st.sampled_from(THINKING))
    scene.add(Ordered(draw(st.sampled_from(ORDERS)), "referee"), after=after)


def _pause(draw: st.DrawFn, scene: Scene) -> None:
    """Pause, let something happen or not, and resume."""
    scene.add(Ordered(Pause("tea"), "referee"), after=draw(st.sampled_from(THINKING)))
    for event in draw(st.lists(st.sampled_from(ALL_EVENTS), max_size=1)):
        scene.see(event, ZERO)
    resume = Resume(remaining=draw(st.booleans()))
    scene.add(Ordered(resume, "referee"), after=seconds(30))


def _rule(draw: st.DrawFn, scene: Scene) -> None:
    scene.add(draw(st.sampled_from(RULINGS)))


def _end(draw: st.DrawFn, scene: Scene) -> None:
    """End the hand, and mostly deal the next."""
    command = draw(st.sampled_from(ENDS))
    scene.add(Ordered(command, "referee"), after=seconds(2))
    if draw(st.booleans()):
        _deal(draw, scene)


def _deal(draw: st.DrawFn, scene: Scene) -> None:
    if draw(st.booleans()):
        scene.see(WallRaised(), draw(doubts))
        scene.now += seconds(30)
    scene.see(DealEnded(), draw(doubts))


def _outage(draw: st.DrawFn, scene: Scene) -> None:
    scene.add(LinkDown("cut"), after=draw(st.sampled_from(THINKING)))
    scene.add(LinkUp(scene.state.inputs.holds, scene.state.inputs.draws), after=seconds(5))
    replayed = draw(st.lists(st.sampled_from(ALL_EVENTS), max_size=3))
    for event in replayed:
        scene.see(event, ZERO, replayed=True)


def _restart(draw: st.DrawFn, scene: Scene) -> None:
    del draw
    scene.add(Restarted("restart"))


def _noise(draw: st.DrawFn, scene: Scene) -> None:
    scene.now += draw(st.sampled_from([ZERO, seconds(0.5), seconds(12)]))
    scene.see(draw(st.sampled_from(ALL_EVENTS)), draw(doubts))


def _quiet(draw: st.DrawFn, scene: Scene) -> None:
    scene.add(Woken(), after=draw(st.sampled_from(THINKING)))


MOVES: tuple[Move, ...] = (
    *(_discard,) * 12,
    *(_claim,) * 6,
    *(_replace,) * 2,
    _hu,
    _order,
    _order,
    _pause,
    _rule,
    _end,
    _deal,
    _outage,
    _restart,
    _noise,
    _noise,
    _quiet,
)


@st.composite
def scenes(draw: st.DrawFn, *, longest: int = 14) -> Scene:
    """Draw a table's play: connected, mostly dealt, up to so many moves, and often an end."""
    scene = Scene(draw(st.sampled_from(BOOKS)), draw(st.booleans()))
    scene.add(LinkUp(holds=draw(st.booleans()), draws=draw(st.booleans())))
    if draw(st.integers(0, 19)):
        _deal(draw, scene)
    for move in draw(st.lists(st.sampled_from(MOVES), min_size=3, max_size=longest)):
        move(draw, scene)
    if draw(st.booleans()):
        scene.add(Ordered(DrawHand("the wall is empty"), "referee"), after=seconds(2))
    return scene


def all_replayed(scene: Scene) -> list[tuple[Moment, HandStimulus]]:
    """Return the same play with every event delivered after an outage."""
    return [
        (now, replace(stimulus, replayed=True) if isinstance(stimulus, Observed) else stimulus)
        for now, stimulus in scene.happenings
    ]
