"""Which orders reach the motors of a machine, and why the others do not."""

from dataclasses import dataclass

from table.answers import Code, Refused
from table.commands import Lift, MotorCommand, PauseCycle, ResumeCycle, RollDice, Shuffle, Stop
from timing.machine_effects import SendToTable
from timing.machine_lift import blind, pushed
from timing.machine_phases import Cycling, Empty, Machine, Raised, Ready, Step

_SAID = {
    "empty": "no wall is stacked",
    "cycling": "the machine is at work",
    "ready": "the next wall is stacked",
    "raised": "the wall is raised already",
}
_PARTS: dict[type[MotorCommand], tuple[str, str]] = {
    Shuffle: ("shuffle", "no key of this table can be pushed to start a cycle"),
    Lift: ("lift", "no key of this table can be pushed to raise the wall"),
    PauseCycle: ("reopen", "this table cannot pause its cycle and open"),
    ResumeCycle: ("reopen", "this table cannot pause its cycle and open"),
    RollDice: ("dice_roll", "this table has no dice that can be thrown for you"),
}


@dataclass(frozen=True, slots=True)
class MotorOrder:
    """An order for the motors, with what the hand says about it."""

    command: MotorCommand
    hand_running: bool
    play_paused: bool = False
    """A referee has stopped the clocks of the running hand."""


def obey(machine: Machine, order: MotorOrder) -> Step:
    """Let an order through to the motors, or refuse it with the reason."""
    if (refusal := _refusal(machine, order)) is not None:
        return Step(machine, (refusal,))
    sent = Step(machine, (SendToTable(order.command),))
    return sent.then(pushed) if isinstance(order.command, Lift) else sent


def _refusal(machine: Machine, order: MotorOrder) -> Refused | None:
    command = order.command
    if isinstance(command, Stop):
        return None
    part, missing = _PARTS[type(command)]
    if not getattr(machine.abilities, part):
        return Refused(Code.NOT_ABLE, missing)
    if (running := _hand_forbids(order)) is not None:
        return running
    if machine.faults:
        return Refused(Code.FAULT, f"the machine has a fault: {', '.join(machine.faults)}")
    return _wrong_phase(machine, command)


def _hand_forbids(order: MotorOrder) -> Refused | None:
    if not order.hand_running or isinstance(order.command, RollDice):
        return None
    if not isinstance(order.command, PauseCycle | ResumeCycle):
        return Refused(Code.HAND_RUNNING, "a hand is being played: the motors stay off")
    if order.play_paused:
        return None
    return Refused(Code.HAND_RUNNING, "a hand is being played: pause it before the table opens")


def _wrong_phase(machine: Machine, command: MotorCommand) -> Refused | None:
    match command, machine.phase:
        case Shuffle(), Cycling() | Ready():
            return Refused(Code.WRONG_PHASE, f"nothing to shuffle: {_SAID[machine.phase_name]}")
        case Lift(), Empty() | Cycling() | Raised():
            return Refused(Code.WRONG_PHASE, f"no wall to lift: {_SAID[machine.phase_name]}")
        case Lift(), _:
            return blind(machine)
        case PauseCycle(), phase if not isinstance(phase, Cycling) or phase.reopened:
            return Refused(Code.WRONG_PHASE, "no cycle runs that could be paused")
        case ResumeCycle(), phase if not isinstance(phase, Cycling) or not phase.reopened:
            return Refused(Code.WRONG_PHASE, "no cycle is paused")
        case _:
            return None
