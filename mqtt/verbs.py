"""The one table of verbs: what may be ordered, with which arguments, under which precondition."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from mqtt.arguments import (
    AlertArguments,
    Arguments,
    BuzzerArguments,
    CallArguments,
    DiceArguments,
    ExtraTimeArguments,
    FoulArguments,
    GivenTimeArguments,
    LampArguments,
    LiftArguments,
    ModifyArguments,
    NoteArguments,
    ObjectionArguments,
    PauseArguments,
    ReasonArguments,
    ResumeArguments,
    RulingArguments,
    SeatArguments,
    StandInArguments,
    StartArguments,
    TurnArguments,
    WinnersArguments,
)
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
    AnswerCall,
    Command,
    ConfirmHu,
    DrawHand,
    EndDeal,
    EnterDice,
    ExtraTime,
    GiveTime,
    Lift,
    Pause,
    PauseCycle,
    RestartHand,
    Resume,
    ResumeCycle,
    RollDice,
    SeatPlayers,
    SeatStandIn,
    SetLamp,
    SetLift,
    SetTurn,
    Shuffle,
    SoundBuzzer,
    StartHand,
    Stop,
    VoidHand,
    WithdrawHu,
)


class Need(StrEnum):
    """What must still hold when a command arrives."""

    NOTHING = "-"
    HAND = "hand"
    """`hand`: id of the hand the sender saw, as in the snapshot; empty before the first."""
    MACHINE = "machine_seq"
    """`machine_seq` of the snapshot the sender saw."""
    ALERT = "revision"
    """`revision` of the alert the sender saw; needed always, message expiry or not."""


@dataclass(frozen=True, slots=True)
class Verb:
    """One row of the table."""

    command: type[Command]
    need: Need
    arguments: type[Arguments] = Arguments

    def order(self, arguments: Arguments, revision: int | None) -> Command:
        """Return the command; a ruling takes the revision it rests on with it."""
        seen = {"revision": revision} if self.need is Need.ALERT else {}
        make: Callable[..., Command] = self.command
        return make(**arguments.fields(), **seen)


VERBS: dict[str, Verb] = {
    "shuffle": Verb(Shuffle, Need.MACHINE),
    "lift": Verb(Lift, Need.MACHINE),
    "set-lift": Verb(SetLift, Need.MACHINE, LiftArguments),
    "pause-cycle": Verb(PauseCycle, Need.MACHINE),
    "resume-cycle": Verb(ResumeCycle, Need.MACHINE),
    "roll-dice": Verb(RollDice, Need.MACHINE),
    "enter-dice": Verb(EnterDice, Need.HAND, DiceArguments),
    "stop": Verb(Stop, Need.NOTHING),
    "sound-buzzer": Verb(SoundBuzzer, Need.NOTHING, BuzzerArguments),
    "set-lamp": Verb(SetLamp, Need.NOTHING, LampArguments),
    "start-hand": Verb(StartHand, Need.HAND, StartArguments),
    "end-deal": Verb(EndDeal, Need.HAND),
    "pause": Verb(Pause, Need.HAND, PauseArguments),
    "resume": Verb(Resume, Need.HAND, ResumeArguments),
    "give-time": Verb(GiveTime, Need.HAND, GivenTimeArguments),
    "extra-time": Verb(ExtraTime, Need.HAND, ExtraTimeArguments),
    "set-turn": Verb(SetTurn, Need.HAND, TurnArguments),
    "confirm-hu": Verb(ConfirmHu, Need.HAND, WinnersArguments),
    "withdraw-hu": Verb(WithdrawHu, Need.HAND),
    "draw-hand": Verb(DrawHand, Need.HAND, PauseArguments),
    "void-hand": Verb(VoidHand, Need.HAND, ReasonArguments),
    "restart-hand": Verb(RestartHand, Need.HAND, ReasonArguments),
    "seat-players": Verb(SeatPlayers, Need.HAND, SeatArguments),
    "seat-stand-in": Verb(SeatStandIn, Need.HAND, StandInArguments),
    "answer-call": Verb(AnswerCall, Need.NOTHING, CallArguments),
    "enter-foul": Verb(EnterFoul, Need.HAND, FoulArguments),
    "take-up": Verb(TakeUp, Need.ALERT, ObjectionArguments),
    "acknowledge": Verb(Acknowledge, Need.ALERT, AlertArguments),
    "confirm": Verb(Confirm, Need.ALERT, AlertArguments),
    "modify": Verb(Modify, Need.ALERT, ModifyArguments),
    "waive": Verb(Waive, Need.ALERT, RulingArguments),
    "reverse": Verb(Reverse, Need.ALERT, RulingArguments),
    "undo": Verb(Undo, Need.ALERT, AlertArguments),
    "escalate": Verb(Escalate, Need.ALERT, RulingArguments),
    "add-note": Verb(AddNote, Need.NOTHING, NoteArguments),
}
"""Verbs of a table by name."""

NODE_VERBS: dict[str, Verb] = {
    "pause": Verb(Pause, Need.NOTHING, PauseArguments),
    "resume": Verb(Resume, Need.NOTHING, ResumeArguments),
}
"""Verbs of a node by name: every table of the node does it, and one reply counts the answers."""
