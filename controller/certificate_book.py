"""The certificates of a node's tables: kept in its journal, and held against every table."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TypeAlias

from controller.certificate_records import DEED, PART, after, deed_told, read_back
from controller.journal import Entry, Origin, Receipt
from controller.node import Node
from controller.node_record import HEARD, OrderHeard
from controller.table_certificate import (
    REMIND_DAYS,
    Certificate,
    CertificateEntered,
    CertificateRevoked,
    Deed,
    Entered,
    Policy,
    Standing,
    disarming,
    standing,
)
from drivers.port import Identity
from mqtt.certificate_orders import CertificateOrder, RevokeArguments
from mqtt.orders import ReplyPayload
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from table.arming import Arming
from table.errors import CommandRefused, JournalError

logger = logging.getLogger(__name__)

Tell: TypeAlias = Callable[[Standing], None]
_NO_STATE = b"{}"


@dataclass(slots=True)
class Watched:
    """A table whose certificate is looked at."""

    arm: Callable[[Arming], None]
    """Hands the table what is made of its certificate, in order with all else it hears."""
    tell: Tell
    """Tells staff."""
    disarmed: str = ""
    """Why it is disarmed, as it was last told."""
    identity: Identity | None = None
    stands: Standing | None = None
    reminded: int | None = None
    """Of the days before the end that one is reminded of, the one that was reached last."""


class CertificateBook:
    """Enters certificates, and arms or disarms each table by its own.

    Args:
        node: its journal, clock and press.
        policy: what the event makes of certificates. Where the journal cannot be read nobody knows
            of any, and no table is disarmed for that.
    """

    def __init__(self, node: Node, policy: Policy) -> None:
        self._node = node
        self._policy = policy
        self._readable = bool(node.journal.epoch)
        self._entries = self._read_back()
        self._pending: set[str] = set()
        """Numbers that are being written down."""
        self._places: dict[str, Watched] = {}
        self._today = self._day()

    @property
    def entries(self) -> tuple[Entered, ...]:
        """Everything that was ever entered, oldest first."""
        return tuple(self._entries.values())

    def watch(self, table: str, place: Watched) -> Callable[[Identity], None]:
        """Look at a table's certificate from now on; returns whom to tell its identity."""
        self._places[table] = place
        self._look_at(table)
        return partial(self._identified, table)

    def look(self) -> None:
        """Look at all tables again if a new day has begun; called at a slow beat."""
        today = self._day()
        if today != self._today:
            self._today = today
            self._look_at_all()

    def refusal(self, order: CertificateOrder) -> CommandRefused | None:
        """Return why an order cannot be carried out."""
        number = order.arguments.number
        known = self._entries.get(number)
        if number in self._pending:
            return CommandRefused(ReplyCode.RATE_LIMITED, f"{number} is being written down")
        if isinstance(order.arguments, RevokeArguments):
            if known is None:
                return CommandRefused(Code.BAD_VALUE, f"no certificate {number} was entered")
            if known.revoked is not None:
                reason = f"{number} was revoked already: {known.revoked.reason}"
                return CommandRefused(Code.WRONG_PHASE, reason)
        elif known is not None:
            reason = f"certificate {number} was entered already, by {known.person}"
            return CommandRefused(Code.BAD_VALUE, reason)
        elif order.arguments.inspected > self._day().isoformat():
            reason = f"inspected {order.arguments.inspected} is not over yet"
            return CommandRefused(Code.BAD_VALUE, reason)
        return None

    def take(self, order: CertificateOrder) -> None:
        """Carry out an order that is not refused; it is answered when it is in the journal."""
        number, deed = order.arguments.number, _deed(order)
        journal, clock = self._node.journal, self._node.clock
        answer = ReplyPayload(
            id=order.id, status="done", reason=deed_told(deed), time=self._node.clock.utc()
        )
        entry = Entry(
            table=PART,
            moment=clock.now(),
            utc=clock.utc(),
            stimulus=HEARD.encode(OrderHeard(f"{order.node}/{order.verb}")),
            effects=DEED.encode(deed),
            seq=0,
            origin=Origin(order.login, order.person, order.id),
            reply=answer.encode(),
            state=_NO_STATE if journal.has_gap(PART) else None,
        )
        self._pending.add(number)
        settle = partial(self._settle, order, entry, answer)
        journal.submit(entry).add_done_callback(settle)

    def _settle(
        self,
        order: CertificateOrder,
        entry: Entry,
        answer: ReplyPayload,
        receipt: "asyncio.Future[Receipt]",
    ) -> None:
        """Let a deed count once it is in the journal, and answer whoever ordered it."""
        self._pending.discard(order.arguments.number)
        if (error := receipt.exception()) is not None:
            answer = _unrecorded(answer, error)
        else:
            self._entries = after(self._entries, _deed(order), entry.origin, entry.utc)
            logger.info("%s, by %s through %s", answer.reason, order.person, order.login)
            self._look_at_all()
        self._node.press.reply(order.reply_topic, answer)

    def _read_back(self) -> dict[str, Entered]:
        try:
            return read_back(self._node.journal.records(PART))
        except JournalError as error:
            logger.error("no certificate is known: %s", error)  # noqa: TRY400 - for staff
            self._readable = False
            return {}

    def _identified(self, table: str, identity: Identity) -> None:
        self._places[table].identity = identity
        self._look_at(table)

    def _look_at_all(self) -> None:
        for table in self._places:
            self._look_at(table)

    def _look_at(self, table: str) -> None:
        place = self._places[table]
        stands = standing(self.entries, place.identity, self._today, table)
        reason = disarming(self._policy, stands) if self._readable else ""
        if reason != place.disarmed:
            place.disarmed = reason
            place.arm(Arming(reason))
        if self._policy is not Policy.OFF and stands != place.stands:
            place.tell(stands)
            self._log(table, place, stands)
        place.stands = stands

    def _log(self, table: str, place: Watched, stands: Standing) -> None:
        """Log what is wrong when it turns so, and an end 30, 7 and 1 days before it."""
        before = place.stands
        if stands.reason and place.identity and (before is None or before.reason != stands.reason):
            logger.warning("table %s: %s", table, stands.reason)
        if stands.remark and (before is None or before.remark != stands.remark):
            logger.warning("table %s: %s", table, stands.remark)
        left = stands.days_left
        reached = None if left is None else min((d for d in REMIND_DAYS if left <= d), default=None)
        if reached is not None and reached != place.reminded:
            logger.warning("table %s: %s", table, stands.reminder)
        place.reminded = reached

    def _day(self) -> date:
        """Return the day at the venue, which is where this machine stands."""
        return self._node.clock.utc().astimezone().date()


def _deed(order: CertificateOrder) -> Deed:
    given = order.arguments
    if isinstance(given, RevokeArguments):
        return CertificateRevoked(given.number, given.reason)
    return CertificateEntered(
        Certificate(
            number=given.number,
            issuer=given.issuer,
            model=given.model,
            serial=given.serial,
            seals=tuple(given.seals),
            inspected=given.inspected,
            valid_until=given.valid_until,
            note=given.note,
            firmware=given.firmware,
            table=given.table,
        )
    )


def _unrecorded(answer: ReplyPayload, error: BaseException) -> ReplyPayload:
    if not isinstance(error, JournalError):
        raise error
    reason = f"nothing was entered, staff must mend the journal: {error}"
    return answer.model_copy(
        update={"status": "failed", "code": ReplyCode.NOT_RECORDED, "reason": reason}
    )
