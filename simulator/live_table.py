"""A simulated table in real time: its bytes on a port, its log in a file, one timer."""

import asyncio
import json
from pathlib import Path
from typing import TextIO

from simulator.clock import ScaledClock
from simulator.log_lines import LogLine
from simulator.pty_port import PtyPort
from simulator.simulated_table import SimulatedTable
from table.moment import Moment


class LiveTable:
    """Keeps one table going from `open` to `close`."""

    def __init__(self, name: str, table: SimulatedTable, folder: Path, clock: ScaledClock) -> None:
        self._table = table
        self.ports = [f"table {name} {folder / name}"]
        """What a host is told."""
        self._clock = clock
        self._log_path = folder / f"{name}.log.jsonl"
        self._port = PtyPort(folder / name, self._hear)
        self._timer: asyncio.TimerHandle | None = None
        self._log: TextIO | None = None

    def open(self) -> None:
        """Plug the table in.

        Raises:
            SettingsError: something stands at the path of its port.
        """
        # Line by line, so that a reader of the log sees each line as it is written.
        self._log = self._log_path.open("a", encoding="utf-8", buffering=1)
        self._port.plug_in()
        self._turn()

    def close(self) -> None:
        """Unplug the table and end its log."""
        if self._timer:
            self._timer.cancel()
        self._port.plug_out()
        if self._log:
            self._log.close()

    def _hear(self, chunk: bytes) -> None:
        self._table.hear(chunk, self._clock.now())
        self._turn()

    def _turn(self) -> None:
        now = self._clock.now()
        self._table.pass_time(now)
        self._follow_wire()
        leaving = self._table.transmit(now)
        sent = self._clock.now()
        self._port.send(leaving)
        # The log comes last: a full disk must not end the play.
        self._wake(self._clock.wait(self._table.wake_at(now)))
        self._write(self._table.take_log(), sent)

    def _write(self, lines: list[LogLine], sent: Moment) -> None:
        """Log beside the device's time when the bytes left, on the machine's own clock."""
        if self._log and lines:
            moment: LogLine = {"monotonic_us": sent.micros}
            self._log.writelines(json.dumps(moment | line) + "\n" for line in lines)

    def _follow_wire(self) -> None:
        if self._table.wire_whole and not self._port.plugged_in:
            self._port.plug_in()
        elif not self._table.wire_whole:
            self._port.plug_out()

    def _wake(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._turn)
