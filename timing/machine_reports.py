"""What a table's machine reports of itself, and how it is found on connect."""

from dataclasses import replace
from typing import assert_never

from table.answers import Ignored
from table.events import (
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DiceRolled,
    FaultCleared,
    FaultRaised,
    LinkUp,
    MachineFound,
    MachineStopped,
    Observed,
    TableRebooted,
    WallRaised,
    WallReady,
)
from table.moment import Interval, Moment
from timing import machine_faults
from timing.machine_cycle import disturbed, enter, given_up, paused_or_resumed, untimed
from timing.machine_dice import rolled
from timing.machine_lift import lift_seen, placed
from timing.machine_phases import Cycling, Empty, Machine, Raised, Ready, SoundPhase, Step
from timing.machine_rules import MachineRules
from timing.machine_steps import changed


def believe(rules: MachineRules, machine: Machine, seen: Observed) -> Step:
    """Take what the machine reports of itself; it is always believed."""
    event = seen.event
    match event:
        case FaultRaised():
            return machine_faults.raised(disturbed(machine), event)
        case FaultCleared():
            return machine_faults.cleared(machine, event)
        case DiceRolled(values=values):
            return rolled(machine, values)
        case TableRebooted():
            return disconnected(machine, "the table's box started anew")
        case MachineFound(condition=condition):
            return _found(machine, condition, seen.when.latest)
        case _:
            done = _moved(rules, machine, seen)
    return done if seen.replayed else done.then(lambda m: lift_seen(m, event))


def _moved(rules: MachineRules, machine: Machine, seen: Observed) -> Step:
    """Take what the motors did."""
    match seen.event:
        case CycleStarted() | WallReady() | WallRaised() as event:
            return _phase(rules, machine, event, seen.when)
        case MachineStopped():
            return _stopped(rules, machine, seen.when)
        case CyclePaused() | CycleResumed() as event:
            return paused_or_resumed(machine, event, seen.when)
        case _:
            return Step(machine)


def _phase(
    rules: MachineRules,
    machine: Machine,
    event: CycleStarted | WallReady | WallRaised,
    when: Interval,
) -> Step:
    match event:
        case CycleStarted():
            return enter(rules, machine, Cycling(when.latest, started=when), when)
        case WallReady():
            return enter(rules, machine, Ready(), when)
        case WallRaised():
            return enter(rules, replace(machine, throws=()), Raised(), when)
    assert_never(event)


def _stopped(rules: MachineRules, machine: Machine, when: Interval) -> Step:
    """Take a stop: it cuts a cycle, and a wall that stands stays."""
    if isinstance(machine.beneath, Cycling):
        return enter(rules, machine, Empty(), when, "stopped")
    return Step(machine, (Ignored("no cycle was running"),))


def connected(machine: Machine, link: LinkUp, now: Moment) -> Step:
    """Take what a machine can be told, and believe it as it is found."""
    able = replace(machine, abilities=link.abilities)
    if not link.abilities.lift_toggles:
        able = replace(able, lift=None)
    if link.condition is None:
        return Step(able)
    return _found(able, link.condition, now)


def _found(machine: Machine, condition: Condition, now: Moment) -> Step:
    sound = _as_found(machine.beneath, condition, now)
    over = given_up(machine, sound)
    raised = isinstance(sound, Raised) and not isinstance(machine.beneath, Raised)
    throws = () if raised else machine.throws
    faults = machine_faults.found(replace(over.state, throws=throws), sound, condition)
    effects = (*over.effects, *faults.effects)
    cause = ", ".join(faults.state.faults) or "found so"
    found = changed(Step(faults.state, effects), machine, cause)
    if condition.lift is None:
        return found
    return found.then(lambda m: placed(m, condition.lift, "found so"))


def _as_found(before: SoundPhase, condition: Condition, now: Moment) -> SoundPhase:
    """Return the phase a condition shows; the next wall says more than the one in play."""
    if condition.cycling and condition.reopened:
        return Cycling(None, reopened=True)
    if condition.cycling:
        timed = isinstance(before, Cycling) and before.since is not None
        return before if timed else Cycling(now)
    if condition.wall_ready:
        return Ready()
    return Raised() if condition.wall_raised else Empty()


def disconnected(machine: Machine, cause: str) -> Step:
    """Forget what cannot be known of a machine that was out of sight for a time.

    A cycle that ran is taken to run still: its key is better not pushed than pushed again.
    """
    return placed(untimed(machine), None, cause)
