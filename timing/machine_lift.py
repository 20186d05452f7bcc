"""The lift of a table that has one key for up and down: where it stands, as far as anybody knows.

A push is blind after a restart or a lost link, because people can push the key themselves; so is a
second push as long as the first has not shown where the lift stands.
"""

from dataclasses import replace

from table.abilities import LiftAt
from table.answers import Code, Refused
from table.commands import SetLift
from table.events import CycleStarted, LiftSensed, TableEvent, WallRaised
from timing.machine_effects import LiftPlaced
from timing.machine_phases import Machine, Step
from timing.machine_steps import moved


def lift_seen(machine: Machine, event: TableEvent) -> Step:
    """Take what an event says about the lift: a sensor's word, or what cannot be otherwise."""
    match event:
        case LiftSensed(position=position):
            return placed(machine, position, "a sensor sees it")
        case WallRaised():
            return placed(machine, LiftAt.RAISED, "the wall was raised")
        case CycleStarted():
            return placed(machine, LiftAt.LOWERED, "a cycle began, which needs it down")
        case _:
            return Step(machine)


def placed(machine: Machine, position: LiftAt | None, source: str) -> Step:
    """Take where the lift stands, or that nobody knows, if the lift toggles and that is news."""
    if not machine.abilities.lift_toggles or machine.lift is position:
        return Step(machine)
    return moved(Step(replace(machine, lift=position), (LiftPlaced(position, source),)))


def said(machine: Machine, command: SetLift) -> Step:
    """Take where a person saw the lift."""
    if not machine.abilities.lift_toggles:
        reason = "the lift of this table is raised and lowered by orders of their own"
        return Step(machine, (Refused(Code.NOT_ABLE, reason),))
    told = LiftPlaced(command.position, "a person looked")
    return moved(Step(replace(machine, lift=command.position), (told,)))


def blind(machine: Machine) -> Refused | None:
    """Say why the key of the lift must not be pushed to raise it, if it must not."""
    if not machine.abilities.lift_toggles:
        return None
    if machine.lift is None:
        reason = (
            "nobody knows where the lift stands, and its one key moves it either way: look at it"
            " and say so with set-lift"
        )
        return Refused(Code.LIFT_UNKNOWN, reason)
    if machine.lift is LiftAt.RAISED:
        return Refused(Code.WRONG_PHASE, "the lift is raised: its key would lower it")
    return None


def pushed(machine: Machine) -> Step:
    """Forget the position as the key is pushed: only the table or a person can say it again."""
    return placed(machine, None, "its key was pushed")
