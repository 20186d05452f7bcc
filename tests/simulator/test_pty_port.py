"""The port of a simulated table, opened by a real host end of ours."""

import asyncio
import os
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.pty_port import PtyPort
from table.errors import SettingsError


@contextmanager
def opened(path: Path) -> Iterator[int]:
    end = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        tty.setraw(end)
        yield end
    finally:
        os.close(end)


class Ear:
    """Hears what a host says, and can wait for it."""

    def __init__(self) -> None:
        self.heard = b""
        self._more = asyncio.Event()

    def __call__(self, chunk: bytes) -> None:
        self.heard += chunk
        self._more.set()

    async def until(self, words: bytes) -> None:
        async with asyncio.timeout(10):
            while self.heard != words:
                self._more.clear()
                await self._more.wait()


async def test_bytes_of_every_value_pass_both_ways(tmp_path: Path) -> None:
    ear = Ear()
    port = PtyPort(tmp_path / "t1", ear)
    port.plug_in()
    every = bytes(range(256))
    with opened(tmp_path / "t1") as end:
        os.write(end, every)
        await ear.until(every)
        port.send(every)
        assert os.read(end, 4096) == every
    port.plug_out()


async def test_a_port_outlives_a_host_that_comes_and_goes(tmp_path: Path) -> None:
    ear = Ear()
    port = PtyPort(tmp_path / "t1", ear)
    port.plug_in()
    for word, heard in ((b"one", b"one"), (b"two", b"onetwo")):
        with opened(tmp_path / "t1") as end:
            os.write(end, word)
            await ear.until(heard)
    port.plug_out()


async def test_a_port_nobody_reads_swallows_what_does_not_fit(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "t1", lambda _: None)
    port.plug_in()
    for _ in range(100):
        port.send(bytes(1000))
    port.plug_out()
    assert not port.plugged_in


async def test_plugging_out_hangs_up_and_takes_the_link_away(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "t1", lambda _: None)
    port.plug_in()
    with opened(tmp_path / "t1") as end:
        port.plug_out()
        port.send(b"nobody there")
        with pytest.raises(OSError, match="Input/output error"):
            os.write(end, b"x")
    assert not (tmp_path / "t1").is_symlink()
    port.plug_in()
    assert (tmp_path / "t1").is_symlink()
    port.plug_out()


async def test_a_link_left_behind_by_a_killed_run_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "t1").symlink_to("/dev/pts/nowhere")
    port = PtyPort(tmp_path / "t1", lambda _: None)
    port.plug_in()
    assert (tmp_path / "t1").is_char_device()
    port.plug_out()


async def test_a_file_at_the_place_of_the_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "t1").write_text("mine")
    with pytest.raises(SettingsError, match="t1 is in the way"):
        PtyPort(tmp_path / "t1", lambda _: None).plug_in()
    assert (tmp_path / "t1").read_text() == "mine"
