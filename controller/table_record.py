"""What is kept of one table, and what may leave once it is kept.

Displays leave at once. Events, alerts, rulings and replies leave only when the stimulus they follow
from is durable; without a journal nothing is proposed, and the docket goes back to what is kept.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypeAlias

from controller.evidence import THIS_RECORD
from controller.journal import Entry, Outgoing, Receipt
from controller.node import Node
from controller.node_orders import Share, origins
from controller.node_record import NodeRecord
from controller.numbering import Numbered, message, numbered
from controller.table_core import TableRules, TableState, step
from controller.table_memory import EFFECTS, MEMORY, STIMULUS, TableMemory
from controller.table_turn import Turn, ended, reply, unrecorded
from controller.views import Reading, Shown, snapshot, timers
from controller.views_of_rulings import alert_payload, ledger_payload
from drivers.port import Answer
from mqtt import events as wire
from mqtt.inbox import OfATurn
from mqtt.orders import ReplyPayload
from scoring.alert import Alert
from scoring.effects import (
    AlertChanged,
    AlertDropped,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    AlertRecorded,
    RulingMade,
)
from table.errors import JournalError
from table.events import LinkDown, LinkUp, Restarted, Woken
from table.seat import BySeat
from timing.effects import HandEnded
from timing.order_effects import PlayersSeated

logger = logging.getLogger(__name__)
OfAnAlert: TypeAlias = (
    AlertRecorded
    | AlertRaised
    | AlertChanged
    | RulingMade
    | AlertLapsed
    | AlertDropped
    | AlertMarked
)


class TableRecord:
    """Keeps the turns of one table in the journal and publishes what may leave.

    Args:
        node: clock, journal and press shared by all tables.
        name: the table as people read it.
        rules: the rules it is played under, for the displays.
        memory: what of it was recovered.
    """

    def __init__(self, node: Node, name: str, rules: TableRules, memory: TableMemory) -> None:
        self._node = node
        self._shown = Shown(name, rules)
        self._rules = rules
        self._memory = memory
        self._kept = memory
        self._ends = NodeRecord(node)
        self._unsettled = 0
        self.linked = False
        self.seated: Callable[[BySeat[str]], None] = lambda _: None
        """Told who sits at the table whenever that changes."""

    @property
    def state(self) -> TableState:
        """The table as it is now, whether that is durable yet or not."""
        return self._memory.state

    @property
    def kept(self) -> TableMemory:
        """What of the table is durable."""
        return self._kept

    @property
    def table(self) -> str:
        """The table's id."""
        return self.state.hand.table

    @property
    def seq(self) -> int:
        """The number of the newest event."""
        return self._memory.seq

    def keep(self, turn: Turn) -> "asyncio.Future[bool] | None":
        """Take over what a turn made of the state, show it, and write it down.

        Returns:
            A future that says whether the turn is durable; None where nothing happened.
        """
        if isinstance(turn.stimulus, LinkUp | LinkDown):
            self.linked = isinstance(turn.stimulus, LinkUp)
        utc = self._node.clock.utc()
        told = numbered(turn.taken.effects, self._memory.numbers)
        outgoing = self._outgoing(turn, told, utc)
        newest = told[-1].after if told else self._memory.numbers
        self._memory = self._memory.after(turn.taken, newest, utc)
        if isinstance(turn.stimulus, Woken) and not turn.taken.effects:
            return None
        kept: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        answer = reply(turn, self._reading()) if turn.request else None
        entry = self._entry(turn, outgoing, utc)
        receipt = self._node.journal.submit(
            replace(entry, reply=answer.encode()) if answer else entry
        )
        self._unsettled += 1
        unsettled = _Unsettled(turn, self._memory, answer, kept)
        receipt.add_done_callback(partial(self._settle, unsettled))
        if turn.refused is None:
            self.show()  # while the journal's thread is at it already
        for effect in turn.taken.effects:
            if isinstance(effect, PlayersSeated):
                self.seated(effect.players)
        return kept

    def show(self) -> None:
        """Publish snapshot and clocks; displays wait for nobody."""
        reading = self._reading()
        seen = snapshot(self._shown, self._memory, reading, linked=self.linked)
        clocks = timers(self._rules, self.state, reading)
        topics = self._node.root
        self._node.press.retain(topics.state(self.table), seen)
        self._node.press.retain(topics.timers(self.table), clocks)

    def show_decisions(self) -> None:
        """Publish the ledger and every alert that waits for somebody, as they are kept."""
        self._show_ledger()
        docket = self._kept.state.docket
        for alert in (*docket.before_the_referee, *docket.waiting_for_objection):
            self._show_alert(alert)

    def repeats(self, request: OfATurn) -> bool:
        """Answer a command that came before as it was answered then, and say whether it did."""
        replies = map(self._node.journal.replied, origins(request))
        kept = next((reply for reply in replies if reply is not None), None)
        if kept is None:
            return False
        kept.add_done_callback(partial(self._answer_again, request))
        return True

    def _answer_again(self, request: OfATurn, kept: "asyncio.Future[bytes]") -> None:
        if kept.exception() is None:
            self._reply(request, ReplyPayload.model_validate_json(kept.result()))

    def answered(self, turn: Turn, answer: Answer) -> None:
        """Tell how a motor order ended at the table, now and to whoever sends it again."""
        request = turn.request
        if request is not None:
            end = ended(turn, answer, self._reading())
            topic = f"{self.table}/{request.verb}"
            tell = partial(self._reply, request, end)
            self._ends.write_reply(origins(request)[0], topic, end, tell)

    def _settle(self, unsettled: "_Unsettled", receipt: "asyncio.Future[Receipt]") -> None:
        """Let go what waited for the turn to be durable, or take back what it decided."""
        turn, kept = unsettled.turn, unsettled.kept
        self._unsettled -= 1
        try:
            record = receipt.result().position
        except JournalError as error:
            self._take_back(turn, error)
            kept.set_result(False)
            return
        self._note(turn, unsettled.memory, record)
        self._announce(turn)
        if turn.request is not None and unsettled.answer is not None:
            self._reply(turn.request, unsettled.answer)
        kept.set_result(True)

    def _note(self, turn: Turn, memory: TableMemory, record: int) -> None:
        """Take over what is durable now; the table itself may be ahead of it."""
        known = replace(memory, evidence=self._kept.evidence, heard=self._kept.heard)
        self._kept = known.recorded(turn.stimulus, turn.taken.effects, turn.moment, record)
        kept = self._kept
        self._memory = replace(self._memory, evidence=kept.evidence, heard=kept.heard)

    def _take_back(self, turn: Turn, error: JournalError) -> None:
        """Play on without a record: clocks stay, nothing is proposed, no ruling is made.

        A restart decides nothing and is not taken back: moments from before it mean nothing now.
        """
        if isinstance(turn.stimulus, Restarted):
            restarted = step(self._rules, self._kept.state, turn.stimulus, turn.moment)
            self._kept = replace(self._kept, state=restarted.state)
            self.show_decisions()
        logger.debug("table %s plays on unrecorded: %s", self.table, error)
        state = replace(self.state, docket=self._kept.state.docket)
        self._memory = replace(self._kept, state=state, called=self._memory.called)
        if turn.request is not None:
            self._reply(turn.request, unrecorded(turn, self._node.clock.utc(), error))

    def _reply(self, request: OfATurn, payload: ReplyPayload) -> None:
        if isinstance(request, Share):
            request.told(request, payload)
        else:
            self._node.press.reply(request.reply_topic, payload)

    def _announce(self, turn: Turn) -> None:
        """Show every alert that changed as it is kept now, and what it costs."""
        changed = {
            effect.alert.id for effect in turn.taken.effects if isinstance(effect, OfAnAlert)
        }
        if not changed:
            return
        docket = self._kept.state.docket
        waiting = {one.id for one in (*docket.before_the_referee, *docket.waiting_for_objection)}
        for one in sorted(changed):
            if one in waiting:
                self._show_alert(docket.alerts[one])
            else:
                self._node.press.clear(self._node.root.alert(self.table, one))
        if any(isinstance(effect, RulingMade | AlertLapsed) for effect in turn.taken.effects):
            self._show_ledger()

    def _show_ledger(self) -> None:
        ledger = ledger_payload(self._kept, self._reading())
        self._node.press.retain(self._node.root.ledger(self.table), ledger)

    def _show_alert(self, alert: Alert) -> None:
        payload = alert_payload(alert, self._kept, self._rules.fouls, self._node)
        self._node.press.retain(self._node.root.alert(self.table, alert.id), payload)

    def _outgoing(
        self, turn: Turn, told: Sequence[Numbered], utc: datetime
    ) -> tuple[Outgoing, ...]:
        """Return the messages that tell the world."""
        node = self._node
        epoch = node.journal.epoch
        origin = wire.Origin(node.id, self.table, epoch, 0, utc, turn.cause, turn.command_id)
        return tuple(
            Outgoing(
                one.described.kind,
                self.table,
                one.seq,
                message(one, node.root, origin).encode(),
            )
            for one in told
        )

    def _entry(self, turn: Turn, events: tuple[Outgoing, ...], utc: datetime) -> Entry:
        request = turn.request
        return Entry(
            table=self.table,
            moment=turn.moment,
            utc=utc,
            stimulus=STIMULUS.encode(turn.stimulus),
            effects=EFFECTS.encode(turn.taken.effects),
            seq=self.seq,
            events=events,
            origin=origins(request)[0] if request else None,
            state=self._whole(turn) if self._is_whole(turn) else None,
        )

    def _whole(self, turn: Turn) -> bytes:
        """Return everything that is kept of the table, this turn included."""
        known = self._memory.recorded(turn.stimulus, turn.taken.effects, turn.moment, THIS_RECORD)
        return MEMORY.encode(known).encode()

    def _is_whole(self, turn: Turn) -> bool:
        """Say whether the whole state is written beside a turn.

        Never while an earlier turn may still be refused: its decisions would stay in the record.
        """
        hand_ended = any(isinstance(effect, HandEnded) for effect in turn.taken.effects)
        wanted = hand_ended or self._node.journal.has_gap(self.table)
        return wanted and not self._unsettled

    def _reading(self) -> Reading:
        now = self._node.clock.now()
        return Reading(now, self._node.uptime_ms(now), self._node.clock.utc(), self.seq)


@dataclass(frozen=True, slots=True)
class _Unsettled:
    """A turn that is being written down, and what waits for that."""

    turn: Turn
    memory: TableMemory
    answer: ReplyPayload | None
    """Byte for byte what the same order again will be told."""
    kept: "asyncio.Future[bool]"
