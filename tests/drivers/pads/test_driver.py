"""A table of pads is there as long as one of its pads is."""

import asyncio
from datetime import timedelta

import pytest

from drivers.pads.driver import PadsDriver
from drivers.pads.pads import SILENCE
from drivers.port import Answer, Capability, Grade, Identity, Outcome
from table.commands import SetLamp, Shuffle, SoundBuzzer
from table.errors import LinkLost, LinkUnavailable
from table.moment import MILLISECOND
from table.seat import Seat
from tests.harness.virtual_loop import loop_now, played


def test_without_a_pad_it_says_once_what_to_open_and_then_waits_for_one() -> None:
    async def play() -> None:
        driver = PadsDriver("t7", loop_now)
        with pytest.raises(LinkUnavailable, match=r"no pad is there; open /pad/t7/1"):
            async with driver.connect():
                pass
        asyncio.get_running_loop().call_later(60, lambda: driver.pads.beat(Seat.TWO, loop_now()))
        before = loop_now()
        async with driver.connect():
            waited = loop_now() - before
        assert timedelta(seconds=60) <= waited < timedelta(seconds=61)

    played(play)


def test_it_is_lost_when_no_pad_was_heard_for_three_beats() -> None:
    async def play() -> None:
        driver = PadsDriver("t7", loop_now)
        driver.pads.beat(Seat.ONE, loop_now())
        async with driver.connect() as link:
            for after in (2, 4, 6):
                asyncio.get_running_loop().call_later(
                    after, lambda: driver.pads.beat(Seat.THREE, loop_now())
                )
            began = loop_now()
            with pytest.raises(LinkLost, match="no pad of table t7 was heard for 6 s"):
                await anext(link.events())
            assert loop_now() - began >= timedelta(seconds=6) + SILENCE
        assert driver.pads.since is None

    played(play)


def test_it_says_what_it_is_and_which_seats_have_no_pad() -> None:
    async def play() -> None:
        driver = PadsDriver("t7", loop_now)
        driver.pads.beat(Seat.ONE, loop_now())
        driver.pads.beat(Seat.FOUR, loop_now())
        async with driver.connect() as link:
            assert link.identity == Identity("manual", "seat pads", "pads-t7", "")
            able = {one for one, how in link.capabilities.items() if how is Grade.MANUAL}
            assert able == {
                Capability.DISCARD_INPUT,
                Capability.CLAIM_INPUT,
                Capability.HOLD_SENSE,
            }
            assert set(link.capabilities.values()) == {Grade.MANUAL, Grade.ABSENT}
            assert link.health.lacks == ("no pad at seat 2", "no pad at seat 3")
            assert link.resolution == 62 * MILLISECOND

    played(play)


def test_lamps_and_buzzers_are_left_to_the_pads_and_motors_are_refused() -> None:
    async def play() -> None:
        driver = PadsDriver("t7", loop_now)
        driver.pads.beat(Seat.ONE, loop_now())
        async with driver.connect() as link:
            for signal in (
                SetLamp(Seat.ONE, lit=True),
                SoundBuzzer(Seat.ONE, timedelta(milliseconds=300)),
            ):
                assert await link.send(signal) == Answer(Outcome.DONE)
            answer = await link.send(Shuffle())
            assert answer.outcome is Outcome.REFUSED
            assert "has no machine" in answer.reason

    played(play)
