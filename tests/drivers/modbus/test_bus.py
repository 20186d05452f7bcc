"""One bus and its devices, in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from statistics import mean

import pytest

from drivers.modbus.bus import Bus, Member
from drivers.modbus.bus_queue import Manners
from drivers.modbus.master_answers import Exchange, Refused, Replied, Trouble, Unanswered
from drivers.modbus.requests import Read, Write
from table.errors import CommandRefused, LinkLost, LinkUnavailable
from tests.drivers.modbus.paced_bus import framed, reply_to
from tests.drivers.modbus.virtual_bus import FarEnd, Module, silence, virtual_line
from tests.harness.virtual_loop import loop_now, played

MS = timedelta(milliseconds=1)
INPUTS = Read(2, 0, 8)
COUNTERS = Read(4, 60, 4)
PULSE = Write(5, 0x0200, (3,))
MANNERS = Manners(reply_within=50 * MS)


class Kept:
    """Takes exchanges and losses, and keeps them."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self.losses: list[LinkLost] = []

    @property
    def answers(self) -> list[object]:
        return [exchange.answer for exchange in self.exchanges]


@asynccontextmanager
async def joined(bus: Bus, kept: Kept | None = None) -> AsyncIterator[Member]:
    async with bus.joined((kept or Kept()).losses.append) as member:
        yield member


def bus_of(far: FarEnd) -> Bus:
    return Bus(virtual_line(far), loop_now)


def healthy(*units: int) -> dict[int, Module]:
    return {unit: Module() for unit in units}


def test_a_read_is_answered_with_its_values_and_its_window() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda asked: framed(asked[0], bytes([2, 1, 0x81])))})
        async with joined(bus_of(far)) as member:
            exchange = await member.ask(member.meet(1, MANNERS), INPUTS)
        assert exchange.answer == Replied((1, 0, 0, 0, 0, 0, 0, 1))
        assert exchange.window.asked.micros == round(far.heard[0][0] * 1e6)
        assert exchange.window.arrived.micros == round(far.said[0] * 1e6)

    played(play)


def test_polls_keep_their_own_periods() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        async with joined(bus_of(far)) as member:
            fast = member.poll(member.meet(1, MANNERS), INPUTS, 20 * MS, lambda _: None)
            slow = member.poll(member.meet(2, MANNERS), INPUTS, 100 * MS, lambda _: None)
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
                member.poll(member.meet(unit, MANNERS), INPUTS, MS, lambda _: None)
            await asyncio.sleep(3)
        turns = [len(far.asked(unit)) for unit in (1, 2, 3)]
        assert max(turns) - min(turns) <= 1
        assert min(turns) > 30

    played(play)


def test_a_slow_poll_gets_its_turn_on_a_line_that_a_fast_one_fills() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2), baudrate=9600)
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), INPUTS, MS, lambda _: None)
            member.poll(member.meet(2, MANNERS), INPUTS, 200 * MS, lambda _: None)
            await asyncio.sleep(2)
        assert len(far.asked(2)) == pytest.approx(10, abs=1)

    played(play)


@pytest.mark.parametrize("baudrate", [9600, 19200, 115200])
def test_frames_are_kept_apart(baudrate: int) -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2), baudrate=baudrate)
        async with joined(bus_of(far)) as member:
            for unit in (1, 2):
                member.poll(member.meet(unit, MANNERS), INPUTS, MS, lambda _: None)
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
                member.poll(member.meet(unit, manners), INPUTS, MS, lambda _: None)
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
            member.poll(member.meet(unit, MANNERS), INPUTS, MS, lambda _: None)
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
            member.poll(member.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
            station = member.meet(2, manners)
            member.poll(station, INPUTS, 10 * MS, lambda _: None)
            await asyncio.sleep(5)
        waits = [after - before for before, after in pairwise(far.asked(1))]
        assert max(waits) < 0.065
        assert station.silent
        assert len(far.asked(2)) == 3 + 4
        assert station.counts.troubles == {Trouble.SILENT: 7}

    played(play)


def test_a_device_that_comes_back_is_polled_as_before() -> None:
    async def play() -> None:
        kept = Kept()
        far = FarEnd({1: Module(), 2: Module(answer=silence)})
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
            station = member.meet(2, MANNERS)
            member.poll(station, INPUTS, 10 * MS, kept.exchanges.append)
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
                member.poll(member.meet(unit, MANNERS), INPUTS, MS, lambda _: None)
            await asyncio.sleep(1)
            far.heard.clear()
            exchange = await member.ask(member.meet(1, MANNERS), PULSE)
        assert exchange.answer == Replied()
        assert [frame[1] for _, frame in far.heard].index(5) == 0

    played(play)


def test_a_flood_of_orders_does_not_blind_the_polls() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        async with joined(bus_of(far)) as member:
            member.poll(member.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
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


def _late_then_quick() -> Callable[[bytes], bytes]:
    """Answer everything with ones where the first request is for address 0."""

    def answer(asked: bytes) -> bytes:
        return reply_to(asked, 0xFF if asked[3] == 0 else 0)

    return answer


def test_a_late_answer_is_not_taken_for_that_to_the_next_request() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(thinks_seconds=0.07, answer=_late_then_quick())})
        bus = bus_of(far)
        async with joined(bus) as member:
            station = member.meet(1, MANNERS)
            late = await member.ask(station, INPUTS)
            far.modules[1].thinks_seconds = 0.001
            right = await member.ask(station, Read(2, 8, 8))
        assert late.answer == Unanswered(Trouble.SILENT)
        assert right.answer == Replied((0,) * 8)

    played(play)


def test_a_late_answer_of_one_device_does_not_answer_for_another() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(thinks_seconds=0.052), 2: Module(thinks_seconds=0.02)})
        async with joined(bus_of(far)) as member:
            late, other = await asyncio.gather(
                member.ask(member.meet(1, MANNERS), INPUTS),
                member.ask(member.meet(2, MANNERS), INPUTS),
            )
        assert isinstance(late.answer, Unanswered)
        assert other.answer == Replied((0,) * 8)
        assert other.troubles == (Trouble.STRANGER,)

    played(play)


@pytest.mark.parametrize(
    ("said", "trouble"),
    [
        (b"", Trouble.SILENT),
        (framed(1, bytes([2, 1, 0]))[:-1], Trouble.CUT_SHORT),
        (framed(1, bytes([2, 1, 0]))[:-1] + b"\0", Trouble.DAMAGED),
        (b"\x55" * 300, Trouble.DAMAGED),
        (framed(7, bytes([2, 1, 0])), Trouble.STRANGER),
        (framed(1, bytes([1, 1, 0])), Trouble.OTHER_FUNCTION),
        (framed(1, bytes([2, 2, 0, 0])), Trouble.OTHER_SHAPE),
    ],
)
def test_what_is_no_answer_is_named_and_survived(said: bytes, trouble: Trouble) -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda _: said)})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, MANNERS)
            exchange = await member.ask(station, INPUTS)
            far.modules[1].answer = reply_to
            after = await member.ask(station, INPUTS)
        assert exchange.answer == Unanswered(trouble)
        assert station.counts.troubles[trouble] == 1
        assert after.answer == Replied((0,) * 8)

    played(play)


def test_a_damaged_answer_is_given_up_long_before_the_time_out() -> None:
    async def play() -> float:
        far = FarEnd({1: Module(answer=lambda asked: reply_to(asked)[:-1] + b"\0")})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, Manners(reply_within=timedelta(seconds=1)))
            await member.ask(station, INPUTS)
            return asyncio.get_running_loop().time()

    assert played(play) < 0.04


@pytest.mark.parametrize("code", [1, 2, 3, 4, 6, 0x0A, 0x0B, 0x77])
def test_an_exception_reply_is_told_in_words(code: int) -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda asked: framed(1, bytes([asked[1] | 0x80, code])))})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, MANNERS)
            exchange = await member.ask(station, INPUTS)
        assert exchange.answer == Refused(code)
        assert f"exception {code:#04x}" in Refused(code).reason
        assert station.counts.exceptions == {code: 1}

    played(play)


def test_a_device_that_a_gateway_cannot_reach_is_silent_but_the_line_is_not_lost() -> None:
    async def play() -> None:
        kept = Kept()
        far = FarEnd({1: Module(answer=lambda asked: framed(1, bytes([asked[1] | 0x80, 0x0B])))})
        async with joined(bus_of(far), kept) as member:
            station = member.meet(1, MANNERS)
            member.poll(station, INPUTS, 10 * MS, kept.exchanges.append)
            await asyncio.sleep(5)
        assert station.silent
        assert len(far.heard) == 3 + 2
        assert kept.losses == []

    played(play)


def test_a_line_on_which_nobody_answers_is_lost_to_everybody_once() -> None:
    async def play() -> None:
        first, second = Kept(), Kept()
        far = FarEnd({1: Module(answer=silence)})
        bus = bus_of(far)
        async with joined(bus, first) as member, joined(bus, second):
            member.poll(member.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
            await asyncio.sleep(30)
            with pytest.raises(LinkLost, match="no device has answered for 2 s"):
                await member.ask(member.meet(1, MANNERS), INPUTS)
        assert [len(one.losses) for one in (first, second)] == [1, 1]
        assert "port far: no device has answered" in str(first.losses[0])
        assert far.closed == 1

    played(play)


def test_a_pulled_cable_is_told_at_once_and_the_next_to_join_opens_the_port_anew() -> None:
    async def play() -> None:
        kept = Kept()
        far = FarEnd({1: Module(thinks_seconds=10)})
        bus = bus_of(far)
        patient = Manners(reply_within=timedelta(seconds=20))
        async with joined(bus, kept) as member:
            station = member.meet(1, patient)
            on_the_wire = asyncio.create_task(member.ask(station, PULSE))
            queued = asyncio.create_task(member.ask(station, PULSE))
            await asyncio.sleep(0.1)
            far.unplug()
            assert (await on_the_wire).answer == Unanswered(Trouble.LINE_LOST)
            with pytest.raises(LinkLost, match="the device is gone"):
                await queued
            assert asyncio.get_running_loop().time() < 0.2
            far.modules[1].thinks_seconds = 0.001
            async with joined(bus) as again:
                exchange = await again.ask(again.meet(1, MANNERS), INPUTS)
        assert isinstance(exchange.answer, Replied)
        assert len(kept.losses) == 1
        assert (far.opened, far.closed) == (2, 2)

    played(play)


def test_a_port_that_cannot_be_opened_is_told_and_tried_again_by_the_next() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1), refuses="port far cannot be opened: another program has it open")
        bus = bus_of(far)
        for _ in range(2):
            with pytest.raises(LinkUnavailable, match="another program has it open"):
                async with joined(bus):
                    pass
        far.refuses = ""
        async with joined(bus) as member:
            assert isinstance((await member.ask(member.meet(1, MANNERS), INPUTS)).answer, Replied)

    played(play)


def test_who_leaves_takes_the_polls_along_and_the_last_closes_the_port() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1, 2))
        bus = bus_of(far)
        async with joined(bus) as staying:
            staying.poll(staying.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
            async with joined(bus) as leaving:
                leaving.poll(leaving.meet(2, MANNERS), INPUTS, 10 * MS, lambda _: None)
                await asyncio.sleep(0.5)
            asked = len(far.asked(2))
            await asyncio.sleep(0.5)
            assert len(far.asked(2)) <= asked + 1
            assert far.closed == 0
        assert (far.opened, far.closed) == (1, 1)

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


def test_a_device_that_babbles_does_not_stop_the_bus() -> None:
    async def play() -> None:
        far = FarEnd(healthy(1))
        async with joined(bus_of(far)) as member:

            async def babble() -> None:
                while True:
                    far.say(b"\xa5")
                    await asyncio.sleep(0.001)

            babbling = asyncio.create_task(babble())
            exchange = await member.ask(member.meet(1, MANNERS), INPUTS)
            babbling.cancel()
            await asyncio.sleep(0.1)
            after = await member.ask(member.meet(1, MANNERS), INPUTS)
        assert exchange.window.asked.micros >= 1_000_000
        assert isinstance(after.answer, Replied)

    played(play)


def test_one_bad_bus_never_touches_another() -> None:
    async def play() -> None:
        bad, good = FarEnd(healthy(1)), FarEnd(healthy(1))
        kept = Kept()
        async with joined(bus_of(bad)) as lost, joined(bus_of(good), kept) as member:
            lost.poll(lost.meet(1, MANNERS), INPUTS, 10 * MS, lambda _: None)
            member.poll(member.meet(1, MANNERS), INPUTS, 10 * MS, kept.exchanges.append)
            await asyncio.sleep(0.5)
            bad.unplug()
            await asyncio.sleep(0.5)
        assert kept.losses == []
        assert all(isinstance(answer, Replied) for answer in kept.answers)
        assert len(kept.answers) == pytest.approx(100, abs=2)

    played(play)
