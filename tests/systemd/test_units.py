"""The unit files as systemd itself reads them; nothing is installed or started."""

import subprocess
import sys
from configparser import ConfigParser
from datetime import timedelta
from pathlib import Path

import pytest

from controller.command_line import BAD_CONFIGURATION
from controller.daemon import LOOK_SECONDS
from controller.table_loop import BEAT

FOLDER = Path(__file__).parents[2] / "systemd"
UNITS = ["tablewarden.service", "tablewarden-board.service"]
PROGRAM = "/opt/tablewarden/bin/tablewarden"
EXPOSURE_TENTHS = "20"


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(params=UNITS)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the unit whose program exists on this machine."""
    copy = tmp_path / str(request.param)
    text = (FOLDER / str(request.param)).read_text()
    copy.write_text(text.replace(PROGRAM, sys.executable))
    return copy


def _service(unit: str) -> dict[str, str]:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign] # the documented way
    parser.read(FOLDER / unit)
    return dict(parser["Service"])


def test_systemd_finds_nothing_wrong(unit: Path) -> None:
    verified = _run("systemd-analyze", "verify", "--man=no", unit)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_a_mistake_in_a_unit_would_be_found(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("Restart=on-failure", "Restart=sometimes"))
    assert "sometimes" in _run("systemd-analyze", "verify", "--man=no", unit).stderr


def test_the_sandbox_leaves_little_exposed(unit: Path) -> None:
    rated = _run(
        "systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE_TENTHS}", unit
    )
    assert rated.returncode == 0, rated.stdout


def test_the_users_are_made_and_only_the_daemon_may_open_ports(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    made = _run("systemd-sysusers", f"--root={tmp_path}", FOLDER / "tablewarden.sysusers")
    assert made.returncode == 0, made.stderr
    users = {line.split(":")[0] for line in (tmp_path / "etc/passwd").read_text().splitlines()}
    groups = dict(line.split(":", 1) for line in (tmp_path / "etc/group").read_text().splitlines())
    assert users == {"tablewarden", "tablewarden-board"}
    assert groups["dialout"].split(":")[-1] == "tablewarden"


def test_bad_configuration_is_not_tried_again() -> None:
    for unit in UNITS:
        assert _service(unit)["RestartPreventExitStatus"] == str(BAD_CONFIGURATION)


def test_the_watchdog_waits_longer_than_the_slowest_beat() -> None:
    interval = timedelta(seconds=int(_service("tablewarden.service")["WatchdogSec"]))
    assert interval / 2 > max(BEAT, timedelta(seconds=LOOK_SECONDS))


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_runs_a_command_that_the_program_has(unit: str) -> None:
    program, command, *options = _service(unit)["ExecStart"].split()
    assert program == PROGRAM
    asked = _run(sys.executable, "-m", "controller", command, "--help")
    assert asked.returncode == 0, asked.stderr
    assert set(options[::2]) <= set(asked.stdout.split())
