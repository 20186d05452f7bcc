"""What may be asked of a table's machine, of a hand, and of a ruling."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from table.abilities import LiftAt
from table.alert_commands import RulingCommand
from table.seat import BySeat, Seat


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Start the cycle that shuffles and stacks the next wall. Moves motors."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Raise the stacked wall. Moves motors."""


@dataclass(frozen=True, slots=True)
class PauseCycle:
    """Pause a running cycle and open the table, to put in a tile that was forgotten. Moves motors.

    Only where the table can; during a hand only while play is paused.
    """


@dataclass(frozen=True, slots=True)
class ResumeCycle:
    """Close a table that was reopened; its cycle goes on. Moves motors."""


@dataclass(frozen=True, slots=True)
class SetLift:
    """Where the lift stands, said by a person who looked at it; no motor moves."""

    position: LiftAt


@dataclass(frozen=True, slots=True)
class RollDice:
    """Throw the table's dice. Moves a motor."""


@dataclass(frozen=True, slots=True)
class EnterDice:
    """What a throw showed, read by a person; no motor moves.

    `throw` is 1 or 2; it takes the place of what the table reported, or could not read.
    """

    throw: int
    values: tuple[int, int]
    """Each 1 to 6."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop every motor. Always accepted."""


@dataclass(frozen=True, slots=True)
class SoundBuzzer:
    """Sound a seat's buzzer once; the table itself ends the tone."""

    seat: Seat
    length: timedelta


@dataclass(frozen=True, slots=True)
class SetLamp:
    """Switch a seat's lamp."""

    seat: Seat
    lit: bool


@dataclass(frozen=True, slots=True)
class StartHand:
    """Begin the next hand; its deal is under way.

    While a fault stands that makes play unfair it is refused, unless a reason is given: whoever
    gives it has seen to it that the wall is whole and the seats are heard.
    """

    reason: str = ""


@dataclass(frozen=True, slots=True)
class EndDeal:
    """The deal is done, said by a person instead of a sensor."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks of the table."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause, or after the table lost step.

    Whoever is on turn has a fresh limit, or what was left at the pause with `remaining`.
    """

    remaining: bool = False


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Whoever is on turn has so much longer for this turn."""

    span: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class ExtraTime:
    """The table may play so much longer in this session (time it lost to a fault or a ruling)."""

    span: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class SetTurn:
    """This seat is on turn, whatever the presses said; its limit is fresh, nobody is charged."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class ConfirmHu:
    """The declared hu is valid; the hand is over.

    `seats` are the winners; empty takes those whom the rule set ranks first among the declared.
    """

    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class WithdrawHu:
    """The declared hu is taken back; play goes on with a fresh limit."""


@dataclass(frozen=True, slots=True)
class DrawHand:
    """The hand ends without a winner (荒牌)."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class VoidHand:
    """The hand does not count and is dealt again."""

    reason: str


@dataclass(frozen=True, slots=True)
class RestartHand:
    """The hand does not count, and the same hand begins anew at once."""

    reason: str


@dataclass(frozen=True, slots=True)
class SeatStandIn:
    """This person plays on at a seat whose player is out; points stay with the player."""

    seat: Seat
    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """Somebody goes to the seat that called the referee, or was there; its call is closed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatPlayers:
    """These players sit at the four seats from now on."""

    players: BySeat[str]


MotorCommand: TypeAlias = Shuffle | Lift | PauseCycle | ResumeCycle | RollDice | Stop
MachineCommand: TypeAlias = MotorCommand | EnterDice | SetLift
SignalCommand: TypeAlias = SoundBuzzer | SetLamp
TableCommand: TypeAlias = MotorCommand | SignalCommand
HandCommand: TypeAlias = (
    StartHand
    | EndDeal
    | Pause
    | Resume
    | GiveTime
    | ExtraTime
    | SetTurn
    | ConfirmHu
    | WithdrawHu
    | DrawHand
    | VoidHand
    | RestartHand
    | SeatPlayers
    | SeatStandIn
    | AnswerCall
)
Command: TypeAlias = TableCommand | EnterDice | SetLift | HandCommand | RulingCommand


@dataclass(frozen=True, slots=True)
class Precondition:
    """What must still hold when an order arrives; None is not asked.

    A ruling carries its own, the revision of the alert.
    """

    hand: str | None = None
    machine_seq: int | None = None


ALWAYS = Precondition()


@dataclass(frozen=True, slots=True)
class Ordered:
    """A command together with the person who gave it."""

    command: Command
    person: str
    """As the sender authenticated it; the broker login is kept beside it in the journal."""
    precondition: Precondition = ALWAYS
