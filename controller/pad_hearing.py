"""Brings what the pads of a node's tables say to their loops, and answers what never gets there."""

from collections.abc import Callable, Mapping

from controller.node import Node
from controller.table_loop import TableLoop
from drivers.gestures import Change, Edge, SeatInput
from drivers.pads.pads import Pads
from drivers.pads.stamps import PadPress
from mqtt.orders import ReplyPayload
from mqtt.pad_orders import PadOrder, PressArguments
from table.answers import Code, Ignored
from table.errors import CommandRefused
from table.events import Observed
from table.moment import MICROSECOND, MILLISECOND, Moment
from table.seat import Seat

_CHANGES = {"pressed": Change.DOWN, "released": Change.UP, "held": Change.HELD}


class PadHearing:
    """Takes the orders of pads.

    Args:
        node: its clock is what the pads' times are brought to.
        session: of the node, which every time of a pad must belong to.
        pads: the pads of each table that is played with them.
        loops: the tables of this node by id.
    """

    def __init__(
        self,
        node: Node,
        session: int,
        pads: Mapping[str, Pads],
        loops: Mapping[str, TableLoop],
    ) -> None:
        self._node = node
        self._session = session
        self._pads = pads
        self._loops = loops

    def take(self, order: PadOrder, answer: Callable[[ReplyPayload], None]) -> None:
        """Have the table's loop take a press, and answer; what the loop takes it answers itself.

        Raises:
            CommandRefused: it counts nothing, and why.
        """
        pads = self._pads.get(order.table)
        if pads is None:
            message = f"table {order.table} is not played with pads"
            raise CommandRefused(Code.NOT_ABLE, message)
        now = self._node.clock.now()
        if not isinstance(order.arguments, PressArguments):
            pads.beat(Seat(order.arguments.seat), now)
            answer(self._done(order))
            return
        said = pads.hear(self._press(order.arguments), now)
        if isinstance(said, Observed):
            self._loops[order.table].offer(said, order)
        else:
            answer(self._done(order, said))

    def _press(self, told: PressArguments) -> PadPress:
        if told.session != self._session:
            message = "the node was started anew; its clock has not reached the pad yet"
            raise CommandRefused(Code.STALE, message)
        edge = Edge(
            Seat(told.seat),
            SeatInput(told.input),
            _CHANGES[told.change],
            first=told.first_us * MICROSECOND,
            at=told.changed_us * MICROSECOND,
        )
        return PadPress(
            edge,
            told.pad,
            known=self._moment(told.node_ms),
            heard=told.heard_us * MICROSECOND,
            sent=told.sent_us * MICROSECOND,
        )

    def _moment(self, uptime_ms: int) -> Moment:
        try:
            return self._node.started + uptime_ms * MILLISECOND
        except OverflowError as error:
            message = f"node_ms {uptime_ms}: the node does not run for so long"
            raise CommandRefused(Code.BAD_VALUE, message) from error

    def _done(self, order: PadOrder, said: Ignored | None = None) -> ReplyPayload:
        reason = said.reason if said else ""
        time = self._node.clock.utc()
        return ReplyPayload(id=order.id, status="done", reason=reason, time=time)
