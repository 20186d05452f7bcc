"""The whole table as one pure core: hand, machine and docket in step with each other.

The live table loop, the rehearsal and the replay of the journal all drive this one function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from scoring import docket
from scoring.docket import Charged, Docket, HandBegan
from scoring.effects import DocketEffect
from scoring.rules import FoulRules
from table.answers import Code, Refused
from table.commands import (
    Acknowledge,
    Confirm,
    Lift,
    Modify,
    Ordered,
    Reverse,
    RollDice,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    Stop,
    Waive,
)
from table.events import (
    CycleStarted,
    DiceRolled,
    FaultCleared,
    FaultRaised,
    LinkDown,
    LinkUp,
    MachineStopped,
    Observed,
    Restarted,
    WallRaised,
    WallReady,
    Woken,
)
from table.fouls import FoulSeen
from table.moment import Moment
from timing import hand, machine
from timing.effects import HandStarted, TimingEffect
from timing.machine import Machine, MotorOrder
from timing.phases import Hand
from timing.rules import TimeRules

Stimulus: TypeAlias = Observed | Ordered | LinkUp | LinkDown | Restarted | Woken
Effect: TypeAlias = TimingEffect | DocketEffect

_MACHINE_EVENTS = (
    CycleStarted,
    WallReady,
    WallRaised,
    MachineStopped,
    DiceRolled,
    FaultRaised,
    FaultCleared,
)
_MOTOR_COMMANDS = (Shuffle, Lift, RollDice, Stop)
_SIGNALS = (SoundBuzzer, SetLamp)
_RULINGS = (Acknowledge, Confirm, Modify, Waive, Reverse)


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules a table is played under."""

    time: TimeRules
    fouls: FoulRules


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything the core knows of one table."""

    hand: Hand
    machine: Machine
    docket: Docket


@dataclass(frozen=True, slots=True)
class Step:
    """A new state and what follows, in order."""

    state: TableState
    effects: tuple[Effect, ...] = ()

    def then(self, follow: "Callable[[TableState], Step]") -> "Step":
        """Let another step follow on the state reached."""
        following = follow(self.state)
        return Step(following.state, self.effects + following.effects)


def fresh(table: str) -> TableState:
    """Return the state of a table of which nothing is known."""
    return TableState(hand.fresh(table), machine.fresh(), docket.fresh())


def wake_at(rules: TableRules, state: TableState) -> Moment | None:
    """Return the next moment at which time alone changes something.

    Never before the last moment handled, even where a happening told late set it off.
    """
    moments = (
        hand.wake_at(rules.time, state.hand),
        machine.wake_at(rules.time, state.machine),
        docket.wake_at(state.docket),
    )
    due = min((moment for moment in moments if moment is not None), default=None)
    return None if due is None else max(due, state.hand.last or due)


def step(rules: TableRules, state: TableState, stimulus: Stimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply one stimulus.

    Total: every stimulus has an answer in every phase; what does not fit is Ignored or Refused.
    With `Restarted` moments start anew: no time passes to it, and `now` may be lower than before.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    if isinstance(stimulus, Restarted):
        return _apply(rules, state, stimulus, now)
    passed = _pass_to(rules, state, now)
    if (refused := _precondition_missed(state, stimulus)) is not None:
        still = passed.then(partial(_wake, rules, now))
        return Step(still.state, (*still.effects, refused))
    return passed.then(lambda s: _apply(rules, s, stimulus, now))


def _pass_to(rules: TableRules, state: TableState, now: Moment) -> Step:
    """Let everything happen that is due, each at its moment, so that its order is that of time."""
    passed = Step(state)
    while (due := wake_at(rules, passed.state)) is not None and due <= now:
        passed = passed.then(partial(_wake, rules, due))
    return passed


def _wake(rules: TableRules, due: Moment, state: TableState) -> Step:
    return _apply(rules, state, Woken(), due)


def _apply(rules: TableRules, state: TableState, stimulus: Stimulus, now: Moment) -> Step:
    """Give hand, machine and docket their part of one stimulus."""
    running = hand.running(state.hand)
    played = hand.step(rules.time, state.hand, _for_hand(stimulus), now)
    moved = machine.step(
        rules.time, state.machine, _for_machine(stimulus, hand_running=running), now
    )
    ruled = docket.step(rules.fouls, state.docket, _for_docket(stimulus), now)
    judged = _judge(rules.fouls, ruled.docket, played, now)
    return Step(
        TableState(played.state, moved.state, judged.docket),
        (*ruled.effects, *judged.effects, *moved.effects, *_signalled(stimulus)),
    )


def _signalled(stimulus: Stimulus) -> tuple[Effect, ...]:
    """Let an ordered buzzer or lamp through; nothing at the table depends on it."""
    match stimulus:
        case Ordered(command=SoundBuzzer() | SetLamp() as signal):
            return (signal,)
        case _:
            return ()


def _judge(rules: FoulRules, before: Docket, played: hand.Step, now: Moment) -> "_Judged":
    """Put what the hand says on the docket, each happening right before what follows from it."""
    current = before
    effects: list[Effect] = []
    for effect in played.effects:
        effects.append(effect)
        if isinstance(effect, FoulSeen):
            charged = Charged(effect, played.state.players[effect.seat])
            ruled = docket.step(rules, current, charged, now)
        elif isinstance(effect, HandStarted):
            ruled = docket.step(rules, current, HandBegan(effect.hand), now)
        else:
            continue
        current = ruled.docket
        effects.extend(ruled.effects)
    return _Judged(current, tuple(effects))


@dataclass(frozen=True, slots=True)
class _Judged:
    docket: Docket
    effects: tuple[Effect, ...]


def _precondition_missed(state: TableState, stimulus: Stimulus) -> Refused | None:
    """Refuse an order that rests on a hand or a machine state that has passed."""
    if not isinstance(stimulus, Ordered):
        return None
    wanted = stimulus.precondition
    if wanted.hand is not None and wanted.hand != state.hand.hand:
        now_played = state.hand.hand or "not dealt yet"
        return Refused(
            Code.STALE, f"the order is for hand {wanted.hand}, the table's is {now_played}"
        )
    if wanted.machine_seq is not None and wanted.machine_seq != state.machine.seq:
        return Refused(
            Code.STALE,
            f"the order rests on machine state {wanted.machine_seq},"
            f" the machine has moved on to {state.machine.seq}",
        )
    return None


def _for_hand(stimulus: Stimulus) -> hand.HandStimulus:
    """Pick what concerns the hand; for anything else only its time passes."""
    match stimulus:
        case Observed(event=event) if isinstance(event, _MACHINE_EVENTS):
            return stimulus if isinstance(event, WallRaised) else Woken()
        case Ordered(command=command) if isinstance(
            command, (*_MOTOR_COMMANDS, *_SIGNALS, *_RULINGS)
        ):
            return Woken()
        case _:
            return stimulus


def _for_machine(stimulus: Stimulus, *, hand_running: bool) -> machine.MachineStimulus:
    match stimulus:
        case Observed(event=event) if not isinstance(event, _MACHINE_EVENTS):
            return Woken()
        case Ordered(command=command) if isinstance(command, _MOTOR_COMMANDS):
            return MotorOrder(command, hand_running)
        case Ordered():
            return Woken()
        case _:
            return stimulus


def _for_docket(stimulus: Stimulus) -> docket.DocketStimulus:
    match stimulus:
        case Ordered(command=command) if isinstance(command, _RULINGS):
            return stimulus
        case Restarted():
            return stimulus
        case _:
            return Woken()
