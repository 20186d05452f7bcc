"""What the journal says, read while it grows: every state of every table, and every event."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeAlias

from controller.clock import MonotonicClock
from controller.journal import Boot, Record
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.numbering import Numbers
from controller.table_core import Step, TableRules, step
from controller.table_memory import STIMULUS, TableMemory, nothing
from controller.table_record import OfAnAlert
from controller.table_turn import Turn
from controller.views import Reading, Shown, snapshot, timers
from controller.views_of_rulings import alert_payload, ledger_payload
from mqtt.events import Audience, audience, described
from mqtt.orders import ReplyPayload
from mqtt.parts import Payload
from mqtt.payloads import TableSnapshot, Timers
from table.answers import Refused
from table.events import LinkDown, LinkUp, Restarted
from table.moment import MILLISECOND, Moment
from tests.journeys.hall import Hall
from tests.journeys.scoreboard import ROOT

Plain: TypeAlias = dict[str, Any]
KEPT_POINTS = 4000
"""States of a table that are remembered; older ones are recognized by their number only."""
PASSING = {"time": True, "seq": True, "as_of_ms": True, "cycle": {"running_ms"}}
"""Fields that say when a payload was written."""


@dataclass(frozen=True)
class Point:
    """A table behind one record."""

    position: int
    session: int
    moment: Moment
    memory: TableMemory
    linked: bool

    @property
    def seq(self) -> int:
        return self.memory.seq


@dataclass(frozen=True)
class Told:
    """An event as it must be told."""

    seq: int
    envelope: Plain
    everyone: bool
    moment: Moment
    session: int


@dataclass
class TableTruth:
    """One table, followed from its first record on."""

    name: str
    memory: TableMemory
    points: deque[Point] = field(default_factory=lambda: deque(maxlen=KEPT_POINTS))
    events: list[Told] = field(default_factory=list)
    alerts: dict[str, list[Plain | None]] = field(default_factory=dict)
    """What stood on the topic of each alert, one after the other; None: nothing."""
    ledgers: list[str] = field(default_factory=list)
    """Digests of what stood on the topic of the ledger, one after the other."""
    linked: bool = False

    @property
    def seq(self) -> int:
        return self.memory.seq

    def waiting(self) -> dict[str, int]:
        """Return the alerts that stand now, and which of their payloads it is."""
        return {alert: len(past) - 1 for alert, past in self.alerts.items() if past[-1]}


class _NoPress:
    """Publishes nothing."""

    def retain(self, topic: str, payload: Payload) -> None:
        pass

    def clear(self, topic: str) -> None:
        pass

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        pass


class Truth:
    """Reads on in the journal whenever it is asked to.

    Args:
        hall: whose journal it is.
        rules: what its tables are played under.
    """

    def __init__(self, hall: Hall, rules: TableRules) -> None:
        self._hall = hall
        self._rules = rules
        self._position = 0
        self.boots: dict[int, Boot] = {}
        self.tables: dict[str, TableTruth] = {}
        self.made: dict[tuple[str, str], list[Step]] = {}
        """What followed from each order, by login and id; more than one is one too many."""

    def read_on(self) -> None:
        """Take over what became durable meanwhile."""
        for record in self._hall.journal.records(None, self._position):
            if record.session not in self.boots:
                self.boots = self._hall.boots()
            self._position = record.position
            if record.table.startswith("t"):
                self._take(record)

    @property
    def session(self) -> int:
        """The newest session that wrote something."""
        return max(self.boots, default=0)

    def ends_of(self, table: TableTruth) -> dict[int, Moment]:
        """Return the moment of the last record of each session but the newest."""
        ends = {session: boot.moment for session, boot in self.boots.items()}
        ends |= {point.session: point.moment for point in table.points}
        return {session: moment for session, moment in ends.items() if session < self.session}

    def state_at(self, point: Point, shown: TableSnapshot) -> Plain:
        """Return what the snapshot must say if it was taken behind a record."""
        reading = Reading(point.moment, shown.as_of_ms, shown.time, point.seq)
        fixed = Shown(f"Table {point.memory.state.hand.table[1:]}", self._rules)
        return plain(snapshot(fixed, point.memory, reading, linked=point.linked))

    def timers_at(self, point: Point, shown: Timers) -> tuple[Timers, Timers]:
        """Return what the clocks must say at either end of the millisecond they were read in."""
        started = self.boots[point.session].moment + MILLISECOND * shown.as_of_ms
        early, late = (
            timers(
                self._rules,
                point.memory.state,
                Reading(max(moment, point.moment), shown.as_of_ms, shown.time, point.seq),
            )
            for moment in (started, started + MILLISECOND)
        )
        return early, late

    def moment(self, session: int, as_of_ms: int) -> Moment:
        """Return the moment that a payload was taken at, if it is of a session."""
        return self.boots[session].moment + MILLISECOND * (as_of_ms + 1)

    def _take(self, record: Record) -> None:
        table = self.tables.setdefault(
            record.table, TableTruth(record.table, nothing(record.table))
        )
        stimulus = STIMULUS.decode(record.stimulus, f"record {record.position}")
        taken = step(self._rules, table.memory.state, stimulus, record.moment)
        self._number(table, record, Turn(stimulus, taken, record.moment))
        memory = table.memory.after(taken, Numbers(record.seq), record.utc)
        memory = memory.recorded(stimulus, taken.effects, record.moment, record.position)
        if isinstance(stimulus, LinkUp | LinkDown | Restarted):
            table.linked = isinstance(stimulus, LinkUp)
        table.memory = memory
        table.points.append(
            Point(record.position, record.session, record.moment, memory, table.linked)
        )
        if isinstance(stimulus, Restarted) or any(isinstance(e, OfAnAlert) for e in taken.effects):
            self._see_decisions(table, record.session)
        if record.origin and not any(isinstance(one, Refused) for one in taken.effects):
            order = record.origin.login, record.origin.command
            self.made.setdefault(order, []).append(taken)

    def _number(self, table: TableTruth, record: Record, turn: Turn) -> None:
        cause = record.origin.command if record.origin else ""
        numbered = enumerate(_heard(turn.taken), start=table.seq + 1)
        for seq, (kind, data, everyone) in numbered:
            envelope = {
                "id": f"{table.name}-{self.epoch}-{seq}",
                "source": f"/{ROOT.path}/node/node-1",
                "type": f"tablewarden.{kind}",
                "subject": table.name,
                "tableseq": seq,
                "previous": next((one.seq for one in reversed(table.events) if one.everyone), 0),
                "epoch": self.epoch,
                "cause": turn.cause,
                "causeid": cause.split("/")[0],
                "data": data,
                "time": _milliseconds(record.utc),
            }
            table.events.append(Told(seq, envelope, everyone, record.moment, record.session))

    @property
    def epoch(self) -> int:
        """When the numbering of this journal began."""
        return int(self.boots[min(self.boots)].utc.timestamp())

    def _see_decisions(self, table: TableTruth, session: int) -> None:
        docket = table.memory.state.docket
        node = Node(
            "node-1", ROOT, MonotonicClock(), self.boots[session].moment, NoJournal(""), _NoPress()
        )
        now = {
            alert.id: plain(alert_payload(alert, table.memory, self._rules.fouls, node))
            for alert in (*docket.before_the_referee, *docket.waiting_for_objection)
        }
        for alert in {*table.alerts, *now}:
            past = table.alerts.setdefault(alert, [None])
            if past[-1] != now.get(alert):
                past.append(now.get(alert))
        reading = Reading(Moment(0), 0, self.boots[session].utc, 0)
        ledger = digest(ledger_payload(table.memory, reading))
        if not table.ledgers or table.ledgers[-1] != ledger:
            table.ledgers.append(ledger)


def _heard(taken: Step) -> Iterator[tuple[str, Any, bool]]:
    """Iterate over what the world hears of a step."""
    for effect in taken.effects:
        if (event := described(effect)) is not None:
            yield event.kind, event.data, audience(effect) is Audience.EVERYONE


def _milliseconds(utc: datetime) -> str:
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def digest(payload: Payload) -> str:
    """Return the digest of what a payload says, without when it was written."""
    return sha256(json.dumps(plain(payload)).encode()).hexdigest()


def plain(payload: Payload) -> Plain:
    """Return what a payload says, without when it was written."""
    passing: Any = PASSING
    return payload.model_dump(mode="json", exclude=passing)
