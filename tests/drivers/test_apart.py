import asyncio
from threading import Event

import pytest

from drivers.apart import Apart

HANGING = 40
"""More than the threads that asyncio lends."""


async def test_ports_that_hang_keep_no_other_port_from_being_opened() -> None:
    apart, plugged_out = Apart(), Event()

    def hang() -> str:
        plugged_out.wait()
        return "late"

    given_back: list[str] = []
    hanging = [
        asyncio.create_task(apart.make(f"port {number}", hang, given_back.append))
        for number in range(HANGING)
    ]
    await asyncio.sleep(0)
    assert await apart.make("good port", lambda: "open", given_back.append) == "open"
    plugged_out.set()
    assert await asyncio.gather(*hanging) == ["late"] * HANGING
    assert given_back == []


async def test_a_port_that_hangs_is_not_opened_a_second_time_and_given_back_when_it_comes() -> None:
    apart, plugged_out, returned = Apart(), Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang() -> str:
        plugged_out.wait()
        return "late"

    def give_back(made: str) -> None:
        assert made == "late"
        loop.call_soon_threadsafe(returned.set)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await apart.make("port", hang, give_back)
    with pytest.raises(TimeoutError, match="still hangs"):
        await apart.make("port", hang, give_back)
    plugged_out.set()
    async with asyncio.timeout(20):
        await returned.wait()
    assert await apart.make("port", lambda: "again", give_back) == "again"


async def test_why_a_port_cannot_be_opened_is_handed_on() -> None:
    def refuse() -> str:
        msg = "no such device"
        raise FileNotFoundError(msg)

    apart = Apart()
    for _ in range(2):
        with pytest.raises(FileNotFoundError, match="no such device"):
            await apart.make("port", refuse, lambda _: None)
