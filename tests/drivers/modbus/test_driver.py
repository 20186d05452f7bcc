"""Tables of modules from end to end: simulated modules on real ports, and the driver."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from drivers.port import Capability, Grade, Outcome, TableLink
from simulator.modbus_kits import Wire
from simulator.modbus_mishaps import Mute, Unplugged
from simulator.modbus_plant import Key
from table.commands import Shuffle, SoundBuzzer, Stop
from table.errors import LinkLost, LinkUnavailable
from table.events import CycleStarted, DiscardPressed, DiscardReleased, Observed, TableEvent
from table.seat import Seat
from tests.drivers.modbus.kit_table import CLOCK, KitTable, connected, kit_table

PATIENCE_SECONDS = 20
WIRED = [
    ("basic", Wire.RTU),
    ("basic", Wire.TCP),
    ("basic", Wire.RTU_OVER_TCP),
    ("counted", Wire.RTU),
    ("ethernet", Wire.TCP),
    ("odd", Wire.RTU),
    ("moxa", Wire.TCP),
    ("wellpro", Wire.RTU),
    ("relay-d", Wire.RTU),
]


async def until(events: AsyncIterator[Observed], wanted: TableEvent) -> Observed:
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for observed in events:
            if observed.event == wanted:
                return observed
    raise AssertionError


async def tap(kit: KitTable, link: TableLink) -> None:
    """Press and let go, and have both heard within the time in which they happened."""
    events = link.events()
    before = CLOCK.now()
    kit.press("discard-2", closed=True)
    after = CLOCK.now()
    pressed = await until(events, DiscardPressed(Seat.TWO))
    assert pressed.when.earliest <= after
    assert pressed.when.latest >= before
    await asyncio.sleep(0.1)
    kit.press("discard-2", closed=False)
    if link.capabilities[Capability.HOLD_SENSE] is not Grade.ABSENT:
        released = await until(events, DiscardReleased(Seat.TWO))
        assert released.when == pressed.when


async def heard_while_muted(kit: KitTable, module: str) -> None:
    """Connect, have a module fall silent, and listen on."""
    async with kit.driver.connect() as link:
        kit.simulated.befall(Mute(module, timedelta(seconds=60)), CLOCK.now())
        await until(link.events(), DiscardPressed(Seat.ONE))


@pytest.mark.parametrize(("kit", "wire"), WIRED)
async def test_a_kit_is_greeted_heard_and_obeys(tmp_path: Path, kit: str, wire: Wire) -> None:
    with kit_table(tmp_path, kit, wire) as table:
        async with asyncio.timeout(PATIENCE_SECONDS), connected(table.driver) as link:
            assert link.identity.model
            await tap(table, link)
            assert (await link.send(Shuffle())).outcome is Outcome.DONE
            if "cycling" in table.table.functions:
                assert (await until(link.events(), CycleStarted())).event == CycleStarted()
                assert link.condition.cycling
            buzzed = await link.send(SoundBuzzer(Seat.ONE, timedelta(milliseconds=200)))
            assert buzzed.outcome is Outcome.DONE
            assert [push.key for push in table.simulated.plant.pushes] == [Key.SHUFFLE]


async def test_a_module_that_is_not_there_is_named(tmp_path: Path) -> None:
    with kit_table(tmp_path, "basic", Wire.RTU) as table:
        table.simulated.fittings.modules["keys"].unit = 77
        with pytest.raises(LinkUnavailable, match=r"module keys \(unit 2 on .*no answer in time"):
            async with table.driver.connect():
                pass


async def test_a_module_that_falls_silent_is_a_loss_with_its_name(tmp_path: Path) -> None:
    with kit_table(tmp_path, "basic", Wire.RTU) as table:
        async with asyncio.timeout(PATIENCE_SECONDS), connected(table.driver) as link:
            table.simulated.fittings.modules["seats"].unit = 77
            with pytest.raises(LinkLost, match=r"module seats \(unit 1 on .*no answer in time"):
                async for _ in link.events():
                    pass


async def test_two_tables_share_a_bus_and_one_falls_silent(tmp_path: Path) -> None:
    with kit_table(tmp_path, "basic", Wire.RTU) as table:
        near, far = table.part("seats"), table.part("signs")
        async with asyncio.timeout(PATIENCE_SECONDS), connected(near.driver) as link:
            with pytest.raises(LinkLost, match="module signs"):
                await heard_while_muted(far, "signs")
            await tap(near, link)
            with pytest.raises(LinkUnavailable, match="module signs"):
                async with far.driver.connect():
                    pass
            table.press("discard-3", closed=True)
            await until(link.events(), DiscardPressed(Seat.THREE))


async def test_an_order_without_an_answer_is_uncertain_and_pushes_once(tmp_path: Path) -> None:
    with kit_table(tmp_path, "basic", Wire.RTU) as table:
        async with asyncio.timeout(PATIENCE_SECONDS), connected(table.driver) as link:
            mute = Mute("keys", timedelta(seconds=60))
            table.simulated.befall(mute, CLOCK.now())
            answer = await link.send(Shuffle())
            assert answer.outcome is Outcome.UNCERTAIN
            assert (await link.send(Shuffle())).outcome is Outcome.REFUSED
            with pytest.raises(LinkLost, match="module keys"):
                await until(link.events(), DiscardPressed(Seat.ONE))
    assert len(table.simulated.plant.pushes) <= 1


async def test_a_stop_ends_an_order_that_has_not_begun(tmp_path: Path) -> None:
    with kit_table(tmp_path, "ethernet", Wire.TCP) as table:
        async with asyncio.timeout(PATIENCE_SECONDS), connected(table.driver) as link:
            shuffled, stopped = await asyncio.gather(link.send(Shuffle()), link.send(Stop()))
            assert (shuffled.outcome, shuffled.reason) == (Outcome.FAILED, "stopped")
            assert stopped.outcome is Outcome.DONE
            assert table.simulated.plant.pushes == []
            await tap(table, link)


async def test_what_the_host_switched_on_goes_off_though_nobody_waits(tmp_path: Path) -> None:
    with kit_table(tmp_path, "ethernet", Wire.TCP) as table:
        async with asyncio.timeout(PATIENCE_SECONDS), connected(table.driver) as link:
            order = SoundBuzzer(Seat.ONE, timedelta(milliseconds=300))
            sending = asyncio.create_task(link.send(order))
            await asyncio.sleep(0.15)
            sending.cancel()
        assert table.simulated.plant.lit == set()


@pytest.mark.parametrize(("kit", "wire"), [("basic", Wire.RTU), ("ethernet", Wire.TCP)])
async def test_a_table_whose_cable_was_out_comes_back(tmp_path: Path, kit: str, wire: Wire) -> None:
    out = (timedelta(seconds=3), Unplugged(timedelta(seconds=1)))
    with kit_table(tmp_path, kit, wire, out) as table:
        driver = table.driver
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(LinkLost, match="is lost"):
                async with driver.connect() as link:
                    await until(link.events(), CycleStarted())
            while True:
                try:
                    async with driver.connect() as link:
                        await tap(table, link)
                    break
                except LinkUnavailable as away:
                    assert "cannot be opened" in str(away)  # noqa: PT017 - it is away for a while
                    await asyncio.sleep(0.1)
