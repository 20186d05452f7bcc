"""The one door to pyserial, against real ports."""

import asyncio
import fcntl
import os
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
import serial
from serial.rfc2217 import PortManager

from drivers.serial_line import MOST_HEARD, MOST_UNSENT, Character, SerialLine, open_line
from drivers.serial_port import exclude
from table.errors import LinkLost, LinkUnavailable
from table.moment import Moment
from tests.drivers.pty_port import PtyPort, pty_port

PATIENCE_SECONDS = 20
SELECT_KNOWS = 1024
TIOCGEXCL = 0x80045440
"""Asks whether a port is closed to others (ioctl_tty(2))."""


class Heard:
    """A receiver that keeps everything, and can be waited for."""

    def __init__(self) -> None:
        self.chunks: list[tuple[bytes, Moment]] = []
        self.causes: list[LinkLost] = []
        self._news = asyncio.Event()
        self._ticks = 0

    def now(self) -> Moment:
        self._ticks += 1
        return Moment(self._ticks)

    def arrived(self, chunk: bytes, now: Moment) -> None:
        self.chunks.append((chunk, now))
        self._news.set()

    def lost(self, cause: LinkLost) -> None:
        self.causes.append(cause)
        self._news.set()

    async def until(self, expected: bytes) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while b"".join(chunk for chunk, _ in self.chunks) != expected:
                self._news.clear()
                await self._news.wait()

    async def until_lost(self) -> LinkLost:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self.causes:
                self._news.clear()
                await self._news.wait()
        return self.causes[0]


def _port_manager(wired: object, writer: object) -> PortManager:
    """Return pyserial's own server end; its stubs ask for more than its code does."""
    return cast("Any", PortManager)(wired, writer)  # type: ignore[no-any-return]


pyserial_is_behind = pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")


@pytest.fixture
async def port() -> AsyncIterator[PtyPort]:
    with pty_port() as port:
        yield port


@asynccontextmanager
async def opened(url: str, heard: Heard) -> AsyncIterator[SerialLine]:
    line = await open_line(url, 115200, heard.now, heard)
    try:
        yield line
    finally:
        await line.close()


async def test_bytes_arrive_stamped_in_order(port: PtyPort) -> None:
    heard = Heard()
    async with opened(port.path, heard):
        port.send(b"\0\x01\x11\x13\xff\r\n")
        await heard.until(b"\0\x01\x11\x13\xff\r\n")
        port.send(b"later")
        await heard.until(b"\0\x01\x11\x13\xff\r\nlater")
    stamps = [now for _, now in heard.chunks]
    assert stamps == sorted(stamps)
    assert heard.causes == []


async def test_bytes_leave_as_they_are(port: PtyPort) -> None:
    far = Heard()
    port.listen(lambda chunk: far.arrived(chunk, far.now()))
    async with opened(port.path, Heard()) as line:
        line.write(b"\0\x01\x11\x13\xff")
        line.write(b"\r\n")
        await far.until(b"\0\x01\x11\x13\xff\r\n")


async def test_what_the_port_does_not_take_at_once_leaves_later(port: PtyPort) -> None:
    far = Heard()
    async with opened(port.path, Heard()) as line:
        filling = port.fill()
        line.write(b"late ")
        line.write(b"but whole")
        port.listen(lambda chunk: far.arrived(chunk, far.now()))
        await far.until(filling + b"late but whole")
        line.write(b" and more")
        await far.until(filling + b"late but whole and more")


async def test_a_port_that_takes_no_bytes_is_lost_and_does_not_hang(port: PtyPort) -> None:
    heard = Heard()
    async with opened(port.path, heard) as line:
        port.fill()
        for _ in range(MOST_UNSENT // 100 + 1):
            line.write(bytes(100))
        assert "takes no bytes" in str(await heard.until_lost())
        line.write(b"to nobody")
    assert len(heard.causes) == 1


async def test_a_hang_up_is_told_once(port: PtyPort) -> None:
    heard = Heard()
    async with opened(port.path, heard) as line:
        port.unplug()
        assert port.path in str(await heard.until_lost())
        line.write(b"to nobody")
    assert len(heard.causes) == 1


async def test_closing_is_no_loss_and_gives_the_port_back(port: PtyPort) -> None:
    heard = Heard()
    for _ in range(3):
        async with opened(port.path, heard):
            pass
    assert heard.causes == []


async def test_a_second_opener_is_refused(port: PtyPort) -> None:
    async with opened(port.path, Heard()):
        with pytest.raises(LinkUnavailable, match="this program has it open already"):
            await open_line(port.path, 115200, Heard().now, Heard())


async def test_a_second_daemon_is_told_who_has_the_port(port: PtyPort) -> None:
    code = (
        "import sys, serial; port = serial.Serial(sys.argv[1], exclusive=True);"
        "print('open', flush=True); sys.stdin.read()"
    )
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, port.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdout
    assert first.stdin
    assert await first.stdout.readline() == b"open\n"
    with pytest.raises(LinkUnavailable) as refused:
        await open_line(port.path, 115200, Heard().now, Heard())
    first.stdin.close()
    await first.wait()
    python = Path(sys.executable).name
    expected = f"port {port.path} cannot be opened: process {first.pid} ({python}) has it open"
    assert str(refused.value) == expected
    async with opened(port.path, Heard()):
        pass


async def test_a_port_that_comes_back_elsewhere_is_found_by_its_link(tmp_path: Path) -> None:
    link = tmp_path / "usb-FTDI_RS485_A1"
    for round_ in (b"first", b"second"):
        heard = Heard()
        with pty_port() as port, pty_port():
            link.symlink_to(port.path)
            async with opened(str(link), heard):
                port.send(round_)
                await heard.until(round_)
                link.unlink()
                port.unplug()
                assert str(link) in str(await heard.until_lost())
        with pytest.raises(LinkUnavailable, match="nothing is plugged in under this name"):
            await open_line(str(link), 115200, heard.now, heard)


async def test_a_port_that_floods_us_is_lost_and_its_neighbour_is_not(port: PtyPort) -> None:
    flood, heard = Heard(), Heard()
    with pty_port() as babbling:
        async with opened(babbling.path, flood), opened(port.path, heard) as line:
            far = Heard()
            port.listen(lambda chunk: far.arrived(chunk, far.now()))
            while not flood.causes:
                with suppress(BlockingIOError):
                    babbling.send(bytes(MOST_HEARD // 64))
                await asyncio.sleep(0)
            line.write(b"question")
            await far.until(b"question")
            port.send(b"answer")
            await heard.until(b"answer")
    assert "bytes a second" in str(flood.causes[0])
    assert len(flood.causes) == 1
    assert heard.causes == []


async def test_a_port_is_free_as_soon_as_it_is_given_back(port: PtyPort) -> None:
    line = await open_line(port.path, 115200, Heard().now, Heard())
    port.fill()
    await line.close()
    async with opened(port.path, Heard()):
        pass


def test_a_port_that_is_no_simulation_is_closed_to_other_programs() -> None:
    """The end of a pseudo-terminal that is its maker's is a device like any other."""
    near, far = os.openpty()
    try:
        for end in (near, far):
            exclude(end)
        assert _exclusive(near)
        assert not _exclusive(far)
    finally:
        os.close(near)
        os.close(far)


def _exclusive(descriptor: int) -> bool:
    told = bytearray(4)
    fcntl.ioctl(descriptor, TIOCGEXCL, told)
    return bool(int.from_bytes(told, sys.byteorder))


@pytest.mark.parametrize(
    "url",
    [
        "/dev/no-such-port",
        "/dev/null",
        "bogus://x",
        "socket://127.0.0.1:1",
        "socket://127.0.0.1:no-number",
        "rfc2217://127.0.0.1:1",
    ],
)
async def test_what_cannot_be_opened_is_named(url: str) -> None:
    with pytest.raises(LinkUnavailable, match=f"port {url} cannot be opened: "):
        await open_line(url, 115200, Heard().now, Heard())


async def test_a_baudrate_no_port_has_is_named(port: PtyPort) -> None:
    with pytest.raises(LinkUnavailable, match=port.path):
        await open_line(port.path, -1, Heard().now, Heard())


async def test_a_character_no_port_has_is_named(port: PtyPort) -> None:
    """A pseudo-terminal has no parity bit."""
    even = Character("E")
    with pytest.raises(LinkUnavailable, match="cannot be set to 9600 baud, 8E1"):
        await open_line(port.path, 9600, Heard().now, Heard(), even)


@pytest.mark.parametrize(("character", "bits"), [("8N1", 10), ("8N2", 11), ("8E1", 11)])
def test_a_character_has_its_bits(character: str, bits: int) -> None:
    known = {str(one): one for one in (Character(), Character(stop_bits=2), Character("E"))}
    assert known[character].bits == bits


async def test_a_socket_is_a_port() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(5))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    heard = Heard()
    async with server:
        number = server.sockets[0].getsockname()[1]
        async with opened(f"socket://127.0.0.1:{number}", heard) as line:
            line.write(b"hello")
            await heard.until(b"hello")
            assert "the other side closed it" in str(await heard.until_lost())


async def test_a_port_without_a_descriptor_is_read_by_a_thread() -> None:
    heard = Heard()
    async with opened("loop://", heard) as line:
        line.write(b"\0round")
        line.write(b" and round\xff")
        await heard.until(b"\0round and round\xff")
    assert heard.causes == []


async def test_a_spied_port_shows_both_ways(
    port: PtyPort, capsys: pytest.CaptureFixture[str]
) -> None:
    heard, far = Heard(), Heard()
    port.listen(lambda chunk: far.arrived(chunk, far.now()))
    async with opened(f"spy://{port.path}", heard) as line:
        line.write(b"question")
        await far.until(b"question")
        port.send(b"answer")
        await heard.until(b"answer")
    shown = capsys.readouterr().err
    assert "question" in shown
    assert "nswer" in shown  # the first byte is read alone, to be stamped


class SerialServer:
    """A network server for a serial port that is wired to itself (RFC 2217)."""

    def __init__(self) -> None:
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        with serial.serial_for_url("loop://", timeout=0) as wired:
            manager = _port_manager(wired, writer)
            while chunk := await reader.read(100):
                wired.write(b"".join(manager.filter(chunk)))
                back = wired.read(wired.in_waiting)
                writer.write(b"".join(manager.escape(back)))
        writer.close()


@asynccontextmanager
async def serial_server() -> AsyncIterator[tuple[str, SerialServer]]:
    server = SerialServer()
    network = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with network:
        yield f"rfc2217://127.0.0.1:{network.sockets[0].getsockname()[1]}", server
        for writer in server.writers:
            writer.close()
            await writer.wait_closed()


@pyserial_is_behind
async def test_a_serial_server_on_the_network_is_a_port() -> None:
    heard = Heard()
    async with serial_server() as (url, _), opened(url, heard) as line:
        line.write(b"\0over\xffthe net")
        await heard.until(b"\0over\xffthe net")
    assert heard.causes == []


@pyserial_is_behind
async def test_a_serial_server_that_goes_away_is_a_loss() -> None:
    heard = Heard()
    async with serial_server() as (url, server), opened(url, heard) as line:
        server.writers[0].close()
        await heard.until_lost()
        line.write(b"to nobody")
    assert len(heard.causes) == 1


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """Take every descriptor that select() knows, as a hall of two hundred tables does."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], 4096), before[1]))
    taken = [os.open(os.devnull, os.O_RDONLY)]
    while taken[-1] <= SELECT_KNOWS:
        taken.append(os.dup(taken[0]))
    yield
    for descriptor in taken:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("many_descriptors")
async def test_a_port_works_beyond_the_descriptors_that_select_knows(port: PtyPort) -> None:
    heard, far = Heard(), Heard()
    port.listen(lambda chunk: far.arrived(chunk, far.now()))
    async with opened(port.path, heard) as line:
        line.write(b"question")
        await far.until(b"question")
        port.send(b"answer")
        await heard.until(b"answer")
