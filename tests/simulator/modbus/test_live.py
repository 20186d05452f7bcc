"""Real ports, and a master that others wrote: pymodbus reads and writes every module."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from pymodbus import FramerType
from pymodbus.client import AsyncModbusSerialClient, AsyncModbusTcpClient
from pymodbus.client.base import ModbusBaseClient
from pymodbus.exceptions import ModbusIOException

from simulator.clock import ScaledClock
from simulator.modbus_frames import rtu_frame
from simulator.modbus_kits import Wire
from simulator.modbus_live import LiveModules
from simulator.modbus_mishaps import Unplugged
from simulator.modbus_table import ModuleTable
from table.errors import SettingsError
from table.moment import MILLISECOND
from tests.simulator.modbus.fitted import Written, fitted

CLOCK = ScaledClock(Fraction(1))


@asynccontextmanager
async def live(folder: Path, kit: str, wire: Wire) -> AsyncIterator[tuple[ModuleTable, list[str]]]:
    table = fitted(kit, Written(), wire=wire)
    modules = LiveModules("t1", table, wire, folder, CLOCK)
    try:
        modules.open()
        yield table, modules.ports
    finally:
        modules.close()


@asynccontextmanager
async def master(
    where: str, framer: FramerType, patience: float = 2
) -> AsyncIterator[ModbusBaseClient]:
    client: ModbusBaseClient
    if found := re.fullmatch(r".*tcp://(127\.0\.0\.1):([0-9]+)", where):
        client = AsyncModbusTcpClient(
            found[1], port=int(found[2]), framer=framer, timeout=patience, retries=0
        )
    else:
        client = AsyncModbusSerialClient(where, baudrate=57_600, timeout=patience, retries=0)
    assert await client.connect()
    try:
        yield client
    finally:
        client.close()


@pytest.mark.parametrize("wire", Wire)
async def test_a_master_of_others_reads_and_writes_the_basic_kit(
    tmp_path: Path, wire: Wire
) -> None:
    framer = FramerType.SOCKET if wire is Wire.TCP else FramerType.RTU
    async with live(tmp_path, "basic", wire) as (table, ports), master(ports[0], framer) as client:
        table.fittings.touch("claim-2", CLOCK.now(), closed=True)
        levels = await client.read_discrete_inputs(0, count=8, device_id=1)
        assert levels.bits == [False] * 3 + [True] + [False] * 4
        await client.write_coil(6, value=True, device_id=2)
        await client.write_coils(0, [False, True, False, True], device_id=1)
        assert (await client.read_coils(0, count=8, device_id=2)).bits == [False] * 6 + [
            True,
            False,
        ]
        assert table.plant.lit == {"lamp-2", "lamp-4"}
        refused = await client.read_coils(8, count=1, device_id=2)
        assert (refused.isError(), refused.exception_code) == (True, 2)
        assert (await client.read_holding_registers(0x8000, count=1, device_id=1)).registers == [
            200
        ]


async def test_a_master_of_others_reads_counters_and_settings_of_wiren_board(
    tmp_path: Path,
) -> None:
    async with (
        live(tmp_path, "counted", Wire.TCP) as (table, ports),
        master(ports[0], FramerType.SOCKET) as client,
    ):
        table.fittings.modules["seats"].contacts[7].count = 70_000
        words = (await client.read_input_registers(74, count=2, device_id=1)).registers
        assert client.convert_from_registers(words, client.DATATYPE.UINT32) == 70_000
        await client.write_registers(20, [5] * 8, device_id=1)
        assert (await client.read_holding_registers(27, count=1, device_id=1)).registers == [5]
        await client.write_coil(5, value=True, device_id=2)
        assert (await client.read_coils(5, count=1, device_id=2)).bits[0]
        name = (await client.read_holding_registers(200, count=6, device_id=4)).registers
        assert "".join(map(chr, name)) == "WBMR6C"


async def test_a_master_of_others_finds_each_ethernet_module_at_its_own_port(
    tmp_path: Path,
) -> None:
    async with live(tmp_path, "ethernet", Wire.TCP) as (table, ports):
        assert [re.sub("[0-9]+$", "N", port) for port in ports] == [
            "seats tcp://127.0.0.1:N",
            "keys tcp://127.0.0.1:N",
        ]
        async with master(ports[0], FramerType.SOCKET) as seats:
            table.fittings.modules["seats"].contacts[1].count = 65_536
            words = (await seats.read_holding_registers(2, count=2)).registers
            low_first = seats.convert_from_registers(
                words, seats.DATATYPE.UINT32, word_order="little"
            )
            assert low_first == 65_536
            await seats.write_coil(32 + 4 + 1, value=True)
            assert (await seats.read_holding_registers(2, count=2)).registers == [0, 0]
        async with master(ports[1], FramerType.SOCKET) as keys:
            await keys.write_coil(16, value=True)
            assert (await keys.read_coils(16, count=1)).bits[0]


async def test_a_master_of_others_reads_and_writes_the_odd_board(tmp_path: Path) -> None:
    async with (
        live(tmp_path, "odd", Wire.TCP) as (_, ports),
        master(ports[0], FramerType.SOCKET) as client,
    ):
        await client.write_register(5, 0x0100)
        assert (await client.read_holding_registers(1, count=8)).registers == [0] * 4 + [1] + [
            0
        ] * 3
        assert (await client.read_coils(0, count=8)).exception_code == 1


@pytest.mark.parametrize("kit", ["moxa", "wellpro", "relay-d"])
async def test_a_master_of_others_reads_the_inputs_of_the_other_kits(
    tmp_path: Path, kit: str
) -> None:
    async with (
        live(tmp_path, kit, Wire.TCP) as (table, ports),
        master(ports[0], FramerType.SOCKET) as client,
    ):
        table.fittings.touch("discard-3", CLOCK.now() - 100 * MILLISECOND, closed=True)
        bits = (await client.read_discrete_inputs(0, count=8)).bits
        assert bits == [False] * 4 + [True] + [False] * 3


async def test_nobody_answers_for_a_unit_that_is_not_there(tmp_path: Path) -> None:
    async with (
        live(tmp_path, "basic", Wire.RTU) as (_, ports),
        master(ports[0], FramerType.RTU, patience=0.1) as client,
    ):
        with pytest.raises(ModbusIOException):
            await client.read_coils(0, count=1, device_id=9)


async def test_bytes_on_a_real_line_are_those_of_the_frame(tmp_path: Path) -> None:
    async with live(tmp_path, "basic", Wire.RTU) as (_, ports):
        assert ports == [f"{tmp_path}/t1"]
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        end = os.open(tmp_path / "t1", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        asyncio.get_running_loop().add_reader(end, lambda: heard.put_nowait(os.read(end, 64)))
        os.write(end, rtu_frame(1, bytes.fromhex("0200000008")))
        reply = b""
        async with asyncio.timeout(10):
            while len(reply) < 6:
                reply += await heard.get()
        asyncio.get_running_loop().remove_reader(end)
        os.close(end)
    assert reply == rtu_frame(1, bytes.fromhex("020100"))
    assert not (tmp_path / "t1").is_symlink()


async def test_a_pulled_cable_ends_the_connection_and_comes_back_at_the_same_port(
    tmp_path: Path,
) -> None:
    async with live(tmp_path, "ethernet", Wire.TCP) as (table, ports):
        port = int(ports[0].rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        table.befall(Unplugged(200 * MILLISECOND), CLOCK.now())
        writer.write(bytes.fromhex("0001 0000 0006 01 01 0000 0001"))
        async with asyncio.timeout(10):
            assert await reader.read(64) == b""
            again = await reachable(port)
        again.write(bytes.fromhex("0001 0000 0006 01 01 0000 0001"))
        again.close()
        writer.close()


async def reachable(port: int) -> asyncio.StreamWriter:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)
        else:
            return writer


async def test_bytes_that_are_no_modbus_end_the_connection(tmp_path: Path) -> None:
    async with live(tmp_path, "ethernet", Wire.TCP) as (_, ports):
        port = int(ports[0].rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        async with asyncio.timeout(10):
            assert await reader.read(64) == b""
        writer.close()


async def test_the_log_says_what_was_true_and_when(tmp_path: Path) -> None:
    async with (
        live(tmp_path, "basic", Wire.TCP) as (_, ports),
        master(ports[0], FramerType.SOCKET) as client,
    ):
        await client.read_discrete_inputs(0, count=8, device_id=1)
        await client.write_coil(0, value=True, device_id=1)
    lines = (tmp_path / "t1.log.jsonl").read_text().splitlines()
    assert re.fullmatch(r'\{"at_us": [0-9]+, "host": "reads"\}', lines[0])
    assert re.fullmatch(r'\{"at_us": [0-9]+, "wire": "lamp-1", "on": true\}', lines[1])


async def test_a_file_at_the_place_of_the_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "t1").write_text("mine")
    with pytest.raises(SettingsError, match="t1 is in the way"):
        async with live(tmp_path, "basic", Wire.RTU):
            pytest.fail("there is no room for a port")
    assert (tmp_path / "t1").read_text() == "mine"
