"""Takes what the broker brought: good orders to their table, the rest back with a reason."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from controller.alertness import Alertness
from controller.certificate_book import CertificateBook
from controller.journal import Origin
from controller.node import Node
from controller.node_orders import Gathering, together
from controller.node_record import NodeRecord
from controller.pad_hearing import PadHearing
from controller.rejections import Rejections
from controller.table_loop import TableLoop
from mqtt.certificate_orders import CertificateOrder
from mqtt.inbox import Heard, Rejection, Request
from mqtt.inquiries import Inquiry
from mqtt.orders import ReplyPayload
from mqtt.pad_orders import PadOrder
from mqtt.rate import Rates
from mqtt.reply_codes import ReplyCode
from mqtt.venue_orders import VenueOrder
from table.commands import Ordered, Stop
from table.errors import CommandRefused
from table.moment import MILLISECOND

ANSWERED_A_SECOND = 1000
"""So many orders above its rate is a login told of; what comes faster is a flood, and counted."""

_Expiring: TypeAlias = Request | PadOrder | VenueOrder | CertificateOrder


class Reception:
    """Gives every message on a command topic exactly one place to go.

    Args:
        node: answers through its press.
        loops: the tables of this node by id.
        alertness: tells whether orders may have waited for us.
        rates: how many orders each login may send.
        ask: answers what is asked of a table's past; must not block.
    """

    def __init__(
        self,
        node: Node,
        loops: Mapping[str, TableLoop],
        alertness: Alertness,
        rates: Rates,
        ask: Callable[[Inquiry], None],
    ) -> None:
        self._node = node
        self._ask = ask
        self._look_after: Callable[[VenueOrder], None] = self._venueless
        self._book: CertificateBook | None = None
        self._pads: PadHearing | None = None
        self._loops = loops
        self._alertness = alertness
        self._rates = rates
        self._answers = Rates(ANSWERED_A_SECOND, ANSWERED_A_SECOND)
        self._record = NodeRecord(node)
        self._rejections = Rejections(node, self._record)

    def keep_venue(self, look_after: Callable[[VenueOrder], None]) -> None:
        """Have somebody carry out the orders for the venue; it must not block."""
        self._look_after = look_after

    def keep_certificates(self, book: CertificateBook) -> None:
        """Have a book carry out the orders about certificates."""
        self._book = book

    def hear_pads(self, pads: PadHearing) -> None:
        """Have what pads say brought to their tables."""
        self._pads = pads

    @property
    def rejected(self) -> int:
        """How many orders reached no table since the start."""
        return self._rejections.count

    def settle(self) -> None:
        """Write down what was counted of a flood that has ended; to be called now and then."""
        self._rejections.settle()

    def receive(self, heard: Heard) -> None:
        """Queue an order at its table, or answer why not."""
        if wait := self._must_wait(heard):
            self._hold_up(heard, wait)
        elif not self._repeats(heard):
            self._take(heard)

    def _must_wait(self, heard: Heard) -> timedelta:
        """Return how long the sender must wait; a table is stopped at any rate."""
        if isinstance(heard, Request) and _stops(heard) and heard.table in self._loops:
            return timedelta(0)
        return self._rates.wait(self._sender(heard), self._node.clock.now())

    def _sender(self, heard: Heard) -> str:
        """Return whose allowance an order takes from: pads of one table speak by one login too."""
        if isinstance(heard, PadOrder) and heard.table in self._loops:
            return f"{heard.login}/{heard.table}"
        return heard.login

    def _hold_up(self, heard: Heard, wait: timedelta) -> None:
        reason = (
            f"login {heard.login} sends more than {self._rates.per_second} orders a second;"
            f" send this one again in {-(-wait // MILLISECOND)} ms"
        )
        rejection = _rejection(heard, ReplyCode.RATE_LIMITED, reason)
        self._rejections.add(rejection)
        if not self._answers.wait(heard.login, self._node.clock.now()):
            self._tell(rejection)

    def _repeats(self, heard: Heard) -> bool:
        """Answer whatever bears the id of an order that was answered as that was, and say so."""
        kept = self._node.journal.replied(Origin(heard.login, "", heard.id)) if heard.id else None
        if kept is None or heard.reply_topic is None:
            return False
        kept.add_done_callback(partial(self._answer_again, heard.reply_topic))
        return True

    def _answer_again(self, topic: str, kept: "asyncio.Future[bytes]") -> None:
        if kept.exception() is None:
            self._node.press.reply(topic, ReplyPayload.model_validate_json(kept.result()))

    def _take(self, heard: Heard) -> None:
        match heard:
            case Rejection():
                self._reject(heard)
            case Request() | PadOrder() | VenueOrder() | CertificateOrder() if self._too_late(
                heard
            ):
                self._reject(self._expired(heard))
            case VenueOrder():
                self._look_after(heard)
            case CertificateOrder():
                self._certify(heard)
            case Request() if heard.node:
                self._share_out(heard)
            case Request(table=table) if table in self._loops:
                order = Ordered(heard.command, heard.person, heard.precondition)
                self._loops[table].offer(order, heard)
            case Inquiry(table=table) if table in self._loops:
                self._ask(heard)
            case PadOrder(table=table) if table in self._loops:
                self._hear_pad(heard)
            case Request() | Inquiry() | PadOrder():
                self._reject(self._unknown_table(heard))

    def _share_out(self, request: Request) -> None:
        """Give every table its share of an order for the node."""
        gathering = Gathering(request, self._loops, partial(self._shared, request))
        for share in gathering.shares():
            order = Ordered(share.command, share.person, share.precondition)
            self._loops[share.table].offer(order, share)
        if not self._loops:
            self._shared(request, together(request.id, {}, self._node.clock.utc()))

    def _shared(self, request: Request, answer: ReplyPayload) -> None:
        """Answer an order for the node once its answer is kept."""
        origin = Origin(request.login, request.person, request.id)
        tell = partial(self._node.press.reply, request.reply_topic, answer)
        self._record.write_reply(origin, _where(request), answer, tell)

    def _certify(self, order: CertificateOrder) -> None:
        if self._book is None:
            self._reject(_rejection(order, ReplyCode.UNKNOWN_VERB, "no certificates are kept here"))
        elif (refused := self._book.refusal(order)) is not None:
            self._reject(_rejection(order, refused.code, str(refused)))
        else:
            self._book.take(order)

    def _hear_pad(self, order: PadOrder) -> None:
        if self._pads is None:
            self._reject(_rejection(order, ReplyCode.UNKNOWN_VERB, "no pads are heard here"))
            return
        try:
            self._pads.take(order, partial(self._node.press.reply, order.reply_topic))
        except CommandRefused as refused:
            self._reject(_rejection(order, refused.code, str(refused)))

    def _too_late(self, request: _Expiring) -> bool:
        seconds = request.expiry_seconds
        return seconds is not None and self._alertness.slept > timedelta(seconds=seconds)

    def _expired(self, request: _Expiring) -> Rejection:
        stood = self._alertness.slept.total_seconds()
        reason = (
            f"node {self._node.id} stood still for {stood:.1f} s, longer than the"
            f" {request.expiry_seconds} s for which the order was good"
        )
        return _rejection(request, ReplyCode.EXPIRED, reason)

    def _unknown_table(self, request: Request | Inquiry | PadOrder) -> Rejection:
        listed = ", ".join(sorted(self._loops)) or "none"
        reason = f"node {self._node.id} has no table {request.table}; its tables: {listed}"
        return _rejection(request, ReplyCode.UNKNOWN_TABLE, reason)

    def _venueless(self, order: VenueOrder) -> None:
        reason = f"node {self._node.id} does not keep the venue"
        self._reject(_rejection(order, ReplyCode.UNKNOWN_VERB, reason))

    def _reject(self, rejection: Rejection) -> None:
        self._rejections.keep(rejection)
        self._tell(rejection)

    def _tell(self, rejection: Rejection) -> None:
        if rejection.reply_topic is not None:
            payload = rejection_reply(rejection, self._node.clock.utc())
            self._node.press.reply(rejection.reply_topic, payload)


def _stops(request: Request) -> bool:
    return isinstance(request.command, Stop)


def _where(heard: Heard) -> str:
    if isinstance(heard, Rejection):
        return heard.topic
    return f"{heard.table or heard.node}/{heard.verb}"


def _rejection(heard: Heard, code: str, reason: str) -> Rejection:
    return Rejection(
        code=code,
        reason=reason,
        login=heard.login,
        topic=_where(heard),
        id=heard.id,
        reply_topic=heard.reply_topic,
        person=heard.person,
    )


def rejection_reply(rejection: Rejection, time: datetime) -> ReplyPayload:
    """Return what the sender of a bad message is told."""
    return ReplyPayload(
        id=rejection.id,
        status="rejected",
        code=rejection.code,
        reason=rejection.reason,
        time=time,
    )
