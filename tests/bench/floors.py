"""The least this machine can do, measured in C in the same run as what is held against it."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.bench.spread import Spread

SOURCE = Path(__file__).with_name("floors.c")
RATE = 200
"""Transfers a second while a floor is measured; the events a second of 64 tables."""


@dataclass(frozen=True, slots=True)
class Floors:
    """One transfer over a pty, one fdatasync, one QoS 1 message from a C client to another."""

    pty: Spread
    sync: Spread
    mqtt: Spread

    @property
    def p50(self) -> float:
        """The sum of the three medians, in microseconds."""
        return self.pty.p50 + self.sync.p50 + self.mqtt.p50


def compile_floors(folder: Path) -> Path:
    """Build the C program and return where it lies."""
    program = folder / "floors"
    subprocess.run(["cc", "-O2", "-o", program, SOURCE, "-lmosquitto"], check=True)
    return program


def measure(program: Path, folder: Path, broker_port: int, count: int) -> Floors:
    """Measure the three floors one after the other, at an even pace."""
    pace = [str(count), str(RATE)]
    return Floors(
        pty=_run(program, "pty", *pace),
        sync=sync_floor(program, folder, count),
        mqtt=_run(program, "mqtt", str(broker_port), *pace),
    )


def sync_floor(program: Path, folder: Path, count: int) -> Spread:
    """Measure fdatasync alone, on the disk that holds the folder."""
    return _run(program, "sync", str(folder / "floor.bin"), str(count), str(RATE))


def _run(program: Path, *arguments: str) -> Spread:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return Spread.of(float(line) for line in done.stdout.split())
