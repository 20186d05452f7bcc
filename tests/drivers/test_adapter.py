from datetime import timedelta
from pathlib import Path

import pytest

from drivers.adapter import Adapter, adapter_at, latency_advice, plugged_in
from tests.drivers.plugged import Machine, Plugged

FTDI = Plugged()
CH340 = Plugged("ttyUSB1", "ch341-uart", "USB Serial", "", "", "1-1.3")
RULES = Path(__file__).parents[2] / "systemd" / "99-tablewarden-serial.rules"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def at(machine: Machine, port: str | Path) -> Adapter:
    found = adapter_at(str(port), machine.places)
    assert found
    return found


def test_an_adapter_is_known_under_each_of_its_names(machine: Machine) -> None:
    device = machine.plug(FTDI)
    by_id = machine.places.devices / "serial/by-id/usb-FT232R_USB_UART_A50285BI-if00-port0"
    by_path = machine.places.devices / "serial/by-path/pci-0:usb-0:1-1.2:1.0-port0"
    expected = Adapter(
        "ttyUSB0",
        "ftdi_sio",
        "FT232R USB UART",
        "A50285BI",
        timedelta(milliseconds=16),
        str(by_id),
        str(by_path),
    )
    for name in (device, by_id, by_path):
        assert at(machine, name) == expected
    assert str(expected) == "ttyUSB0 (FT232R USB UART, ftdi_sio)"


def test_an_adapter_with_a_number_is_named_by_it_and_one_without_by_its_socket(
    machine: Machine,
) -> None:
    for plugged in (FTDI, CH340):
        machine.plug(plugged)
    assert [Path(name).name for name in plugged_in(machine.places)] == [
        "usb-FT232R_USB_UART_A50285BI-if00-port0",
        "pci-0:usb-0:1-1.3:1.0-port0",
    ]


def test_of_two_adapters_without_a_number_the_last_has_the_name_by_id(machine: Machine) -> None:
    first = machine.plug(CH340)
    second = machine.plug(Plugged("ttyUSB2", "ch341-uart", "USB Serial", "", "", "1-1.4"))
    assert not at(machine, first).by_id
    assert at(machine, second).by_id
    assert at(machine, first).lasting != at(machine, second).lasting


@pytest.mark.parametrize(("told", "late"), [("16", True), ("2", True), ("1", False), ("", False)])
def test_only_a_latency_timer_above_one_millisecond_is_late(
    machine: Machine, told: str, *, late: bool
) -> None:
    assert at(machine, machine.plug(Plugged(latency=told))).late is late


def test_a_latency_timer_that_is_no_number_is_none(machine: Machine) -> None:
    assert at(machine, machine.plug(Plugged(latency="fast"))).latency is None


def test_the_advice_is_the_rule_that_comes_with_the_program(machine: Machine) -> None:
    (rule,) = [line for line in RULES.read_text().splitlines() if line.startswith("ACTION")]
    advice = latency_advice(at(machine, machine.plug(FTDI)))
    assert advice.endswith(rule)
    assert RULES.name in advice


def test_a_pseudo_terminal_has_a_path_and_nothing_else(machine: Machine) -> None:
    port = machine.places.devices / "pts" / "5"
    port.parent.mkdir()
    port.touch()
    assert at(machine, port) == Adapter(str(port.resolve()))


@pytest.mark.parametrize("port", ["socket://127.0.0.1:1", "/dev/serial/by-id/nothing"])
def test_nothing_is_known_of_an_address_or_where_nothing_is(machine: Machine, port: str) -> None:
    assert adapter_at(port, machine.places) is None
    assert plugged_in(machine.places) == ()
