"""Buses on real ends: a paced pseudo-terminal, and pymodbus as the module on the network."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from pymodbus import FramerType
from pymodbus.server import ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

from drivers.modbus.bus import Bus
from drivers.modbus.bus_queue import Manners
from drivers.modbus.lines import BusLine
from drivers.modbus.master_answers import Exchange, Replied, Trouble, Unanswered
from drivers.modbus.requests import Read, Write
from table.errors import LinkLost, LinkUnavailable
from tests.drivers.modbus.paced_bus import Module, PacedBus
from tests.drivers.pty_port import pty_port
from tests.harness.virtual_loop import loop_now

PATIENCE_SECONDS = 20
MS = timedelta(milliseconds=1)
INPUTS = Read(2, 0, 8)
MANNERS = Manners(reply_within=200 * MS)


class Losses:
    """Learns of a loss, and can be waited for."""

    def __init__(self) -> None:
        self.first: asyncio.Future[LinkLost] = asyncio.get_running_loop().create_future()

    def __call__(self, cause: LinkLost) -> None:
        self.first.set_result(cause)

    async def told(self) -> LinkLost:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.first


@asynccontextmanager
async def modules(framer: FramerType = FramerType.SOCKET) -> AsyncIterator[int]:
    """Serve one module on a port of its own; inputs 0 and 7 are on."""
    inputs = SimData(0, values=[True] + [False] * 6 + [True], datatype=DataType.BITS)
    coils = SimData(0, values=[False] * 8, datatype=DataType.BITS)
    registers = SimData(0, values=[7, 9, 11, 13], datatype=DataType.REGISTERS)
    device = SimDevice(1, simdata=([coils], [inputs], [registers], [registers]))
    server = ModbusTcpServer(device, framer=framer, address=("127.0.0.1", 0))
    await server.serve_forever(background=True)
    try:
        yield server.transport.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    finally:
        await server.shutdown()  # type: ignore[no-untyped-call]


async def test_a_module_on_a_serial_port_is_polled_and_written() -> None:
    with pty_port() as port:
        far = PacedBus(port, {1: Module(filled_with=0x81), 2: Module()})
        far.listen()
        line = BusLine.rtu(port.path, 115200)
        samples: asyncio.Queue[Exchange] = asyncio.Queue()
        async with asyncio.timeout(PATIENCE_SECONDS), Bus(line, loop_now).joined(Losses()) as us:
            us.poll(
                us.meet(1, MANNERS), (INPUTS,), 20 * MS, lambda taken: samples.put_nowait(taken[0])
            )
            written = await us.ask(us.meet(2, MANNERS), Write(5, 0x0203, (2,)))
            taken = [await samples.get() for _ in range(5)]
    assert written.answer == Replied()
    assert {one.answer for one in taken} == {Replied((1, 0, 0, 0, 0, 0, 0, 1))}
    assert all(one.window.asked < one.window.arrived for one in taken)


async def test_a_pulled_cable_is_told_with_the_port() -> None:
    with pty_port() as port:
        on_the_wire = asyncio.Event()
        port.listen(lambda _: on_the_wire.set())
        losses = Losses()
        async with Bus(BusLine.rtu(port.path, 9600), loop_now).joined(losses) as us:
            asking = asyncio.create_task(us.ask(us.meet(1, Manners(60_000 * MS)), INPUTS))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await on_the_wire.wait()
            port.unplug()
            assert str(await losses.told()).startswith(f"port {port.path} is lost: ")
            assert isinstance((await asking).answer, Unanswered)


async def test_a_port_that_another_bus_has_is_busy() -> None:
    with pty_port() as port:
        line = BusLine.rtu(port.path, 9600)
        async with Bus(line, loop_now).joined(Losses()):
            with pytest.raises(LinkUnavailable, match="this program has it open already"):
                async with Bus(line, loop_now).joined(Losses()):
                    pass


@pytest.mark.parametrize("framer", [FramerType.SOCKET, FramerType.RTU])
async def test_a_module_on_the_network_is_read_and_written(framer: FramerType) -> None:
    async with modules(framer) as number, asyncio.timeout(PATIENCE_SECONDS):
        tcp = framer is FramerType.SOCKET
        host = "127.0.0.1"
        line = BusLine.tcp(host, number) if tcp else BusLine.rtu_over_tcp(host, number, 115200)
        async with Bus(line, loop_now).joined(Losses()) as us:
            station = us.meet(1, MANNERS)
            inputs, registers, before, written, after, refused = [
                (await us.ask(station, request)).answer
                for request in (
                    INPUTS,
                    Read(4, 0, 4),
                    Read(1, 0, 8),
                    Write(15, 0, (1, 0, 1)),
                    Read(1, 0, 8),
                    Read(2, 4000, 8),
                )
            ]
    assert inputs == Replied((1, 0, 0, 0, 0, 0, 0, 1))
    assert registers == Replied((7, 9, 11, 13))
    assert before == Replied((0,) * 8)
    assert written == Replied()
    assert after == Replied((1, 0, 1, 0, 0, 0, 0, 0))
    assert "nothing at this address" in str(getattr(refused, "reason", refused))


async def test_a_reset_by_the_far_side_is_told() -> None:
    async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        linger = b"\x01\0\0\0\0\0\0\0"
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()

    server = await asyncio.start_server(reset, "127.0.0.1", 0)
    async with server:
        losses = Losses()
        number = server.sockets[0].getsockname()[1]
        async with Bus(BusLine.tcp("127.0.0.1", number), loop_now).joined(losses):
            assert f"127.0.0.1:{number} is lost: " in str(await losses.told())


async def test_a_gateway_that_is_not_there_is_told() -> None:
    with pytest.raises(LinkUnavailable, match=r"127\.0\.0\.1:1 cannot be opened: "):
        async with Bus(BusLine.tcp("127.0.0.1", 1), loop_now).joined(Losses()):
            pass


async def test_a_line_at_the_wrong_speed_is_silence() -> None:
    """At another speed a module hears rubbish and stays silent; so does this one."""
    with pty_port() as port:
        PacedBus(port, {1: Module(silent=True)}).listen()
        async with Bus(BusLine.rtu(port.path, 9600), loop_now).joined(Losses()) as us:
            exchange = await us.ask(us.meet(1, Manners(10 * MS)), INPUTS)
    assert exchange.answer == Unanswered(Trouble.SILENT)
