"""What each part of a table gets to hear of a stimulus; of anything else only that time passes."""

from typing import TypeAlias

from scoring.stimuli import DocketStimulus, Entered
from table.alert_commands import AlertCommand, EnterFoul
from table.arming import Arming
from table.commands import EnterDice, HandCommand, MotorCommand, Ordered, SetLift
from table.events import (
    LinkDown,
    LinkUp,
    MachineEvent,
    MachineFound,
    Observed,
    Restarted,
    TableRebooted,
    WallRaised,
    Woken,
)
from timing.hand import HandStimulus, running
from timing.machine import DiceEntry, MachineStimulus, MotorOrder
from timing.phases import Hand, Paused
from timing.rules import WallRules

_OF_THE_MACHINE = MachineEvent | TableRebooted | MachineFound
Stimulus: TypeAlias = Observed | Ordered | Arming | LinkUp | LinkDown | Restarted | Woken


def for_hand(stimulus: Stimulus) -> HandStimulus:
    """Return what the hand hears: seats, the wall and its own orders."""
    match stimulus:
        case Observed(event=event) if isinstance(event, MachineEvent):
            return stimulus if isinstance(event, WallRaised) else Woken()
        case Ordered(command=command) if not isinstance(command, HandCommand):
            return Woken()
        case _:
            return stimulus


def for_machine(rules: WallRules, stimulus: Stimulus, hand: Hand) -> MachineStimulus:
    """Return what the machine hears: its own reports, orders for motors, what a person saw."""
    match stimulus:
        case Observed(event=event) if not isinstance(event, _OF_THE_MACHINE):
            return Woken()
        case Ordered(command=EnterDice() as read):
            return DiceEntry(read, rules)
        case Ordered(command=command) if isinstance(command, MotorCommand):
            return MotorOrder(command, running(hand), isinstance(hand.phase, Paused))
        case Ordered(command=SetLift() as seen):
            return seen
        case Ordered() | Arming():
            return Woken()
        case _:
            return stimulus


def for_docket(stimulus: Stimulus, hand: Hand) -> DocketStimulus:
    """Return what the docket hears: rulings, and fouls that a referee enters for this hand."""
    match stimulus:
        case Ordered(command=EnterFoul(seat=seat) as entry, person=person):
            return Entered(entry, person, hand.hand, hand.sits(seat), hand.players)
        case Ordered(command=command) if isinstance(command, AlertCommand):
            return stimulus
        case Restarted():
            return stimulus
        case _:
            return Woken()
