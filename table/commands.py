"""What may be asked of a table's machine, of a hand, and of a ruling."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from table.sanctions import Sanction
from table.seat import BySeat, Seat


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Start the cycle that shuffles and stacks the next wall. Moves motors."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Raise the stacked wall. Moves motors."""


@dataclass(frozen=True, slots=True)
class RollDice:
    """Throw the table's dice. Moves a motor."""


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
    """Begin the next hand; its deal is under way."""


@dataclass(frozen=True, slots=True)
class EndDeal:
    """The deal is done, said by a person instead of a sensor."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks of the table."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause, or after the table lost step; whoever is on turn has a fresh limit."""


@dataclass(frozen=True, slots=True)
class ConfirmHu:
    """The declared hu is valid; the hand is over."""


@dataclass(frozen=True, slots=True)
class WithdrawHu:
    """The declared hu is taken back; play goes on with a fresh limit."""


@dataclass(frozen=True, slots=True)
class DrawHand:
    """The hand ends without a winner (荒牌)."""


@dataclass(frozen=True, slots=True)
class VoidHand:
    """The hand does not count and is dealt again."""

    reason: str


@dataclass(frozen=True, slots=True)
class SeatPlayers:
    """These players sit at the four seats from now on."""

    players: BySeat[str]


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The person looks at the alert; for a time nobody else may rule on it."""

    alert: str
    revision: int


@dataclass(frozen=True, slots=True)
class Confirm:
    """The proposed sanction stands."""

    alert: str
    revision: int


@dataclass(frozen=True, slots=True)
class Modify:
    """Another sanction than the proposed one."""

    alert: str
    revision: int
    sanction: Sanction
    reason: str


@dataclass(frozen=True, slots=True)
class Waive:
    """No sanction."""

    alert: str
    revision: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reverse:
    """A ruling made earlier is taken back and stops counting as a step."""

    alert: str
    revision: int
    reason: str


MotorCommand: TypeAlias = Shuffle | Lift | RollDice | Stop
SignalCommand: TypeAlias = SoundBuzzer | SetLamp
TableCommand: TypeAlias = MotorCommand | SignalCommand
HandCommand: TypeAlias = (
    StartHand
    | EndDeal
    | Pause
    | Resume
    | ConfirmHu
    | WithdrawHu
    | DrawHand
    | VoidHand
    | SeatPlayers
)
RulingCommand: TypeAlias = Acknowledge | Confirm | Modify | Waive | Reverse
Command: TypeAlias = TableCommand | HandCommand | RulingCommand


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
