"""What verbs need to know beside their preconditions, checked as it comes from the wire."""

from datetime import timedelta
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from table.abilities import LiftAt
from table.fouls import FoulKind
from table.moment import MILLISECOND
from table.sanctions import Measure, Sanction, SanctionKind
from table.seat import BySeat, Seat

_Reason: TypeAlias = Annotated[str, Field(max_length=500)]
_GivenReason: TypeAlias = Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]
_Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=100)]
_SeatNumber: TypeAlias = Literal[1, 2, 3, 4]
_Die: TypeAlias = Annotated[int, Field(ge=1, le=6)]


class Arguments(BaseModel):
    """What a verb needs to know beside its precondition; this one nothing."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def fields(self) -> dict[str, Any]:
        """Return the arguments as the command's own fields."""
        return dict(self)


class PauseArguments(Arguments):
    """Why play stands still or a hand is drawn, if there is something to say."""

    reason: _Reason = ""


class StartArguments(PauseArguments):
    """Why a hand may begin although a fault of the machine makes it unfair, where one stands."""


class LiftArguments(Arguments):
    """Where somebody saw the lift."""

    position: Annotated[LiftAt, Field(strict=False)]


class ReasonArguments(Arguments):
    """Why, in the words of the person who decides."""

    reason: _GivenReason


class ResumeArguments(Arguments):
    """Whether whoever is on turn has what was left at the pause, not a fresh limit."""

    remaining: bool = False


class GivenTimeArguments(ReasonArguments):
    """How much longer the turn may take, and why."""

    seconds: int = Field(ge=1, le=600)

    def fields(self) -> dict[str, Any]:
        """Return the span and the reason."""
        return {"span": timedelta(seconds=self.seconds), "reason": self.reason}


class ExtraTimeArguments(ReasonArguments):
    """How much longer the table may play in this session, and why."""

    minutes: int = Field(ge=1, le=60)

    def fields(self) -> dict[str, Any]:
        """Return the span and the reason."""
        return {"span": timedelta(minutes=self.minutes), "reason": self.reason}


class TurnArguments(ReasonArguments):
    """Who is on turn, and why."""

    seat: _SeatNumber

    def fields(self) -> dict[str, Any]:
        """Return the seat and the reason."""
        return {"seat": Seat(self.seat), "reason": self.reason}


class CallArguments(Arguments):
    """Whose call for the referee."""

    seat: _SeatNumber

    def fields(self) -> dict[str, Any]:
        """Return the seat."""
        return {"seat": Seat(self.seat)}


class StandInArguments(TurnArguments):
    """Who plays on at which seat, and why."""

    player: _Name

    def fields(self) -> dict[str, Any]:
        """Return the seat, the person and the reason."""
        return {**super().fields(), "player": self.player}


class WinnersArguments(Arguments):
    """Who wins; nobody named takes those whom the rule set ranks first among the declared."""

    seats: list[_SeatNumber] = Field(default=[], max_length=3)

    def fields(self) -> dict[str, Any]:
        """Return the winners, each once."""
        return {"seats": tuple(map(Seat, dict.fromkeys(self.seats)))}


class BuzzerArguments(Arguments):
    """Which buzzer, and for how long."""

    seat: _SeatNumber
    length_ms: int = Field(default=300, ge=10, le=300)
    """At most 300 ms, as at the limit (docs/adr/0008)."""

    def fields(self) -> dict[str, Any]:
        """Return the seat and the length of the tone."""
        return {"seat": Seat(self.seat), "length": self.length_ms * MILLISECOND}


class LampArguments(Arguments):
    """Which lamp, and whether it is lit."""

    seat: _SeatNumber
    lit: bool

    def fields(self) -> dict[str, Any]:
        """Return the seat and its lamp."""
        return {"seat": Seat(self.seat), "lit": self.lit}


class DiceArguments(Arguments):
    """Which throw, and what it showed."""

    throw: Literal[1, 2]
    values: list[_Die] = Field(min_length=2, max_length=2)

    def fields(self) -> dict[str, Any]:
        """Return the throw and its dice."""
        return {"throw": self.throw, "values": tuple(self.values)}


class SeatArguments(Arguments):
    """Who sits where."""

    players: dict[Literal["1", "2", "3", "4"], _Name] = Field(min_length=4)
    """Ids of the players by seat."""

    def fields(self) -> dict[str, Any]:
        """Return the players seat by seat."""
        return {"players": BySeat(*(self.players[seat] for seat in ("1", "2", "3", "4")))}


class FoulArguments(Arguments):
    """Which foul a referee saw, and whose it is."""

    kind: Annotated[FoulKind, Field(strict=False)]
    seat: _SeatNumber
    remark: _Reason = ""

    def fields(self) -> dict[str, Any]:
        """Return the foul as the rules know it."""
        return {"kind": self.kind, "seat": Seat(self.seat), "remark": self.remark}


class AlertArguments(Arguments):
    """Which alert."""

    alert: _Name


class RulingArguments(AlertArguments):
    """Which alert, and why."""

    reason: _GivenReason


class ObjectionArguments(AlertArguments):
    """Which alert, and which seat called the foul; nobody where the referee takes it up alone."""

    objector: _SeatNumber | None = None

    def fields(self) -> dict[str, Any]:
        """Return the alert and the seat."""
        return {"alert": self.alert, "objector": Seat(self.objector) if self.objector else None}


class NoteArguments(AlertArguments):
    """Which alert, and what is to be remembered."""

    text: _GivenReason


class SanctionArguments(Arguments):
    """What is imposed."""

    kind: Literal["warning", "points", "pay-each", "pay-player", "measure"]
    points: int = Field(default=0, ge=0, le=1000)
    measures: list[Annotated[Measure, Field(strict=False)]] = Field(default=[], max_length=10)
    to: str = Field(default="", max_length=100)
    """The player who receives a `pay-player`."""


class ModifyArguments(RulingArguments):
    """Another sanction, and why."""

    sanction: SanctionArguments

    def fields(self) -> dict[str, Any]:
        """Return the sanction as the rules know it."""
        given = self.sanction
        measures = tuple(dict.fromkeys(given.measures))
        chosen = Sanction(SanctionKind(given.kind), given.points, measures, given.to)
        return {"alert": self.alert, "reason": self.reason, "sanction": chosen}
