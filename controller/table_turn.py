"""One turn of a table loop, and what the sender of an order is told of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from controller.table_core import Step, Stimulus
from controller.views import Reading
from drivers.port import Answer, Outcome
from mqtt.inbox import OfATurn
from mqtt.orders import ReplyPayload
from mqtt.reply_codes import ReplyCode
from table.answers import Refused
from table.arming import Arming
from table.commands import MotorCommand, Ordered, SetLamp, SoundBuzzer
from table.errors import JournalError
from table.events import LinkDown, LinkUp, Observed, Restarted, Woken
from table.moment import Moment
from timing.machine_effects import SendToTable


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a table loop: what came, what the core made of it, and when."""

    stimulus: Stimulus
    taken: Step
    moment: Moment
    request: OfATurn | None = None

    @property
    def cause(self) -> str:
        """What set the turn off, as the event envelope names it."""
        return cause_of(self.stimulus)

    @property
    def command_id(self) -> str:
        """The id of the command it came with; empty where it came with none."""
        return self.request.id if self.request else ""

    @property
    def refused(self) -> Refused | None:
        """Why an order is not carried out; such a turn changes nothing but the time."""
        return next((one for one in self.taken.effects if isinstance(one, Refused)), None)

    @property
    def signals(self) -> tuple[SoundBuzzer | SetLamp, ...]:
        """What buzzers and lamps do, at once."""
        return tuple(one for one in self.taken.effects if isinstance(one, SoundBuzzer | SetLamp))

    @property
    def motor(self) -> MotorCommand | None:
        """What the motors are to do, once, when the order is durable."""
        sent = (one.command for one in self.taken.effects if isinstance(one, SendToTable))
        return next(sent, None)


def cause_of(stimulus: Stimulus) -> str:
    """Return what sets a turn off, as the event envelope names it."""
    match stimulus:
        case Observed():
            return "table"
        case Ordered():
            return "order"
        case LinkUp() | LinkDown():
            return "link"
        case Arming():
            return "certificate"
        case Restarted():
            return "restart"
        case Woken():
            return "time"


_CODES = {
    Outcome.DONE: "",
    Outcome.REFUSED: ReplyCode.TABLE_REFUSED,
    Outcome.ABSENT: ReplyCode.NOT_CONNECTED,
    Outcome.FAILED: ReplyCode.TABLE_FAILED,
    Outcome.UNCERTAIN: ReplyCode.UNCERTAIN,
}


def reply(turn: Turn, reading: Reading) -> ReplyPayload:
    """Return what the sender of an order is told once the turn is durable."""
    if (refused := turn.refused) is not None:
        return ReplyPayload(
            id=turn.command_id,
            status="rejected",
            code=refused.code,
            reason=refused.reason,
            seq=reading.seq,
            time=reading.time,
        )
    status: Literal["accepted", "done"] = "accepted" if turn.motor else "done"
    return ReplyPayload(id=turn.command_id, status=status, seq=reading.seq, time=reading.time)


def ended(turn: Turn, answer: Answer, reading: Reading) -> ReplyPayload:
    """Return what the sender of a motor order is told when the table has answered."""
    return ReplyPayload(
        id=turn.command_id,
        status="done" if answer.outcome is Outcome.DONE else "failed",
        code=_CODES[answer.outcome],
        reason=answer.reason,
        seq=reading.seq,
        time=reading.time,
    )


def unrecorded(turn: Turn, time: datetime, error: JournalError) -> ReplyPayload:
    """Return what the sender of an order is told when it could not be written down."""
    return ReplyPayload(
        id=turn.command_id,
        status="failed",
        code=ReplyCode.NOT_RECORDED,
        reason=f"nothing is ruled or recorded until staff mend the journal: {error}",
        time=time,
    )
