"""The throws since the wall was raised: sensed by the table, or read by a person."""

from dataclasses import dataclass, replace

from table.answers import Code, Refused
from table.commands import EnterDice
from timing.machine_effects import DiceThrown
from timing.machine_phases import Machine, Step
from timing.rules import WallRules
from timing.wall import Throw, throws_needed

_DICE, _FACES = 2, range(1, 7)


@dataclass(frozen=True, slots=True)
class DiceEntry:
    """What a person read of a throw, with the rules that say how many throws there are."""

    command: EnterDice
    rules: WallRules


def rolled(machine: Machine, values: tuple[int, ...] | None) -> Step:
    """Take a throw that the table reports; one that is not two dice counts as unread."""
    thrown = replace(machine, throws=(*machine.throws, throw_of(values)))
    return Step(thrown, (DiceThrown(values),))


def entered(machine: Machine, entry: DiceEntry) -> Step:
    """Take a throw that a person read in place of what the table said.

    Where more was thrown than the rule set has, a person's reading begins anew.
    """
    needed, number = throws_needed(entry.rules), entry.command.throw
    if not 1 <= number <= needed:
        reason = f"throw {number} does not exist; allowed: 1 to {needed}"
        return Step(machine, (Refused(Code.BAD_VALUE, reason),))
    read = throw_of(entry.command.values)
    if read is None:
        shown = " and ".join(map(str, entry.command.values))
        reason = f"{shown} is no throw; allowed: two dice of 1 to 6"
        return Step(machine, (Refused(Code.BAD_VALUE, reason),))
    known = machine.throws if len(machine.throws) <= needed else ()
    throws = [*known, *[None] * (number - len(known))]
    throws[number - 1] = read
    return Step(replace(machine, throws=tuple(throws)), (DiceThrown(read),))


def forgotten(machine: Machine) -> Machine:
    """Return the machine without throws: the hand they were thrown for is over."""
    return replace(machine, throws=())


def throw_of(values: tuple[int, ...] | None) -> Throw | None:
    """Return a throw of two dice, None where the values are none."""
    if values is None or len(values) != _DICE or not set(values) <= set(_FACES):
        return None
    return values[0], values[1]
