"""A wire that comes and goes: who is told what, and when it is tried again."""

import logging
from datetime import timedelta

import pytest

from controller.backoff import FIRST, LONGEST, STABLE, Backoff
from drivers.port import Answer, Capability, Grade, Outcome
from table.abilities import Abilities
from table.commands import SetLamp, Shuffle, SoundBuzzer
from table.errors import LinkLost
from table.events import DealEnded, LinkDown, LinkUp, Observed
from table.moment import Interval, Moment
from table.seat import Seat
from tests.controller.plugged_table import ABSENT, FOUND, WHO, Plug, Wired, wired

NONE = Abilities(shuffle=False, lift=False, dice_roll=False)


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
        assert table.heard == [LinkUp(holds=True, draws=False, condition=FOUND, abilities=NONE)]
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
        assert table.heard == [LinkUp(holds=False, draws=True, condition=FOUND, abilities=NONE)]


async def test_what_the_motors_can_be_told_is_handed_on() -> None:
    parts = (Capability.SHUFFLE, Capability.LIFT, Capability.LIFT_TOGGLE, Capability.REOPEN)
    async with wired() as table:
        await table.plug_in(Plug(dict.fromkeys(parts, Grade.RETROFIT)))
        (link,) = table.heard
        assert isinstance(link, LinkUp)
        assert link.abilities == Abilities(dice_roll=False, reopen=True, lift_toggles=True)


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
        assert table.heard_last() == LinkUp(
            holds=False, draws=True, condition=FOUND, abilities=NONE
        )
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


@pytest.mark.parametrize("able", [(), (Capability.LAMP,), (Capability.LAMP, Capability.BUZZER)])
async def test_a_sign_is_sent_only_to_a_table_that_can_show_it(
    able: tuple[Capability, ...],
) -> None:
    signs: dict[Capability, SetLamp | SoundBuzzer] = {
        Capability.LAMP: SetLamp(Seat.ONE, lit=True),
        Capability.BUZZER: SoundBuzzer(Seat.ONE, timedelta(seconds=1)),
    }
    async with wired() as table:
        plug = await table.plug_in(Plug(dict.fromkeys(able, Grade.RETROFIT)))
        for sign in signs.values():
            assert (await table.wire.send(sign)).outcome is Outcome.DONE
        assert plug.sent == [signs[one] for one in able]


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
        assert answer == Answer(Outcome.ABSENT, "port /dev/ttyS1 hung up")
