"""A look at a module for the doctor, in virtual time."""

from collections.abc import Container
from datetime import timedelta
from itertools import count

import pytest

from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.look import SeenModule, look
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.pulses import Place
from table.errors import LinkUnavailable
from tests.drivers.modbus import virtual_bus
from tests.drivers.modbus.members import bus_of, joined
from tests.drivers.modbus.paced_bus import framed
from tests.drivers.modbus.virtual_bus import FarEnd
from tests.harness.virtual_loop import played

READ_INPUTS, UNIT_REGISTER = 2, 0x40
FIRMWARE = 200


def far_end(silent: Container[int]) -> FarEnd:
    """Return a Waveshare IO 8CH that leaves some questions for its inputs unanswered."""
    questions = count()

    def answer(asked: bytes) -> bytes:
        if asked[1] == READ_INPUTS:
            return b"" if next(questions) in silent else framed(1, bytes((READ_INPUTS, 1, 0)))
        told = 1 if asked[2] == UNIT_REGISTER else FIRMWARE
        return framed(1, bytes((3, 2, 0, told)))

    return FarEnd({1: virtual_bus.Module(answer=answer)})


def seen(silent: Container[int]) -> SeenModule:
    async def play() -> SeenModule:
        bus = bus_of(far_end(silent))
        profile = read_profile(shipped_profiles()["waveshare-io-8ch"])
        wired = {f"discard-{seat}": Place("seats", f"in{seat}") for seat in range(1, 5)}
        table = Fitted({"seats": Module(bus, profile, 1)}, wired, timedelta(milliseconds=20))
        async with joined(bus) as member:
            return await look(member, table, "seats")

    return played(play)


def test_a_look_bears_answers_that_are_lost_now_and_then() -> None:
    assert seen({1, 3}).sample_takes < timedelta(milliseconds=10)


def test_a_module_that_leaves_most_questions_unanswered_is_named() -> None:
    with pytest.raises(LinkUnavailable, match=r"module seats .* most questions unanswered"):
        seen({0, 2, 4})
