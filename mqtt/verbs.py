"""The one table of verbs: what may be ordered, with which arguments, under which precondition."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from table.commands import (
    Acknowledge,
    Command,
    Confirm,
    ConfirmHu,
    DrawHand,
    EndDeal,
    Lift,
    Modify,
    Pause,
    Resume,
    Reverse,
    RollDice,
    SeatPlayers,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    StartHand,
    Stop,
    VoidHand,
    Waive,
    WithdrawHu,
)
from table.moment import MILLISECOND
from table.sanctions import Sanction, SanctionKind
from table.seat import BySeat, Seat

_Reason: TypeAlias = Annotated[str, Field(max_length=500)]
_GivenReason: TypeAlias = Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]
_Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=100)]


class Need(StrEnum):
    """What must still hold when a command arrives."""

    NOTHING = "-"
    HAND = "hand"
    """`hand`: id of the hand the sender saw, as in the snapshot; empty before the first."""
    MACHINE = "machine_seq"
    """`machine_seq` of the snapshot the sender saw."""
    ALERT = "revision"
    """`revision` of the alert the sender saw; needed always, message expiry or not."""


class Arguments(BaseModel):
    """What a verb needs to know beside its precondition; this one nothing."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def fields(self) -> dict[str, Any]:
        """Return the arguments as the command's own fields."""
        return dict(self)


class PauseArguments(Arguments):
    """Why play stands still, if there is something to say."""

    reason: _Reason = ""


class ReasonArguments(Arguments):
    """Why, in the words of the person who decides."""

    reason: _GivenReason


class BuzzerArguments(Arguments):
    """Which buzzer, and for how long."""

    seat: Literal[1, 2, 3, 4]
    length_ms: int = Field(default=300, ge=10, le=300)
    """At most 300 ms, as at the limit (docs/adr/0008)."""

    def fields(self) -> dict[str, Any]:
        """Return the seat and the length of the tone."""
        return {"seat": Seat(self.seat), "length": self.length_ms * MILLISECOND}


class LampArguments(Arguments):
    """Which lamp, and whether it is lit."""

    seat: Literal[1, 2, 3, 4]
    lit: bool

    def fields(self) -> dict[str, Any]:
        """Return the seat and its lamp."""
        return {"seat": Seat(self.seat), "lit": self.lit}


class SeatArguments(Arguments):
    """Who sits where."""

    players: dict[Literal["1", "2", "3", "4"], _Name] = Field(min_length=4)
    """Ids of the players by seat."""

    def fields(self) -> dict[str, Any]:
        """Return the players seat by seat."""
        return {"players": BySeat(*(self.players[seat] for seat in ("1", "2", "3", "4")))}


class AlertArguments(Arguments):
    """Which alert."""

    alert: _Name


class RulingArguments(AlertArguments):
    """Which alert, and why."""

    reason: _GivenReason


class SanctionArguments(Arguments):
    """What is imposed."""

    kind: Literal["warning", "points"]
    points: int = Field(default=0, ge=0, le=1000)


class ModifyArguments(RulingArguments):
    """Another sanction, and why."""

    sanction: SanctionArguments

    def fields(self) -> dict[str, Any]:
        """Return the sanction as the rules know it."""
        chosen = Sanction(SanctionKind(self.sanction.kind), self.sanction.points)
        return {"alert": self.alert, "reason": self.reason, "sanction": chosen}


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


VERBS = {
    "shuffle": Verb(Shuffle, Need.MACHINE),
    "lift": Verb(Lift, Need.MACHINE),
    "roll-dice": Verb(RollDice, Need.MACHINE),
    "stop": Verb(Stop, Need.NOTHING),
    "sound-buzzer": Verb(SoundBuzzer, Need.NOTHING, BuzzerArguments),
    "set-lamp": Verb(SetLamp, Need.NOTHING, LampArguments),
    "start-hand": Verb(StartHand, Need.HAND),
    "end-deal": Verb(EndDeal, Need.HAND),
    "pause": Verb(Pause, Need.HAND, PauseArguments),
    "resume": Verb(Resume, Need.HAND),
    "confirm-hu": Verb(ConfirmHu, Need.HAND),
    "withdraw-hu": Verb(WithdrawHu, Need.HAND),
    "draw-hand": Verb(DrawHand, Need.HAND),
    "void-hand": Verb(VoidHand, Need.HAND, ReasonArguments),
    "seat-players": Verb(SeatPlayers, Need.HAND, SeatArguments),
    "acknowledge": Verb(Acknowledge, Need.ALERT, AlertArguments),
    "confirm": Verb(Confirm, Need.ALERT, AlertArguments),
    "modify": Verb(Modify, Need.ALERT, ModifyArguments),
    "waive": Verb(Waive, Need.ALERT, RulingArguments),
    "reverse": Verb(Reverse, Need.ALERT, RulingArguments),
}
"""Verbs of a table by name; none exist for nodes and the venue so far."""
