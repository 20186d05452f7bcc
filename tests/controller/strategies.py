"""Evenings at one whole table for Hypothesis: play, its machine, and referees who rule.

The play is drawn by `tests.timing.strategies`, near its limits and with everything that can go
wrong; between its happenings come orders for motors, buzzers and lamps, reports of the machine, and
rulings on the alerts the play has raised. Moments start anew where the whole machine was restarted.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta

from hypothesis import event
from hypothesis import strategies as st

from controller.table_core import Step as Taken
from controller.table_core import Stimulus, TableRules, TableState, fresh, step
from scoring.alert import UNDECIDED, Alert, AlertStatus
from table.abilities import Abilities, LiftAt
from table.alert_commands import (
    Acknowledge,
    AddNote,
    Confirm,
    EnterFoul,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.commands import (
    Command,
    DrawHand,
    EnterDice,
    Lift,
    Ordered,
    PauseCycle,
    Precondition,
    ResumeCycle,
    RollDice,
    SetLamp,
    SetLift,
    Shuffle,
    SoundBuzzer,
    Stop,
)
from table.events import (
    Call,
    ClaimPressed,
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    LinkUp,
    MachineEvent,
    MachineStopped,
    Observed,
    Restarted,
    WallRaised,
    WallReady,
)
from table.fouls import FoulKind, FoulSeen
from table.moment import MILLISECOND, ZERO, Interval, Moment, Quality
from table.sanctions import WARNING, Measure, measure, pay_each, points
from table.seat import Seat
from tests.scoring import cases
from tests.timing.books import JINGJI_WALL, MCR_WALL, WSOM_WALL
from tests.timing.strategies import ALL_EVENTS, MOVES, ORDERS, Move, Scene, scenes
from timing.hand import Restricted

BRIEF = replace(cases.MCR, lease=timedelta(seconds=5))
"""An alert is kept so shortly that leases end in the middle of play."""
SIGNALS = (SoundBuzzer(Seat.TWO, 300 * MILLISECOND), SetLamp(Seat.FOUR, lit=True))
MOTORS = (Shuffle(), Lift(), RollDice(), Stop(), PauseCycle(), ResumeCycle())
POSITIONS = tuple(SetLift(position) for position in LiftAt)
REPORTS: tuple[MachineEvent, ...] = (
    CyclePaused(),
    CycleResumed(),
    *(LiftSensed(position) for position in LiftAt),
    CycleStarted(),
    CycleStarted(),
    WallReady(),
    MachineStopped(),
    FaultRaised(Fault.OVERHEAT, 7),
    FaultCleared(Fault.OVERHEAT),
)
FOUND = Condition(cycling=True, wall_ready=False, wall_raised=True)


@dataclass
class Evening:
    """What happened at a table, and the state it has come to."""

    rules: TableRules
    state: TableState = field(default_factory=lambda: fresh("t1"))
    happenings: list[tuple[Moment, Stimulus]] = field(default_factory=list)

    def add(self, now: Moment, stimulus: Stimulus) -> None:
        self.happenings.append((now, stimulus))
        self.state = step(self.rules, self.state, stimulus, now).state

    @property
    def end(self) -> Moment:
        return self.happenings[-1][0]


@dataclass(frozen=True)
class Turn:
    """One stimulus, and what the core made of it."""

    now: Moment
    stimulus: Stimulus
    taken: Taken


def played(rules: TableRules, happenings: list[tuple[Moment, Stimulus]]) -> Iterator[Turn]:
    """Play an evening from the beginning, turn after turn."""
    state = fresh("t1")
    for now, stimulus in happenings:
        taken = step(rules, state, stimulus, now)
        yield Turn(now, stimulus, taken)
        state = taken.state


def told(evening: Evening) -> list[Turn]:
    """Play an evening, and have Hypothesis print which phases it reached and whether it fouled."""
    turns = list(played(evening.rules, evening.happenings))
    for phase in sorted(reached(turns)):
        event(phase)
    event(f"with a foul: {bool(fouls(turns))}")
    return turns


def reached(turns: list[Turn]) -> set[str]:
    """Return the phases of hand, machine and alerts that an evening has gone through."""
    states = [turn.taken.state for turn in turns]
    return {
        *(f"hand {type(state.hand.phase).__name__}" for state in states),
        *(f"machine {state.machine.phase_name}" for state in states),
        *(f"alert {alert.status}" for state in states for alert in state.docket.alerts.values()),
    }


def fouls(turns: list[Turn]) -> list[FoulSeen]:
    """Return the fouls of an evening."""
    return [one for turn in turns for one in turn.taken.effects if isinstance(one, FoulSeen)]


Besides = Callable[[st.DrawFn, Evening, Moment], Stimulus]

people = st.sampled_from(("referee-1", "referee-2"))
behind = st.sampled_from((0, 0, 0, 0, 1))
MEASURES = (Measure.HAND_VOID, Measure.NO_HU, Measure.NO_HU_NO_CALLS, Measure.OUT_FOR_SESSION)
sanctions = st.sampled_from(
    (WARNING, points(5), points(60), points(7), pay_each(10), *map(measure, MEASURES))
)
reasons = st.sampled_from((*("rude",) * 6, ""))
motors: st.SearchStrategy[Command] = st.sampled_from((*MOTORS, *POSITIONS))
signals: st.SearchStrategy[Command] = st.sampled_from(SIGNALS)
orders: st.SearchStrategy[Command] = st.sampled_from(ORDERS)
reports, happenings = st.sampled_from(REPORTS), st.sampled_from(ALL_EVENTS)
conditions = st.sampled_from((None, FOUND, replace(FOUND, cycling=False)))
waits = st.sampled_from((2, 15, 60)).map(lambda count: timedelta(seconds=count))
too_long = st.sampled_from((17, 24, 40)).map(lambda count: timedelta(seconds=count))
KINDS = (FoulKind.FALSE_HU, FoulKind.DISCARD_OVER_LIMIT, FoulKind.LATE_PUNG, FoulKind.COLLUSION)
entries: st.SearchStrategy[Command] = st.sampled_from(
    [EnterFoul(kind, seat, "seen") for kind in KINDS for seat in Seat]
)
throws: st.SearchStrategy[Command] = st.sampled_from(
    (EnterDice(1, (3, 4)), EnterDice(2, (6, 6)), EnterDice(3, (1, 1)), EnterDice(1, (0, 7)))
)
POWERFUL = replace(BRIEF, powers=replace(BRIEF.powers, each=(10,), measures=frozenset(MEASURES)))
"""Every measure may be imposed for every foul."""
ladders = st.sampled_from(
    (
        *(cases.MCR, BRIEF, POWERFUL, POWERFUL, cases.RECORDING, cases.KEEPING),
        *(cases.CLAIMING, cases.CLAIMING, cases.WITH_CHIEF, *cases.BOOKS.values()),
    )
)
walls = st.sampled_from((MCR_WALL, JINGJI_WALL, WSOM_WALL))


def _rule(draw: st.DrawFn, evening: Evening, _now: Moment) -> Stimulus:
    """Rule on an alert: mostly one that is there, at the revision it has, as it still can be."""
    alerts = list(evening.state.docket.alerts.values())
    if not alerts:
        return Ordered(Confirm("t1-1-f1", 1), draw(people))
    alert = draw(st.sampled_from(alerts))
    revision, reason = alert.revision - draw(behind), draw(reasons)
    rulings: tuple[Command, ...] = (
        *_first(alert, revision, reason),
        Confirm(alert.id, revision),
        *(Modify(alert.id, revision, draw(sanctions), reason) for _ in range(2)),
        Waive(alert.id, revision, reason),
        Escalate(alert.id, revision, reason),
        AddNote(alert.id, reason),
    )
    return Ordered(draw(st.sampled_from(rulings)), draw(people))


def _first(alert: Alert, revision: int, reason: str) -> tuple[Command, ...]:
    """Return what is likely to be ordered of an alert, as it stands."""
    if alert.status is AlertStatus.UNCLAIMED:
        return (TakeUp(alert.id, revision, alert.foul.seat.lower),) * 2
    if alert.status in UNDECIDED:
        return (Acknowledge(alert.id, revision),)
    return (*(Reverse(alert.id, revision, reason),) * 3, Undo(alert.id, revision))


def _move(draw: st.DrawFn, evening: Evening, _now: Moment) -> Stimulus:
    """Order a motor, resting on the machine as it is, or as it was."""
    seq = evening.state.machine.seq - draw(behind)
    return Ordered(draw(motors), "staff", Precondition(machine_seq=seq))


def _order(draw: st.DrawFn, evening: Evening, _now: Moment) -> Stimulus:
    """Order something of a hand, resting on the hand that is played, or on another."""
    hand = "t1-9" if draw(behind) else evening.state.hand.hand
    return Ordered(draw(orders), "referee-1", Precondition(hand))


def _enter(draw: st.DrawFn, evening: Evening, _now: Moment) -> Stimulus:
    """Enter a foul, resting on the hand that is played, or on another."""
    hand = "t1-9" if draw(behind) else evening.state.hand.hand
    return Ordered(draw(entries), draw(people), Precondition(hand))


def _throw(draw: st.DrawFn, _evening: Evening, _now: Moment) -> Stimulus:
    return Ordered(draw(throws), "staff")


def _signal(draw: st.DrawFn, _evening: Evening, _now: Moment) -> Stimulus:
    return Ordered(draw(signals), "staff")


def _report(draw: st.DrawFn, _evening: Evening, now: Moment) -> Stimulus:
    return Observed(draw(reports), Interval.exactly(now, Quality.DEVICE))


def _find(draw: st.DrawFn, evening: Evening, _now: Moment) -> Stimulus:
    inputs = evening.state.hand.inputs
    able = Abilities(reopen=draw(st.booleans()), lift_toggles=draw(st.booleans()))
    return LinkUp(inputs.holds, inputs.draws, draw(conditions), able)


def _tell_late(draw: st.DrawFn, _evening: Evening, now: Moment) -> Stimulus:
    """Tell what happened a while ago, during an outage."""
    return Observed(draw(happenings), Interval.exactly(now - draw(waits)), replayed=True)


BESIDES: tuple[tuple[Besides, ...], ...] = (
    *((),) * 6,
    *((_rule,),) * 3,
    *((_rule, _rule), (_move,), (_order,), (_signal,), (_report,), (_report, _move)),
    *((_find,), (_tell_late,), (_tell_late, _signal)),
    *((_enter,), (_enter, _rule), (_throw,), (_throw, _throw)),
)
besides = st.sampled_from(BESIDES)


def _overrun(draw: st.DrawFn, scene: Scene) -> None:
    """Have whoever is on turn discard later than most limits."""
    if scene.state.on_turn is None:
        scene.see(DealEnded(), ZERO)
    scene.now += draw(too_long)
    _press(scene, scene.state.on_turn or Seat.ONE)


def _late_pung(draw: st.DrawFn, scene: Scene) -> None:
    """Have the seat across call pung after every window."""
    del draw
    seat = scene.state.on_turn or Seat.ONE
    scene.now += timedelta(seconds=5)
    _press(scene, seat)
    scene.now += timedelta(seconds=4.2)
    scene.see(ClaimPressed(seat.opposite, Call.PUNG), ZERO)


def _press(scene: Scene, seat: Seat) -> None:
    when = scene.see(DiscardPressed(seat), ZERO)
    if scene.state.inputs.holds:
        scene.add(Observed(DiscardReleased(seat), when), after=80 * MILLISECOND)


def _next_hand(draw: st.DrawFn, scene: Scene) -> None:
    """End the hand and deal the next before anybody rules."""
    scene.now += draw(waits)
    scene.see(WallRaised(), ZERO)
    scene.add(Ordered(DrawHand(), "referee-1"))
    scene.see(DealEnded(), ZERO)


foul_moves: st.SearchStrategy[list[Move]] = st.lists(
    st.sampled_from((_overrun, _late_pung)), max_size=2
)
more_moves: st.SearchStrategy[list[Move]] = st.lists(
    st.sampled_from((*MOVES, *(_next_hand,) * 9)), max_size=4
)


@st.composite
def _plays(draw: st.DrawFn) -> Scene:
    """Draw some play, mostly one in which somebody fouls before it goes on."""
    scene = draw(scenes(longest=8))
    for foul in draw(foul_moves):
        foul(draw, scene)
    for move in draw(more_moves):
        move(draw, scene)
    return scene


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    """Draw an evening at one table."""
    scene = draw(_plays())
    evening = Evening(TableRules(scene.rules, draw(ladders), draw(walls)))
    offset = ZERO
    for at, stimulus in scene.happenings:
        if isinstance(stimulus, Restricted):
            continue  # the table does that by itself, when a referee rules
        if isinstance(stimulus, Restarted):
            offset = draw(st.sampled_from((offset, at - Moment(0), timedelta(hours=-1))))
        now = at - offset
        evening.add(now, _moved(stimulus, offset))
        for beside in draw(besides):
            evening.add(now, beside(draw, evening, now))
        if bool(evening.state.docket.alerts) and draw(st.booleans()):
            evening.add(now, _rule(draw, evening, now))
    return evening


def _moved(stimulus: Stimulus, offset: timedelta) -> Stimulus:
    """Tell a happening in the moments of the present session; the box's own clock runs on."""
    if not isinstance(stimulus, Observed):
        return stimulus
    when = stimulus.when
    moved = replace(when, earliest=when.earliest - offset, latest=when.latest - offset)
    return replace(stimulus, when=moved)
