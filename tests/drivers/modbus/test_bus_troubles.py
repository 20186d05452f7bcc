"""What goes wrong on one bus, and what it does to the others, in virtual time."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from drivers.modbus.bus_queue import Manners
from drivers.modbus.master_answers import Refused, Replied, Trouble, Unanswered
from drivers.modbus.requests import Read
from table.errors import LinkLost, LinkUnavailable
from tests.drivers.modbus.members import (
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
            member.poll(station, (INPUTS,), 10 * MS, kept.exchanges.extend)
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
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
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
            staying.poll(staying.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            async with joined(bus) as leaving:
                leaving.poll(leaving.meet(2, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
                await asyncio.sleep(0.5)
            asked = len(far.asked(2))
            await asyncio.sleep(0.5)
            assert len(far.asked(2)) <= asked + 1
            assert far.closed == 0
        assert (far.opened, far.closed) == (1, 1)

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
            lost.poll(lost.meet(1, MANNERS), (INPUTS,), 10 * MS, lambda _: None)
            member.poll(member.meet(1, MANNERS), (INPUTS,), 10 * MS, kept.exchanges.extend)
            await asyncio.sleep(0.5)
            bad.unplug()
            await asyncio.sleep(0.5)
        assert kept.losses == []
        assert all(isinstance(answer, Replied) for answer in kept.answers)
        assert len(kept.answers) == pytest.approx(100, abs=2)

    played(play)


def test_the_echo_of_an_adapter_is_no_answer_to_a_write() -> None:
    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda asked: asked + reply_to(asked))})
        async with joined(bus_of(far)) as member:
            station = member.meet(1, MANNERS)
            read = await member.ask(station, INPUTS)
            answered = await member.ask(station, PULSE)
            far.modules[1].answer = bytes  # nothing but the echo
            echoed = await member.ask(station, PULSE)
        assert (read.answer, read.troubles) == (Replied((0,) * 8), (Trouble.ECHO,))
        assert answered.answer == Replied()
        assert isinstance(echoed.answer, Unanswered)

    played(play)
