"""The play of hands at one table: what follows from what seats, sensors and referees say.

The table of phases is in `timing.phases`; each module beside this one holds one thing that can
happen: passing time, discards, claims, replacements, draws, hu, orders, lost step.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from table.arming import Arming, TableArmed, TableDisarmed
from table.commands import Ordered
from table.events import (
    ClaimPressed,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    DiscardPressed,
    DiscardReleased,
    FaultCleared,
    FaultRaised,
    HuDeclared,
    InputDismissed,
    LiftSensed,
    LinkDown,
    LinkUp,
    MachineFound,
    MachineStopped,
    Observed,
    RefereeCalled,
    Restarted,
    TableRebooted,
    TileDrawn,
    WallRaised,
    WallReady,
    Woken,
)
from table.moment import Interval, Moment
from table.restrictions import Restriction
from table.seat import BySeat
from timing.declarations import declare
from timing.hearing import hear
from timing.judgement import Gesture
from timing.orders import obey
from timing.outage import lose_step, rebased
from timing.passing import next_happening, pass_to
from timing.phases import (
    Arranging,
    Hand,
    Idle,
    Inputs,
    Over,
    Paused,
    Phase,
    Turn,
    Unsynced,
    Verifying,
)
from timing.powers import restrict
from timing.referee_calls import call_referee
from timing.rules import TimeRules
from timing.session import deal_signalled, wall_raised
from timing.steps import Step, ignored

__all__ = [
    "Arranging",
    "Hand",
    "HandStimulus",
    "Idle",
    "Inputs",
    "Over",
    "Paused",
    "Phase",
    "Restricted",
    "Step",
    "Turn",
    "Unsynced",
    "Verifying",
    "fresh",
    "running",
    "step",
    "wake_at",
]

_SeatSaid: TypeAlias = (
    DiscardPressed | DiscardReleased | HuDeclared | ClaimPressed | RefereeCalled | TileDrawn
)


@dataclass(frozen=True, slots=True)
class Restricted:
    """What the standing rulings forbid each seat from now on (docs/adr/0019)."""

    restrictions: BySeat[Restriction]


HandStimulus: TypeAlias = (
    Observed | Ordered | Restricted | Arming | LinkDown | LinkUp | Restarted | Woken
)
_Told: TypeAlias = Observed | Ordered | Restricted | Arming | LinkDown | LinkUp | Woken


def fresh(table: str) -> Hand:
    """Return the play of a table at which no hand was dealt yet."""
    return Hand(table, BySeat.of(lambda seat: f"{table}-{seat}"))


def running(state: Hand) -> bool:
    """Say whether a hand is being played, so that motors must stay off."""
    return not isinstance(state.phase, Idle | Over)


def step(rules: TimeRules, state: Hand, stimulus: HandStimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply the stimulus.

    Total: every stimulus is answered in every phase. After `Restarted` moments start anew, so no
    time passes to it and `now` may be lower than before.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    if isinstance(stimulus, Restarted):
        restarted = lose_step(state, stimulus.cause)
        return Step(rebased(restarted.state, now), restarted.effects)
    if state.last is not None and now < state.last:
        message = f"table {state.table} was at {state.last.micros} µs, {now.micros} µs is earlier"
        raise ValueError(message)
    answered = pass_to(rules, state, now).then(lambda h: _answer(rules, h, stimulus, now))
    return Step(replace(answered.state, last=now), answered.effects)


def wake_at(rules: TimeRules, state: Hand) -> Moment | None:
    """Return the moment at which `step` has something to do without being told."""
    happening = next_happening(rules, state)
    return None if happening is None else happening.at


def _answer(rules: TimeRules, hand: Hand, stimulus: _Told, now: Moment) -> Step:
    match stimulus:
        case Observed():
            return _observe(rules, hand, stimulus)
        case Ordered():
            return obey(rules, hand, stimulus, Interval.exactly(now))
        case Restricted() | Arming():
            return _allow(hand, stimulus)
        case LinkUp(holds=holds, draws=draws):
            return Step(replace(hand, inputs=Inputs(holds, draws)))
        case LinkDown(cause=cause):
            return lose_step(hand, cause)
        case Woken():
            return Step(hand)
    assert_never(stimulus)


def _allow(hand: Hand, stimulus: Restricted | Arming) -> Step:
    """Take what seats may do from now on, or whether a next hand may begin; tell what is news."""
    if isinstance(stimulus, Restricted):
        return restrict(hand, stimulus.restrictions)
    reason = stimulus.reason
    if reason == hand.disarmed:
        return Step(hand)
    told = TableDisarmed(reason) if reason else TableArmed()
    return Step(replace(hand, disarmed=reason), (told,))


def _observe(rules: TimeRules, hand: Hand, seen: Observed) -> Step:
    match seen.event:
        case DealEnded():
            return deal_signalled(rules, hand, seen.when, replayed=seen.replayed)
        case WallRaised():
            return wall_raised(rules, hand, seen.when, replayed=seen.replayed)
        case TableRebooted():
            return lose_step(hand, "the table's box started anew")
        case InputDismissed(reason=reason):
            return ignored(hand, reason)
        case (
            MachineFound()
            | CycleStarted()
            | CyclePaused()
            | CycleResumed()
            | LiftSensed()
            | WallReady()
            | MachineStopped()
            | DiceRolled()
            | FaultRaised()
            | FaultCleared()
        ):
            return Step(hand)
        case said:
            return _listen(rules, hand, seen, said)


def _listen(rules: TimeRules, hand: Hand, seen: Observed, said: _SeatSaid) -> Step:
    match said:
        case DiscardPressed() | DiscardReleased() | ClaimPressed() | TileDrawn():
            return hear(rules, hand, seen, said)
        case HuDeclared():
            return declare(rules, hand, Gesture(said.seat, seen.when, seen.replayed))
        case RefereeCalled():
            return call_referee(hand, said.seat, seen.when)
    assert_never(said)
