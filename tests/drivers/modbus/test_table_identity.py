"""Who tables of modules are, as kits of the simulator say it on real ports."""

from dataclasses import replace
from pathlib import Path

import pytest

from drivers.modbus.fitted import Fitted
from drivers.modbus.identity import ModuleIdentity
from drivers.modbus.profile_words import IdentityPart
from drivers.modbus.table_identity import identity_of
from drivers.port import Identity, without_number
from simulator.modbus_kits import Wire
from table.errors import LinkUnavailable
from tests.drivers.modbus.kit_table import KitTable, kit_table, taken_for


async def said(kit: KitTable) -> Identity:
    async with kit.driver.connect() as link:
        return link.identity


async def test_modules_with_serial_numbers_are_known_by_them(tmp_path: Path) -> None:
    with kit_table(tmp_path, "counted", Wire.TCP) as one:
        first = await said(one)
        assert first.model == "WB-MCM8 + WB-MCM8 + WB-MR6C v.2 + WB-MR6C v.2"
        assert first.serial == "4269011 + 4269031 + 4269022 + 4269042"
        assert without_number(first.serial) == (0, 4)
        one.simulated.fittings.number(7)
        swapped = await said(one)
    assert swapped == replace(first, serial="4276011 + 4276031 + 4276022 + 4276042")


async def test_another_module_than_the_one_expected_is_refused_with_both_numbers(
    tmp_path: Path,
) -> None:
    with kit_table(tmp_path, "counted", Wire.TCP) as one:
        seats = replace(one.table.modules["seats"], expected_serial="4269011")
        wary = replace(one, table=replace(one.table, modules={"seats": seats}, functions={}))
        assert (await said(wary)).serial == "4269011"
        one.simulated.fittings.number(7)
        with pytest.raises(LinkUnavailable, match=r"expected serial number 4269011, found 4276011"):
            await said(wary)


async def test_modules_without_are_known_by_their_places(tmp_path: Path) -> None:
    with kit_table(tmp_path, "basic", Wire.RTU) as one:
        port = one.table.modules["seats"].bus.line.name
        found = await said(one)
    assert found.vendor == "Waveshare"
    assert found.serial == f"unit 1 on {port} + unit 3 on {port} + unit 2 on {port}"
    assert without_number(found.serial) == (3, 3)


def test_an_identity_does_not_depend_on_what_the_settings_call_the_modules() -> None:
    table = taken_for("counted", Wire.RTU, ["/dev/ttyS7"])
    known = {
        name: ModuleIdentity({IdentityPart.SERIAL: str(number)})
        for number, name in enumerate(table.modules)
    }
    wanted = identity_of(table, known)
    assert identity_of(reversed_(table), dict(reversed([*known.items()]))) == wanted


def reversed_(table: Fitted) -> Fitted:
    return replace(table, modules=dict(reversed([*table.modules.items()])))


@pytest.mark.parametrize("serial", ["TL-1", "00:90:E8:12:34:56", "unit", "unit 3 on"])
def test_a_serial_number_is_no_place(serial: str) -> None:
    assert without_number(serial) == (0, 1)
