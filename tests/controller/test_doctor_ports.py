import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from config.models import Event, Node, Settings
from config.tables import SerialLinkTable
from controller.clock import MonotonicClock
from controller.command_line import FAILED, GOOD, main
from controller.doctor_findings import Finding, as_text
from controller.doctor_ports import examine_ports, port_findings
from controller.table_drivers import frames_file
from controller.wire_command import Wires
from controller.wired_lines import WiredLines
from drivers.adapter import Places
from table.errors import SettingsError
from tests.drivers.plugged import Machine, Plugged
from tests.drivers.pty_port import PtyPort, pty_port
from tests.drivers.table_link.scripted_box import ScriptedBox
from tests.journeys.module_hall import module_hall

NOW = MonotonicClock().now
DAEMON = ("/opt/bin/python", "/opt/bin/tablewarden", "run")
CH340 = Plugged("ttyUSB1", "ch341-uart", "USB Serial", "", "", "1-1.3")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


@pytest.fixture
async def port() -> AsyncIterator[PtyPort]:
    with pty_port() as port:
        yield port


def said(findings: list[Finding]) -> list[str]:
    return [as_text(finding) for finding in findings]


def shown(port: Path | str, machine: Machine) -> list[str]:
    return said(port_findings("table t1", str(port), machine.places)[0])


def test_a_port_that_is_absent_is_failed_with_the_names_that_are_there(machine: Machine) -> None:
    assert "nothing is plugged in at all" in shown("/dev/serial/by-id/no", machine)[0]
    machine.plug(CH340)
    (told,) = shown("/dev/serial/by-id/no", machine)
    assert told.startswith("failed   table t1: port /dev/serial/by-id/no: nothing is plugged in")
    assert "by-path/pci-0:usb-0:1-1.3:1.0-port0" in told


def test_a_port_with_a_slow_timer_and_a_passing_name_is_warned_about(machine: Machine) -> None:
    device = machine.plug(Plugged())
    good, name, slow = shown(device, machine)
    assert good == f"ok       table t1: port {device} is ttyUSB0 (FT232R USB UART, ftdi_sio)."
    assert name.startswith("warning  ")
    assert "by-id/usb-FT232R_USB_UART_A50285BI" in name
    assert "holds bytes back for 16 ms" in slow
    assert "99-tablewarden-serial.rules" in slow


def test_an_adapter_without_a_number_is_to_be_named_by_its_socket(machine: Machine) -> None:
    machine.plug(CH340)
    by_id = machine.places.devices / "serial/by-id/usb-USB_Serial-if00-port0"
    _, name = shown(by_id, machine)
    assert "by-path/" in name
    by_path = machine.places.devices / "serial/by-path/pci-0:usb-0:1-1.3:1.0-port0"
    assert len(shown(by_path, machine)) == 1


@pytest.mark.parametrize(
    ("words", "begins", "told"),
    [
        (DAEMON, "ok", "process 99 (tablewarden run), so nothing was asked"),
        (("minicom",), "failed", "process 99 (minicom) has it open. To do: end it"),
    ],
)
def test_a_port_that_is_held_is_not_touched(
    machine: Machine, words: tuple[str, ...], begins: str, told: str
) -> None:
    device = machine.plug(Plugged())
    machine.open_by(99, device, *words)
    found, free = port_findings("table t1", str(device), machine.places)
    assert not free
    assert said(found)[-1].startswith(begins)
    assert told in said(found)[-1]


def link(port: str, serial: str | None = None) -> SerialLinkTable:
    return SerialLinkTable(wire="serial-link", port=port, expected_serial=serial)


async def test_a_box_that_is_free_is_asked_who_it_is_and_not_armed(
    port: PtyPort, machine: Machine
) -> None:
    box = ScriptedBox(port, NOW)
    lines = WiredLines({"t1": link(port.path), "t2": link("socket://127.0.0.1:1")})
    found, seen = await examine_ports(lines, NOW, machine.places)
    assert [(table, who.serial) for table, who in seen.items()] == [("t1", "TL-1")]
    findings = said(found)
    assert findings[0].endswith(f"port {port.path} is {Path(port.path).resolve()}.")
    assert "TL-1" in findings[1]
    assert "answers in" in findings[1]
    assert findings[2].startswith("failed   table t2: port socket://127.0.0.1:1 cannot be opened")
    assert not box.armed


async def test_another_box_is_failed_with_both_numbers(port: PtyPort, machine: Machine) -> None:
    ScriptedBox(port, NOW)
    lines = WiredLines({"t1": link(port.path, "TL-2")})
    findings, seen = await examine_ports(lines, NOW, machine.places)
    assert "expected box TL-2, found TL-1" in said(findings)[1]
    assert seen == {}


def settings_of(folder: Path, text: str) -> Path:
    file = folder / "tablewarden.toml"
    head = f'[node]\nid = "node-1"\nvenue = "hall"\nstate_directory = "{folder}"\n'
    file.write_text(f'{head}[event]\nruleset = "mcr-2014"\n{text}')
    return file


async def test_modules_are_recognised_and_timed_and_a_wire_shows_their_frames(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with module_hall(tmp_path) as hall:
        file = settings_of(tmp_path, hall.settings)
        doctor = ["doctor", "--config", str(file), "--only", "wires"]
        assert await asyncio.to_thread(main, doctor) == GOOD
        told = capsys.readouterr().out
        assert "ok       table t1: module" in told
        assert "ok       table t3: module" in told
        bus = next(line for line in hall.settings.splitlines() if line.startswith("[buses."))
        name = bus.removeprefix("[buses.").removesuffix("]")
        wire = ["wire", "--config", str(file), name, "--seconds", "0.3"]
        assert await asyncio.to_thread(main, wire) == GOOD
    lines = capsys.readouterr().out.splitlines()
    assert any("> unit 1: read" in line for line in lines)
    assert any("< unit 1: " in line for line in lines)


async def test_a_wire_shows_what_a_box_says(
    port: PtyPort, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box = ScriptedBox(port, NOW)
    file = settings_of(tmp_path, f'[tables.t1]\nwire = "serial-link"\nport = "{port.path}"\n')
    wire = ["wire", "--config", str(file), "t1", "--seconds", "0.3"]
    assert await asyncio.to_thread(main, wire) == GOOD
    told = capsys.readouterr().out
    assert "> ASK: question hello" in told
    assert "serial TL-1" in told
    assert not box.armed
    box.mute = True


async def test_a_wire_that_cannot_be_opened_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = settings_of(tmp_path, '[tables.t1]\nwire = "serial-link"\nport = "/dev/no-such"\n')
    assert await asyncio.to_thread(main, ["wire", "--config", str(file), "t1"]) == FAILED
    said_once = (
        "tablewarden: port /dev/no-such cannot be opened: nothing is plugged in under this name"
    )
    assert capsys.readouterr().err.splitlines() == [said_once]


def test_a_wire_that_the_daemon_serves_is_left_to_it(tmp_path: Path, machine: Machine) -> None:
    device = machine.plug(Plugged())
    machine.open_by(99, device, *DAEMON)
    settings = Settings(
        node=Node(id="node-1", venue="hall", state_directory=tmp_path),
        event=Event(ruleset="mcr-2014"),
        tables={"t1": link(str(device))},
    )
    assert "nothing went wrong on this line yet" in listened(settings, machine.places)[0]
    file = frames_file(settings, "t1")
    file.parent.mkdir()
    file.write_text("port far: no answer; the last frames were\n  -1.000 s > ACK\n")
    served, told, advice = listened(settings, machine.places)
    assert "is served by process 99 (tablewarden run)" in served
    assert told.endswith("-1.000 s > ACK")
    assert "systemctl stop tablewarden" in advice


def listened(settings: Settings, places: Places) -> list[str]:
    lines: list[str] = []
    Wires(settings, MonotonicClock(), lines.append, places).show("t1", 1)
    return lines


def test_a_line_that_there_is_none_of_is_named_with_those_there_are(tmp_path: Path) -> None:
    settings = Settings(
        node=Node(id="node-1", venue="hall", state_directory=tmp_path),
        event=Event(ruleset="mcr-2014"),
        tables={"t1": link("/dev/ttyUSB0")},
    )
    with pytest.raises(SettingsError, match=r"t9 is neither .* allowed: t1"):
        Wires(settings, MonotonicClock(), print).show("t9", 1)
