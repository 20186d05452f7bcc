"""What machine this is, for whoever compares two pages."""

import platform
import sqlite3
import subprocess
from pathlib import Path
from typing import TypeAlias

import psutil

Facts: TypeAlias = dict[str, str]


def machine_facts(folder: Path) -> Facts:
    """Return the facts that bear on speed; the disk is the one that holds the folder."""
    return {
        "processor": f"{_processor()}, {psutil.cpu_count()} cores",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "system": _system(),
        "disk": _file_system(folder),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "broker": _printed("mosquitto", "-h").splitlines()[0],
        "commit": _printed("git", "describe", "--always", "--dirty"),
    }


def _printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _system() -> str:
    release = platform.freedesktop_os_release()
    kernel = ".".join(platform.release().split(".")[:2])
    return f"{release.get('PRETTY_NAME', release['NAME'])}, Linux {kernel}"


def _file_system(folder: Path) -> str:
    home = folder.resolve()
    holding = [
        part for part in psutil.disk_partitions(all=True) if home.is_relative_to(part.mountpoint)
    ]
    nearest = max(holding, key=lambda part: len(part.mountpoint))
    return nearest.fstype
