"""A wire that comes and goes: who is told what, and when it is tried again."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from controller.backoff import FIRST, LONGEST, STABLE, Backoff
from controller.journal_absent import NoJournal
from controller.node import Node
from controller.table_notice import TableNotice
from controller.table_wire import TableWire
from drivers.port import Answer, Capability, Grade, Identity, LinkHealth, Outcome, TableDriver
from mqtt.payloads import TableAvailability, TableMeta
from table.commands import Shuffle, TableCommand
from table.errors import LinkLost, LinkUnavailable
from table.events import Condition, DealEnded, LinkDown, LinkUp, Observed
from table.moment import MILLISECOND, Interval, Moment
from tests.controller.live_table import ROOT, HeardPress
from tests.harness.virtual_clock import VirtualClock

FOUND = Condition(cycling=False, wall_ready=True, wall_raised=False)
ABSENT = "port /dev/ttyS1: no such device"
SECOND = timedelta(seconds=1)
WHO = Identity("Open Table Works", "OTW-4", "TL-7", "1.2.0", "WMCC-118")


@dataclass
class Plug:
    """A connected table; obeys `drivers.port.TableLink`."""

    capabilities: dict[Capability, Grade] = field(
        default_factory=lambda: {Capability.DRAW_SENSE: Grade.RETROFIT}
    )
    identity: Identity = WHO
    resolution: timedelta = MILLISECOND
    condition: Condition = FOUND
    health: LinkHealth = field(default_factory=LinkHealth)
    sent: list[TableCommand] = field(default_factory=list)
    said: "asyncio.Queue[Observed | LinkLost | None]" = field(default_factory=asyncio.Queue)
    gone: bool = False

    async def events(self) -> AsyncIterator[Observed]:
        while (said := await self.said.get()) is not None:
            if isinstance(said, LinkLost):
                self.gone = True
                raise said
            yield said

    async def send(self, command: TableCommand) -> Answer:
        if self.gone:
            message = "port /dev/ttyS1 hung up"
            raise LinkLost(message)
        self.sent.append(command)
        return Answer(Outcome.DONE)


@dataclass
class Socket:
    """Where a table may be plugged in; obeys `drivers.port.TableDriver`."""

    clock: VirtualClock
    plug: Plug | None = None
    absent: str = ABSENT
    tried: list[Moment] = field(default_factory=list)
    closed: int = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Plug]:
        self.tried.append(self.clock.now())
        if self.plug is None:
            raise LinkUnavailable(self.absent)
        try:
            yield self.plug
        finally:
            self.closed += 1


class Wired:
    """A table's wire in virtual time, and everybody who hears of it."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.press = HeardPress()
        self.socket = Socket(self.clock)
        self.heard: list[Observed | LinkUp | LinkDown] = []
        driver: TableDriver = self.socket
        node = Node("node-1", ROOT, self.clock, self.clock.now(), NoJournal("none"), self.press)
        meta = TableMeta(
            table="t1", name="Table 1", node="node-1", time=self.clock.utc(), ruleset="mcr-2014"
        )
        self.wire = TableWire("t1", driver, self.clock, TableNotice(node, meta))

    async def plug_in(self, plug: Plug | None = None) -> Plug:
        """Plug a table in and wait until it is found."""
        plugged = self.socket.plug = plug or Plug()
        await self.clock.advance(LONGEST)
        assert self.wire.link is plugged
        return plugged

    async def pull(self, cause: str = "port /dev/ttyS1 hung up") -> None:
        """Pull the plug while the table is connected."""
        plug, self.socket.plug = self.socket.plug, None
        assert plug
        plug.said.put_nowait(LinkLost(cause))
        await self.clock.settle()

    def heard_last(self) -> Observed | LinkUp | LinkDown:
        return self.heard[-1]

    def staff_see(self) -> tuple[str, tuple[str, ...]]:
        return self.availability.status, self.availability.causes

    @property
    def availability(self) -> TableAvailability:
        said = self.press.retained[ROOT.table_availability("t1")]
        assert isinstance(said, TableAvailability)
        return said

    @property
    def meta(self) -> TableMeta:
        said = self.press.retained[ROOT.table_meta("t1")]
        assert isinstance(said, TableMeta)
        return said


@asynccontextmanager
async def wired() -> AsyncIterator[Wired]:
    table = Wired()
    task = asyncio.create_task(table.wire.run(table.heard.append))
    try:
        await table.clock.settle()
        yield table
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_a_table_that_is_not_there_is_said_to_be_offline_and_why() -> None:
    async with wired() as table:
        assert table.staff_see() == ("offline", (ABSENT,))
        assert table.availability.last_contact is None
        assert (table.meta.name, table.meta.serial) == ("Table 1", "")
        assert table.heard == []


async def test_a_table_is_tried_again_with_growing_pauses_for_ever() -> None:
    async with wired() as table:
        await table.clock.advance(timedelta(minutes=5))
        pauses = [
            after - before
            for before, after in zip(table.socket.tried, table.socket.tried[1:], strict=False)
        ]
        backoff, wanted = Backoff("t1"), []
        for _ in pauses:
            backoff = backoff.failed()
            wanted.append(backoff.delay)
        assert pauses == wanted
        assert FIRST * 3 / 4 <= pauses[0] <= FIRST
        assert LONGEST * 3 / 4 <= pauses[-1] <= LONGEST
        assert len(pauses) > 20


async def test_staff_and_log_hear_of_an_absent_table_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with wired() as table:
            said = table.availability
            await table.clock.advance(timedelta(minutes=5))
            assert table.availability is said
    assert [record.getMessage() for record in caplog.records] == [f"table t1 is away: {ABSENT}"]


async def test_staff_hear_of_another_cause(caplog: pytest.LogCaptureFixture) -> None:
    async with wired() as table:
        table.socket.absent = "port /dev/ttyS1: expected box TL-7, found TL-9"
        await table.clock.advance(LONGEST)
        assert table.availability.causes == (table.socket.absent,)
    assert len(caplog.records) == 1


async def test_a_table_that_is_found_says_who_it_is_and_what_it_can_do() -> None:
    async with wired() as table:
        await table.plug_in(
            Plug({Capability.HOLD_SENSE: Grade.NATIVE, Capability.DRAW_SENSE: Grade.ABSENT})
        )
        assert table.heard == [LinkUp(holds=True, draws=False, condition=FOUND)]
        assert table.staff_see() == ("online", ())
        assert table.availability.last_contact == table.availability.time
        meta = table.meta
        assert (meta.vendor, meta.model) == (WHO.vendor, WHO.model)
        assert (meta.serial, meta.firmware, meta.certificate) == ("TL-7", "1.2.0", "WMCC-118")
        assert meta.capabilities == {"hold-sense": "native", "draw-sense": "absent"}
        assert meta.resolution_us == 1000
        assert (meta.name, meta.ruleset) == ("Table 1", "mcr-2014")


async def test_a_sense_the_table_does_not_speak_of_is_absent() -> None:
    async with wired() as table:
        await table.plug_in(Plug({Capability.DRAW_SENSE: Grade.INFERRED}))
        assert table.heard == [LinkUp(holds=False, draws=True, condition=FOUND)]


async def test_what_the_table_says_is_handed_on_in_order() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        said = [Observed(DealEnded(), Interval.exactly(Moment(number))) for number in range(3)]
        for one in said:
            plug.said.put_nowait(one)
        await table.clock.settle()
        assert table.heard[1:] == said


async def test_a_lost_wire_is_told_to_the_loop_once_and_tried_again() -> None:
    async with wired() as table:
        await table.plug_in()
        connected_at = table.availability.time
        await table.clock.advance(STABLE)
        await table.pull("port /dev/ttyS1 hung up")
        assert table.heard_last() == LinkDown("port /dev/ttyS1 hung up")
        assert table.staff_see() == ("offline", ("port /dev/ttyS1 hung up",))
        assert table.availability.last_contact == connected_at
        assert (table.meta.serial, table.socket.closed) == ("TL-7", 1)
        await table.clock.advance(timedelta(minutes=1))
        assert sum(isinstance(one, LinkDown) for one in table.heard) == 1
        await table.plug_in()
        assert table.heard_last() == LinkUp(holds=False, draws=True, condition=FOUND)
        assert table.staff_see() == ("online", ())


async def test_a_connection_that_held_is_tried_again_at_once_and_one_that_did_not_later() -> None:
    async with wired() as table:
        await table.clock.advance(timedelta(minutes=1))
        await table.plug_in()
        await table.clock.advance(STABLE)
        await table.pull()
        lost_at = table.clock.now()
        await table.clock.advance(LONGEST)
        assert table.socket.tried[-1] > lost_at
        after = [moment - lost_at for moment in table.socket.tried if moment > lost_at]
        assert after[0] == Backoff("t1").failed(STABLE).delay


async def test_a_wire_that_breaks_at_once_again_and_again_is_not_tried_in_a_hurry() -> None:
    async with wired() as table:
        table.socket.plug = flapping = Plug()
        for _ in range(40):
            flapping.said.put_nowait(LinkLost("port /dev/ttyS1 hung up"))
        await table.clock.advance(timedelta(minutes=1))
        pauses = [
            after - before
            for before, after in zip(table.socket.tried, table.socket.tried[1:], strict=False)
        ]
        assert pauses[-1] >= LONGEST * 3 / 4
        assert len(pauses) < 12


async def test_events_that_end_without_a_reason_are_a_lost_wire() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        plug.said.put_nowait(None)
        table.socket.plug = None
        await table.clock.settle()
        assert table.heard_last() == LinkDown("table t1 ended its events without a reason")


async def test_a_command_reaches_the_table_that_is_connected() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        assert await table.wire.send(Shuffle()) == Answer(Outcome.DONE)
        assert plug.sent == [Shuffle()]


async def test_a_command_for_a_table_that_is_away_is_refused_with_the_cause() -> None:
    async with wired() as table:
        answer = await table.wire.send(Shuffle())
        assert answer == Answer(Outcome.ABSENT, f"table t1 is not connected: {ABSENT}")


async def test_a_command_before_the_first_attempt_is_refused() -> None:
    table = Wired()
    answer = await table.wire.send(Shuffle())
    assert answer.reason == "table t1 is not connected: not connected yet"


async def test_nobody_knows_what_became_of_a_command_when_the_wire_broke() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        plug.gone = True
        answer = await table.wire.send(Shuffle())
        assert answer == Answer(Outcome.UNCERTAIN, "port /dev/ttyS1 hung up")


async def test_damage_on_the_wire_is_told_until_a_look_finds_none() -> None:
    async with wired() as table:
        plug = await table.plug_in(Plug(health=LinkHealth(damaged_frames=2)))
        table.wire.look()
        assert table.staff_see() == ("online", ())
        plug.health = LinkHealth(
            damaged_frames=5, resent_commands=1, lost_events=4, unknown=2, replayed_events=9
        )
        table.wire.look()
        assert table.staff_see() == (
            "degraded",
            (
                "3 frames arrived damaged",
                "1 commands had to be sent again",
                "4 events were lost",
                "2 messages named what nobody knows",
            ),
        )
        await table.clock.advance(SECOND)
        table.wire.look()
        assert table.staff_see() == ("online", ())
        assert table.availability.last_contact == table.clock.utc()


async def test_a_sound_wire_is_no_news() -> None:
    async with wired() as table:
        await table.plug_in()
        said = table.availability
        table.wire.look()
        assert table.availability is said


async def test_a_look_at_a_table_that_is_away_says_nothing() -> None:
    async with wired() as table:
        said = table.availability
        table.wire.look()
        assert table.availability is said


async def test_damage_of_the_connection_before_is_not_counted_again() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        plug.health = replace(plug.health, damaged_frames=50)
        table.wire.look()
        await table.pull()
        await table.plug_in()
        table.wire.look()
        assert table.staff_see() == ("online", ())
