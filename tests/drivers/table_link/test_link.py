"""A driver and a box on a real pseudo-terminal."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from drivers.port import Answer, Capability, Grade, Identity, Outcome, TableLink
from drivers.table_link import link as link_module
from drivers.table_link import talk
from drivers.table_link.codes import Ending, Flag, MachineBit, Refusal, Stage
from drivers.table_link.driver import SerialTableDriver
from drivers.table_link.frames import Frame, encode
from drivers.table_link.link import SYNCS_AT_FIRST
from drivers.table_link.messages import (
    Ack,
    Command,
    Edge,
    FromBox,
    Heartbeat,
    Lost,
    Machine,
    Nack,
    Progress,
    Result,
    Rewind,
    State,
    Sync,
)
from table.commands import Shuffle, SoundBuzzer, Stop
from table.errors import LinkLost, LinkUnavailable
from table.events import (
    Call,
    ClaimPressed,
    Condition,
    CycleStarted,
    DiscardPressed,
    DiscardReleased,
    Fault,
    MachineFound,
    Observed,
    TableRebooted,
    WallReady,
)
from table.moment import Moment, elapsed
from table.seat import Seat
from tests.drivers.pty_port import PtyPort, pty_port
from tests.drivers.table_link.scripted_box import ScriptedBox

PATIENCE_SECONDS = 20
BEEP = SoundBuzzer(Seat.TWO, timedelta(milliseconds=300))


def now() -> Moment:
    return Moment(int(asyncio.get_running_loop().time() * 1_000_000))


@pytest.fixture
async def port() -> AsyncIterator[PtyPort]:
    with pty_port() as port:
        yield port


@pytest.fixture
async def box(port: PtyPort) -> AsyncIterator[ScriptedBox]:
    box = ScriptedBox(port, now)
    living = asyncio.create_task(box.live())
    yield box
    living.cancel()
    with suppress(asyncio.CancelledError, OSError):
        await living


@asynccontextmanager
async def connected(box: ScriptedBox, serial: str | None = "TL-1") -> AsyncIterator[TableLink]:
    driver = SerialTableDriver(box.port.path, 115200, serial, now)
    async with asyncio.timeout(PATIENCE_SECONDS), driver.connect() as link:
        yield link


async def observed(link: TableLink, number: int) -> list[Observed]:
    """Return the next so many events."""
    events = []
    async for event in link.events():
        events.append(event)
        if len(events) == number:
            break
    return events


async def happens(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; `connected` limits how long."""
    async for _ in _looks():
        if condition():
            return


async def _looks() -> AsyncIterator[None]:
    for _ in count():
        yield
        await asyncio.sleep(0.002)


async def test_a_link_knows_who_is_there_what_it_can_do_and_how_the_machine_stands(
    box: ScriptedBox,
) -> None:
    box.faults = (7,)
    async with connected(box) as link:
        assert link.identity == Identity("Lotus", "Box A", "TL-1", "1.3.0")
        assert link.capabilities[Capability.HOLD_SENSE] is Grade.NATIVE
        assert link.resolution == timedelta(milliseconds=1)
        assert link.condition == Condition(
            cycling=False,
            wall_ready=True,
            wall_raised=False,
            faults=frozenset({Fault.SLOW_CYCLE}),
        )


async def test_a_tap_is_two_events_with_one_interval_around_the_true_moment(
    box: ScriptedBox,
) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        before = now()
        box.tap(2)
        pressed, released = await observed(link, 2)
        assert pressed.event == DiscardPressed(Seat.TWO)
        assert released.event == DiscardReleased(Seat.TWO)
        assert pressed.when == released.when
        assert pressed.when.earliest <= before <= pressed.when.latest
        assert not pressed.replayed
        # Two truncated stamps of a millisecond: a bound smaller than that would be a lie.
        assert link.health.time_doubt >= timedelta(milliseconds=0.5)


async def test_presses_of_one_box_compare_in_device_time(box: ScriptedBox) -> None:
    async with connected(box) as link:
        for at in (1000, 4010):
            box.happen(Edge(box.boot, at, at, 1, 1, 1))
        first, second = await observed(link, 2)
        assert elapsed(first.when, second.when).least == timedelta(milliseconds=3009)


async def test_what_is_recorded_is_acknowledged_with_all_before_it(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.tap(1)
        box.tap(2)
        for event in await observed(link, 4):
            link.recorded(event)
        await happens(lambda: box.acknowledged == 4)
        acks = [one.ack for one in box.received if isinstance(one.message, Ack)]
        assert acks == [4]


async def test_a_press_that_is_not_recorded_yet_is_told_again_and_counts_once(
    box: ScriptedBox,
) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.tap(1)
        pressed, _ = await observed(link, 2)
        beats = len(box.heard(Heartbeat))
        await happens(lambda: len(box.heard(Heartbeat)) > beats)
        assert box.acknowledged == 0
        link.recorded(pressed)
        await happens(lambda: box.acknowledged == 1)
        box.send_event(1, Flag.NEEDS_ACK | Flag.REPLAY)
        box.send_event(2, Flag.NEEDS_ACK | Flag.REPLAY)
        box.tap(2)
        assert [one.event for one in await observed(link, 2)] == [
            DiscardPressed(Seat.TWO),
            DiscardReleased(Seat.TWO),
        ]


async def test_what_was_not_recorded_is_kept_through_a_new_connection(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.tap(1)
        pressed, _ = await observed(link, 2)
        link.recorded(pressed)
        await happens(lambda: box.acknowledged == 1)
    async with connected(box) as link:
        (released,) = await observed(link, 1)
        assert released.event == DiscardReleased(Seat.ONE)
        assert released.when.stamp == pressed.when.stamp
        assert released.replayed


async def test_another_box_than_the_expected_one_is_refused_by_name(box: ScriptedBox) -> None:
    with pytest.raises(LinkUnavailable, match="expected box TL-9, found TL-1"):
        async with connected(box, "TL-9"):
            pass
    assert not box.armed


async def test_without_an_expected_serial_any_box_will_do(box: ScriptedBox) -> None:
    async with connected(box, None) as link:
        assert link.identity.serial == "TL-1"


async def test_a_port_on_which_nobody_answers_is_unavailable(
    port: PtyPort, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "TRIES", 2)
    with pytest.raises(LinkUnavailable, match="no Hello"):
        async with SerialTableDriver(port.path, 115200, None, now).connect():
            pass


async def test_a_port_that_does_not_exist_is_unavailable() -> None:
    with pytest.raises(LinkUnavailable, match="/dev/no-such-port"):
        async with SerialTableDriver("/dev/no-such-port", 115200, None, now).connect():
            pass


async def test_a_second_opener_is_refused(box: ScriptedBox) -> None:
    async with connected(box):
        with pytest.raises(LinkUnavailable, match="program has it open"):
            async with connected(box):
                pass


async def test_a_cable_pulled_ends_the_events(box: ScriptedBox) -> None:
    async with connected(box) as link:
        box.port.unplug()
        with pytest.raises(LinkLost, match="is lost"):
            await observed(link, 1)
        with pytest.raises(LinkLost):
            await link.send(BEEP)


async def test_a_cable_pulled_leaves_a_command_on_its_way_uncertain(box: ScriptedBox) -> None:
    box.answer = lambda command: (Progress(command.id, Stage.ACCEPTED),)
    async with connected(box) as link:
        answer = asyncio.create_task(link.send(Shuffle()))
        await happens(lambda: box.heard(Command))
        box.port.unplug()
        assert (await answer).outcome is Outcome.UNCERTAIN


async def test_a_silent_box_is_suspect_and_then_lost(box: ScriptedBox) -> None:
    async with connected(box) as link:
        box.mute = True
        await happens(lambda: link.health.suspect)
        with pytest.raises(LinkLost, match="silent for 2 s"):
            await observed(link, 1)


async def test_a_host_that_slept_itself_does_not_blame_the_box(
    box: ScriptedBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "SUSPECT_SECONDS", 0.3)
    monkeypatch.setattr(link_module, "LOST_SECONDS", 0.5)
    async with connected(box) as link:
        await happens(lambda: box.armed)
        asyncio.get_running_loop().call_soon(time.sleep, 1.0)
        await happens(lambda: len(box.heard(Heartbeat)) > 1)
        box.tap(2)
        assert len(await observed(link, 2)) == 2


async def test_the_host_shows_signs_of_life_and_keeps_setting_the_clock(box: ScriptedBox) -> None:
    async with connected(box):
        await happens(lambda: len(box.heard(Sync)) > SYNCS_AT_FIRST)
        assert box.heard(Heartbeat)[:3] == [Heartbeat(box.boot)] * 3


async def test_lost_frames_are_asked_for_again_and_come_in_order(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.vanishing = {1, 2}
        box.tap(1)
        box.tap(2)
        events = await observed(link, 4)
        assert [one.event for one in events] == [
            DiscardPressed(Seat.ONE),
            DiscardReleased(Seat.ONE),
            DiscardPressed(Seat.TWO),
            DiscardReleased(Seat.TWO),
        ]
        assert not any(one.replayed for one in events)
        assert link.health.replayed_events == 4
        assert len(box.heard(Rewind)) > 1
        assert {*box.heard(Rewind)} == {Rewind(1)}


async def test_what_a_box_kept_during_an_outage_is_replayed(box: ScriptedBox) -> None:
    box.tap(3, place=2, call=2)
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.tap(4)
        claim, press, _ = await observed(link, 3)
        assert claim.event == ClaimPressed(Seat.THREE, Call.PUNG)
        assert claim.replayed
        assert not press.replayed


async def test_a_ring_that_overflowed_puts_the_table_out_of_step(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.machine = MachineBit.CYCLING
        box.send(Lost(box.boot, 1, 12))
        event, found = await observed(link, 2)
        assert event.event == TableRebooted()
        assert link.health.lost_events == 12
        # What was lost may have been the machine's.
        assert found.event == MachineFound(link.condition)
        assert link.condition.cycling


async def test_a_box_that_lost_its_cycle_in_a_reboot_says_how_its_machine_stands(
    box: ScriptedBox,
) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.happen(Machine(box.boot, box.ms, 1))
        (started,) = await observed(link, 1)
        assert started.event == CycleStarted()
        box.machine = MachineBit.NONE
        box.reboot(0x22)
        rebooted, found = await observed(link, 2)
        assert rebooted.event == TableRebooted()
        still = Condition(cycling=False, wall_ready=False, wall_raised=False)
        assert found.event == MachineFound(still)


async def test_a_rebooted_box_is_told_greeted_again_and_heard(box: ScriptedBox) -> None:
    box.answer = lambda command: (Progress(command.id, Stage.ACCEPTED),)
    async with connected(box) as link:
        answer = asyncio.create_task(link.send(Shuffle()))
        await happens(lambda: box.heard(Command))
        box.reboot(0x22)
        box.tap(1)
        rebooted, found, pressed, _ = await observed(link, 4)
        assert rebooted.event == TableRebooted()
        assert found.event == MachineFound(link.condition)
        assert pressed.event == DiscardPressed(Seat.ONE)
        assert pressed.when.stamp
        assert pressed.when.stamp.clock == "TL-1/00000022"
        assert pressed.when.earliest <= now()
        assert await answer == Answer(Outcome.UNCERTAIN, "the table's box rebooted")


async def test_another_box_after_a_reboot_ends_the_link(box: ScriptedBox) -> None:
    async with connected(box) as link:
        box.serial = "TL-2"
        box.reboot(0x22)
        with pytest.raises(LinkLost, match="box TL-1 was replaced by TL-2"):
            await observed(link, 1)


async def test_a_stale_word_of_an_old_boot_is_not_a_reboot(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.send(Heartbeat(0x10))
        await happens(lambda: len(box.heard(Rewind)) > 1)
        box.send(Edge(0x10, 5, 5, 1, 1, 1), 1, Flag.NEEDS_ACK)
        box.tap(2)
        (event, _) = await observed(link, 2)
        assert event.event == DiscardPressed(Seat.TWO)
        assert link.health.unknown == 1


async def test_a_box_that_gave_the_host_up_is_armed_again(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.armed = False
        box.tap(2)
        assert len(await observed(link, 2)) == 2


async def test_a_command_is_done(box: ScriptedBox) -> None:
    async with connected(box) as link:
        assert await link.send(BEEP) == Answer(Outcome.DONE)
        (command,) = box.heard(Command)
        assert isinstance(command, Command)
        assert (command.verb, command.seat, command.value) == (5, 2, 300)


async def test_an_unanswered_command_is_sent_again_with_the_same_id(box: ScriptedBox) -> None:
    tries = count(1)

    def third_time(command: Command) -> Iterable[FromBox]:
        return (Result(command.id, Ending.DONE),) if next(tries) == 3 else ()

    box.answer = third_time
    async with connected(box) as link:
        assert await link.send(Shuffle()) == Answer(Outcome.DONE)
        commands = box.heard(Command)
        assert len(commands) == 3
        assert len({*commands}) == 1
        assert link.health.resent_commands == 2


async def test_a_command_never_answered_is_uncertain_and_is_not_sent_for_ever(
    box: ScriptedBox,
) -> None:
    box.answer = lambda _: ()
    async with connected(box) as link:
        assert (await link.send(Shuffle())).outcome is Outcome.UNCERTAIN
        assert len(box.heard(Command)) == 4


async def test_an_accepted_command_is_asked_about_until_its_result_comes(box: ScriptedBox) -> None:
    tries = count(1)

    def result_was_lost(command: Command) -> Iterable[FromBox]:
        if next(tries) == 1:
            return (Progress(command.id, Stage.ACCEPTED),)
        return (Result(command.id, Ending.DONE),)

    box.answer = result_was_lost
    async with connected(box) as link:
        assert await link.send(Shuffle()) == Answer(Outcome.DONE)


async def test_a_refusal_gives_its_reason(box: ScriptedBox) -> None:
    box.answer = lambda command: (Nack(command.id, Refusal.INTERLOCK),)
    async with connected(box) as link:
        assert await link.send(Shuffle()) == Answer(Outcome.REFUSED, "another movement forbids it")
        assert len(box.heard(Command)) == 1


async def test_not_armed_is_a_refusal_only_where_nothing_can_have_begun(box: ScriptedBox) -> None:
    box.answer = lambda command: (Nack(command.id, Refusal.NOT_ARMED),)
    async with connected(box) as link:
        assert (await link.send(Shuffle())).outcome is Outcome.REFUSED


@pytest.mark.parametrize("first", [Progress(0, Stage.ACCEPTED), None])
async def test_a_box_that_started_anew_does_not_know_what_it_had_begun(
    box: ScriptedBox, first: Progress | None
) -> None:
    tries = count(1)

    def rebooted_in_between(command: Command) -> Iterable[FromBox]:
        if next(tries) == 1:
            return (replace(first, id=command.id),) if first else ()
        return (Nack(command.id, Refusal.NOT_ARMED),)

    box.answer = rebooted_in_between
    async with connected(box) as link:
        answer = await link.send(Shuffle())
        assert answer.outcome is Outcome.UNCERTAIN
        assert "may have begun" in answer.reason


async def test_commands_at_once_are_told_apart(box: ScriptedBox) -> None:
    def stop_only(command: Command) -> Iterable[FromBox]:
        if command.verb == 4:
            return (Result(command.id, Ending.DONE),)
        return (Result(command.id, Ending.STOPPED),)

    box.answer = stop_only
    async with connected(box) as link:
        shuffle, stop = await asyncio.gather(link.send(Shuffle()), link.send(Stop()))
        assert shuffle == Answer(Outcome.FAILED, "stopped")
        assert stop == Answer(Outcome.DONE)


async def test_events_and_states_change_the_condition(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.happen(Machine(box.boot, box.ms, 1))
        (started,) = await observed(link, 1)
        assert started.event == CycleStarted()
        assert link.condition.cycling
        box.send(State(box.boot, box.following, MachineBit.WALL_RAISED))
        await happens(lambda: link.condition.wall_raised)


async def test_an_event_older_than_the_state_does_not_change_the_condition(
    box: ScriptedBox,
) -> None:
    box.happen(Machine(box.boot, box.ms, 1))
    box.happen(Machine(box.boot, box.ms, 2))
    box.machine = MachineBit.WALL_RAISED
    async with connected(box) as link:
        events = await observed(link, 2)
        assert [one.event for one in events] == [CycleStarted(), WallReady()]
        assert link.condition == Condition(cycling=False, wall_ready=False, wall_raised=True)


async def test_damage_is_counted_and_the_conversation_goes_on(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        box.port.send(b"\x05noise\0\x02\x46\0")
        box.tap(1)
        assert len(await observed(link, 2)) == 2
        assert link.health.damaged_frames == 2


async def test_a_frame_for_another_address_is_not_ours(box: ScriptedBox) -> None:
    async with connected(box) as link:
        await happens(lambda: box.armed)
        event = Edge(box.boot, 5, 5, 1, 1, 1)
        stray = Frame(Edge.KIND, event.to_bytes(), 1, flags=Flag.NEEDS_ACK, address=3)
        box.port.send(encode(stray))
        box.tap(2)
        (pressed, _) = await observed(link, 2)
        assert pressed.event == DiscardPressed(Seat.TWO)
        assert link.health.unknown == 1


async def test_the_first_trouble_is_logged_with_the_frames_before_it(
    box: ScriptedBox, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(box) as link:
        box.port.send(b"\x05noise\0")
        box.port.send(b"\x05noise\0")
        await happens(lambda: link.health.damaged_frames == 2)
        box.tap(1)
        await observed(link, 2)
    (record,) = [one for one in caplog.records if "last frames" in one.getMessage()]
    assert record.levelname == "WARNING"
    assert "> REWIND: first 1" in record.getMessage()


async def test_device_time_may_wrap_between_two_presses(box: ScriptedBox) -> None:
    box.time = 2**32 - 40
    box.boot = 0x33
    async with connected(box) as link:
        await happens(lambda: box.armed and box.ms > 2**32)
        early = Edge(box.boot, 2**32 - 20, 2**32 - 20, 1, 1, 1)
        box.happen(early)
        box.happen(replace(early, seat=2, first_ms=80, at_ms=80))
        first, second = await observed(link, 2)
        assert elapsed(first.when, second.when).most == timedelta(milliseconds=101)


async def test_at_twenty_times_the_speed_a_press_still_lies_in_its_interval(
    port: PtyPort,
) -> None:
    def fast() -> Moment:
        return Moment(now().micros * 20)

    box = ScriptedBox(port, fast)
    living = asyncio.create_task(box.live())
    async with SerialTableDriver(port.path, 115200, "TL-1", fast).connect() as link:
        await happens(lambda: box.armed)
        before = fast()
        box.tap(2)
        pressed, _ = await observed(link, 2)
        assert pressed.when.earliest <= before <= pressed.when.latest
    living.cancel()
    with suppress(asyncio.CancelledError):
        await living
