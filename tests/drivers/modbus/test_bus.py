"""Who is asked when on one bus, in virtual time."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from statistics import mean

import pytest

from drivers.modbus.master_answers import Exchange, Replied, Trouble, Unanswered
from drivers.modbus.requests import Read, Write
from table.errors import CommandRefused
from tests.drivers.modbus.members import (
    COUNTERS,
    INPUTS,
    MANNERS,
    MS,
    PULSE,
    Kept,
    bus_of,
    healthy,
    joined,
)
from tests.drivers.modbus.paced_bus import framed, reply_to
from tests.drivers.modbus.virtual_bus import FarEnd, Module, silence
from tests.harness.virtual_loop import played


def test_a_read_is_answered_with_its_values_and_its_window() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda asked: framed(asked[0], bytes([2, 1, 0x81])))})
        async with joined(bus_of(far)) as member:
            exchange = await member.ask(member.meet(1, MANNERS), INPUTS)
        assert exchange.answer == Replied((1, 0, 0, 0, 0, 0, 0, 1))
        # 79 and 59 bits at 115200 baud, and 6 % faster: eight and six bytes but a stop bit each.
        assert exchange.window.asked.micros == round(far.heard[0][0] * 1e6) + 644
        assert exchange.window.arrived.micros == round(far.said[0] * 1e6) - 481

    played(play)


def test_polls_keep_their_own_periods() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        async with joined(bus_of(far)) as member:
            fast = member.poll(member.meet(1, MANNERS), (INPUTS,), 20 * MS, lambda _: None)
            slow = member.poll(member.meet(2, MANNERS), (INPUTS,), 100 * MS, lambda _: None)
            await asyncio.sleep(2)
        assert len(far.asked(1)) == pytest.approx(100, abs=2)
        assert len(far.asked(2)) == pytest.approx(20, abs=1)
        assert fast.pace.wanted == 20 * MS
        assert abs(fast.pace.achieved - 20 * MS) < MS
        assert 20 * MS < fast.pace.width <= fast.pace.widest < 32 * MS
        assert abs(slow.pace.achieved - 100 * MS) < 2 * MS

    played(play)


def test_polls_that_want_more_than_the_line_carries_share_it_evenly() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2, 3), baudrate=9600)
        async with joined(bus_of(far)) as member:
            for unit in (1, 2, 3):
                member.poll(member.meet(unit, MANNERS), (INPUTS,), MS, lambda _: None)
            await asyncio.sleep(3)
        turns = [len(far.asked(unit)) for unit in (1, 2, 3)]
        assert max(turns) - min(turns) <= 1
        assert min(turns) > 30

    played(play)


def test_a_slow_poll_gets_its_turn_on_a_line_that_a_fast_one_fills() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2), baudrate=9600)
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS,), MS, lambda _: None)
            member.poll(member.meet(2, MANNERS), (INPUTS,), 200 * MS, lambda _: None)
            await asyncio.sleep(2)
        assert len(far.asked(2)) == pytest.approx(10, abs=1)

    played(play)


@pytest.mark.parametrize("baudrate", [9600, 19200, 115200])
def test_frames_are_kept_apart(baudrate: int) -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2), baudrate=baudrate)
        async with joined(bus_of(far)) as member:
            for unit in (1, 2):
                member.poll(member.meet(unit, MANNERS), (INPUTS,), MS, lambda _: None)
            await asyncio.sleep(0.5)
        gap = 0.00175 if baudrate > 19200 else 3.5 * 10 / baudrate
        said = far.said[: len(far.heard) - 1]
        gaps = [asked - before for before, (asked, _) in zip(said, far.heard[1:], strict=True)]
        assert min(gaps) >= gap - 1e-9

    played(play)


def test_the_gaps_of_a_profile_are_kept() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        manners = replace(MANNERS, frame_gap=5 * MS, request_gap=30 * MS)
        async with joined(bus_of(far)) as member:
            for unit in (1, 2):
                member.poll(member.meet(unit, manners), (INPUTS,), MS, lambda _: None)
            await asyncio.sleep(0.5)
        said = far.said[: len(far.heard) - 1]
        gaps = [asked - before for before, (asked, _) in zip(said, far.heard[1:], strict=True)]
        rests = [after - before for before, after in pairwise(far.asked(1))]
        assert min(gaps) >= 0.005 - 1e-9
        assert min(rests) >= 0.03

    played(play)


async def _mean_period_of_seven(dead: bool) -> float:  # noqa: FBT001 - the one thing that differs
    far = FarEnd(healthy(*range(1, 9)))
    if dead:
        far.modules[8].answer = silence
    async with joined(bus_of(far)) as member:
        for unit in range(1, 9 if dead else 8):
            member.poll(member.meet(unit, MANNERS), (INPUTS,), MS, lambda _: None)
        await asyncio.sleep(20)
    return mean(after - before for before, after in pairwise(far.asked(1)))


def test_a_dead_device_among_eight_slows_the_others_by_less_than_a_tenth() -> None:
    whole = played(lambda: _mean_period_of_seven(dead=False))
    with_a_dead_one = played(lambda: _mean_period_of_seven(dead=True))
    assert with_a_dead_one < 1.1 * whole


def test_a_silent_device_costs_its_own_time_out_and_is_then_only_probed() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(), 2: Module(answer=silence)})
        manners = replace(MANNERS, fail_count=3, probe_period=timedelta(seconds=1))
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            station = member.meet(2, manners)
            member.poll(station, (INPUTS,), 10 * MS, lambda _: None)
            await asyncio.sleep(5)
        waits = [after - before for before, after in pairwise(far.asked(1))]
        assert max(waits) < 0.065
        assert station.silent
        assert len(far.asked(2)) == 3 + 4
        assert station.counts.troubles == {Trouble.SILENT: 7}

    played(play)


def test_a_silent_device_with_a_long_time_out_is_probed_less_often() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(), 2: Module(answer=silence)})
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            slow = replace(MANNERS, reply_within=300 * MS)
            member.poll(member.meet(2, slow), (INPUTS,), 10 * MS, lambda _: None)
            await asyncio.sleep(20)
        probes = far.asked(2)[MANNERS.fail_count :]
        assert probes
        assert min(after - before for before, after in pairwise(probes)) > 10 * 0.3

    played(play)


def test_a_device_that_comes_back_is_polled_as_before() -> None:
    async def play() -> None:
        kept = Kept()
        far = FarEnd({1: Module(), 2: Module(answer=silence)})
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            station = member.meet(2, MANNERS)
            member.poll(station, (INPUTS,), 10 * MS, kept.exchanges.extend)
            await asyncio.sleep(3)
            far.modules[2].answer = reply_to
            kept.exchanges.clear()
            await asyncio.sleep(3)
        assert not station.silent
        assert len([one for one in kept.answers if isinstance(one, Replied)]) > 90

    played(play)


def test_an_order_goes_before_polls() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2, 3), baudrate=9600)
        async with joined(bus_of(far)) as member:
            for unit in (1, 2, 3):
                member.poll(member.meet(unit, MANNERS), (INPUTS,), MS, lambda _: None)
            await asyncio.sleep(1)
            far.heard.clear()
            exchange = await member.ask(member.meet(1, MANNERS), PULSE)
        assert exchange.answer == Replied()
        assert [frame[1] for _, frame in far.heard].index(5) == 0

    played(play)


def test_the_reads_of_a_sample_go_out_in_order_and_are_taken_together() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        taken: list[tuple[Exchange, ...]] = []
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (COUNTERS, INPUTS), 20 * MS, taken.append)
            member.poll(member.meet(2, MANNERS), (INPUTS,), 7 * MS, lambda _: None)
            await asyncio.sleep(1)
        functions = [frame[1] for _, frame in far.heard if frame[0] == 1]
        assert functions[:100] == [4, 2] * 50
        assert {tuple(one.request for one in sample) for sample in taken} == {(COUNTERS, INPUTS)}

    played(play)


def test_a_sample_breaks_off_at_the_first_read_without_an_answer() -> None:
    async def play() -> None:
        mute = Module(
            answer=lambda asked: b"" if asked[1] == COUNTERS.function else reply_to(asked)
        )
        far = FarEnd({1: mute})
        taken: list[tuple[Exchange, ...]] = []
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS, COUNTERS, INPUTS), 20 * MS, taken.append)
            await asyncio.sleep(1)
        assert {len(sample) for sample in taken} == {2}

    played(play)


def test_a_flood_of_orders_does_not_blind_the_polls() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            station = member.meet(2, MANNERS)
            await asyncio.gather(*(member.ask(station, PULSE) for _ in range(100)))
        waits = [after - before for before, after in pairwise(far.asked(1))]
        assert max(waits) < 0.04

    played(play)


def test_a_write_without_an_answer_is_sent_once() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=silence)})
        async with joined(bus_of(far)) as member:
            exchange = await member.ask(member.meet(1, MANNERS), PULSE)
            await asyncio.sleep(1)
        assert exchange.answer == Unanswered(Trouble.SILENT)
        assert len(far.heard) == 1

    played(play)


def test_an_order_cancelled_before_its_turn_is_never_sent() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(thinks_seconds=0.04)})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, MANNERS)
            first = asyncio.create_task(member.ask(station, INPUTS))
            second = asyncio.create_task(member.ask(station, PULSE))
            third = asyncio.create_task(member.ask(station, COUNTERS))
            await asyncio.sleep(0.01)
            second.cancel()
            assert isinstance((await first).answer, Replied)
            assert isinstance((await third).answer, Replied)
        assert [frame[1] for _, frame in far.heard] == [2, 4]

    played(play)


def test_an_order_cancelled_on_the_wire_leaves_the_bus_in_step() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(thinks_seconds=0.04)})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, MANNERS)
            cancelled = asyncio.create_task(member.ask(station, Read(2, 0, 16)))
            await asyncio.sleep(0.01)
            cancelled.cancel()
            exchange = await member.ask(station, INPUTS)
        assert exchange.answer == Replied((0,) * 8)

    played(play)


def test_a_broadcast_goes_out_once_and_leaves_the_line_alone_for_a_while() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1))
        async with joined(bus_of(far)) as member:
            station = member.meet(1, replace(MANNERS, broadcast=True))
            exchange = await member.broadcast(Write(5, 0xFF, (0,)))
            await member.ask(station, INPUTS)
        assert exchange.answer == Replied()
        assert [frame[0] for _, frame in far.heard] == [0, 1]
        assert far.heard[1][0] - far.heard[0][0] > 0.15

    played(play)


def test_a_broadcast_is_refused_where_a_device_is_not_to_hear_it() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1))
        async with joined(bus_of(far)) as member:
            member.meet(1, MANNERS)
            with pytest.raises(CommandRefused, match="unit 1 is not to hear broadcasts"):
                await member.broadcast(Write(5, 0xFF, (0,)))
        assert far.heard == []

    played(play)
