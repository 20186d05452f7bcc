import errno
import grp
import os
import pwd
from pathlib import Path

import pytest

from drivers.port_holder import Holder, holder_of
from drivers.port_trouble import reason
from tests.drivers.plugged import Machine, Plugged

DAEMON = ("/opt/tablewarden/bin/python", "/opt/tablewarden/bin/tablewarden", "run", "--config", "x")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def lock(machine: Machine, device: Path, process: int, arrow: str = "") -> None:
    at = device.stat()
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    line = f"1: {arrow}FLOCK  ADVISORY  WRITE {process} {place} 0 EOF\n"
    with (machine.places.processes / "locks").open("a") as locks:
        locks.write(line)


def test_whoever_has_locked_a_port_holds_it(machine: Machine) -> None:
    device, other = machine.plug(Plugged()), machine.plug(Plugged("ttyUSB1", socket="1-2"))
    lock(machine, other, 12)
    lock(machine, device, 13, "-> ")
    lock(machine, device, 4777)
    machine.open_by(99, device, "minicom")
    found = holder_of(str(device), machine.places)
    assert found == Holder(4777)
    assert str(found) == "process 4777"


@pytest.mark.parametrize(
    ("words", "told", "daemon"),
    [
        (DAEMON, "process 99 (tablewarden run)", True),
        (("python", "-m", "controller", "run"), "process 99 (tablewarden run)", True),
        (("/usr/bin/minicom", "-D", "/dev/ttyUSB0"), "process 99 (minicom)", False),
        (("tablewarden", "wire"), "process 99 (tablewarden)", False),
        ((), "process 99", False),
    ],
)
def test_a_process_that_locks_nothing_is_seen_by_its_files(
    machine: Machine, words: tuple[str, ...], told: str, *, daemon: bool
) -> None:
    device = machine.plug(Plugged())
    machine.open_by(98, machine.places.devices / "null", "cat")
    machine.open_by(99, device, *words)
    found = holder_of(str(device), machine.places)
    assert found
    assert (str(found), found.is_daemon) == (told, daemon)


def test_nobody_holds_what_is_not_there(machine: Machine) -> None:
    assert holder_of("/dev/no-such-port", machine.places) is None
    assert holder_of(str(machine.plug(Plugged())), machine.places) is None


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOENT, "nothing is plugged in under this name"),
        (errno.ENXIO, "its device is gone"),
        (errno.EIO, "there is no hardware behind it"),
        (errno.ENOTTY, "it is no serial port"),
        (errno.EBUSY, "another program has it open"),
        (errno.EPERM, "DeviceAllow="),
        (errno.EFBIG, "File too large"),
    ],
)
def test_what_is_wrong_with_a_port_is_told_in_words(
    machine: Machine, number: int, told: str
) -> None:
    error = OSError(number, os.strerror(number))
    assert told in reason(str(machine.plug(Plugged())), error, machine.places)


def test_who_may_not_open_a_port_is_told_the_group_and_what_to_do(tmp_path: Path) -> None:
    error = PermissionError(errno.EACCES, "Permission denied")
    port = tmp_path / "port"
    port.touch()
    dialout = grp.getgrnam("dialout").gr_gid
    owned = port.stat().st_gid
    if os.geteuid() == 0:
        os.chown(port, -1, dialout)
    group = "dialout" if os.geteuid() == 0 or owned == 0 else grp.getgrgid(owned).gr_name
    user = pwd.getpwuid(os.geteuid()).pw_name
    assert reason(str(port), error) == (
        f"user {user} may not open it, only those of group {group} may:"
        f" `sudo usermod -aG {group} {user}`, then log in again"
    )


def test_a_port_of_nobody_that_is_known_is_said_to_be_of_dialout() -> None:
    error = PermissionError(errno.EACCES, "Permission denied")
    assert "group dialout" in reason("/dev/no-such-port", error)


def test_an_address_that_cannot_be_reached_is_told_in_words() -> None:
    unreachable = OSError(errno.EHOSTUNREACH, "No route to host")
    assert reason("socket://192.0.2.1:502", unreachable) == "there is no way to this address"
    assert "nobody listens" in reason("socket://127.0.0.1:1", ConnectionRefusedError())
    assert reason("socket://127.0.0.1:1", TimeoutError()) == "no answer"
