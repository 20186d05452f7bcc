"""What the doctor says of certificates, and of tables of modules that were swapped."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from config.models import Event, Node, Settings
from config.tables import PadsTable
from controller.doctor_certificates import examine_certificates
from controller.doctor_findings import as_text
from controller.table_certificate import Policy
from drivers.port import Identity
from simulator.modbus_kits import Wire
from tests.controller.certificate_desk import A, B, Desk, desk
from tests.drivers.modbus.kit_table import kit_table


def settings(folder: Path, policy: Policy) -> Settings:
    return Settings(
        node=Node(id="node-1", venue="hall", journal=folder / "j"),
        event=Event(ruleset="mcr-2014", certificates=policy.value),
        tables={table: PadsTable(wire="pads") for table in ("t1", "t2")},
    )


async def said(
    folder: Path, seen: Mapping[str, Identity], today: date, policy: Policy
) -> list[str]:
    found = await examine_certificates(settings(folder, policy), seen, today, ask=False)
    return [as_text(one) for one in found]


def day(one: Desk, days: int = 0) -> date:
    return (one.clock.utc() + timedelta(days=days)).date()


async def test_what_holds_what_ends_and_what_does_not_hold_are_told(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A", table="t1")
        until, today = day(one, 100), day(one)
        assert await said(tmp_path, {"t1": A, "t2": B}, today, Policy.REQUIRED) == [
            f"ok       table t1: certificate 1 holds until {until}, 100 days left.",
            (
                "failed   table t2: no hand begins: no certificate was entered for OTW-4 TL-B."
                " To do: have it inspected, then `tablewarden certificate add --table t2 …`."
            ),
        ]
        soon, unseen = await said(tmp_path, {"t1": A}, day(one, 93), Policy.WARN)
        assert soon.startswith(
            f"warning  table t1: certificate 1 ends in 7 days, on {until}. To do"
        )
        assert unseen.startswith("warning  table t2: which box this is was not learnt")
        over, _ = await said(tmp_path, {"t1": A}, day(one, 101), Policy.WARN)
        assert over.startswith(
            f"warning  table t1: certificate 1 of TL-A ended on {until}. To do: "
        )
        other, _ = await said(tmp_path, {"t1": B}, today, Policy.REQUIRED)
        assert other.startswith("failed   table t1: no hand begins: certificate 1 of this table is")
        assert "the table is OTW-4 TL-B: were two swapped? To do: look at the table" in other
        assert await said(tmp_path, {"t1": A}, today, Policy.OFF) == []


async def test_before_the_first_start_nothing_was_entered_and_a_broken_journal_is_told(
    tmp_path: Path,
) -> None:
    today = date(2026, 7, 1)
    new, _ = await said(tmp_path, {"t1": A}, today, Policy.WARN)
    assert new.startswith("warning  table t1: no certificate was entered for OTW-4 TL-A. To do: ")
    (tmp_path / "j").write_text("no journal")
    (told,) = await said(tmp_path, {"t1": A}, today, Policy.WARN)
    assert told.startswith("failed   certificates: journal ")


async def connected(folder: Path, kit: str, wire: Wire, table: int) -> Identity:
    with kit_table(folder, kit, wire) as plugged:
        plugged.simulated.fittings.number(table)
        async with plugged.driver.connect() as link:
            return link.identity


async def test_modules_with_serial_numbers_that_are_swapped_disarm_both_tables(
    tmp_path: Path,
) -> None:
    first, second = [await connected(tmp_path, "counted", Wire.TCP, place) for place in (1, 2)]
    assert first != second
    async with desk(tmp_path) as one:
        for place, who in enumerate((first, second), 1):
            more = {"model": who.model, "firmware": who.firmware, "table": f"t{place}"}
            assert await one.certify(str(place), who.serial, days=90, **more) == "done"
        for plug_in, who in zip(one.plug_in, (first, second), strict=True):
            plug_in(who)
        assert one.disarmed == ["", ""]
        for plug_in, who in zip(one.plug_in, (second, first), strict=True):
            plug_in(who)
        assert all(reason.endswith(": were two swapped?") for reason in one.disarmed)
        half = replace(first, serial=f"{first.serial[:7]} + {second.serial[10:]}")
        one.plug_in[0](half)
        assert one.disarmed[0].startswith("certificate 1 of this table is for ")


async def test_modules_without_are_certified_by_their_places_and_staff_are_told(
    tmp_path: Path,
) -> None:
    who = await connected(tmp_path, "basic", Wire.RTU, 1)
    async with desk(tmp_path) as one:
        more = {"model": who.model, "firmware": who.firmware, "table": "t1"}
        assert await one.certify("1", who.serial, days=90, **more) == "done"
        assert one.press.replies[-1].reason.endswith(
            "; no module tells a serial number: bound to its place, so a swap of such boxes is not"
            " noticed by itself; look at the seals"
        )
        one.plug_in[0](who)
        assert one.disarmed[0] == ""
        _, limits, _ = await said(tmp_path, {"t1": who}, day(one), Policy.REQUIRED)
        assert limits.startswith(
            "ok       table t1: certificate 1: no module tells a serial number"
        )
        moved = replace(who, serial=who.serial.replace("unit 2", "unit 7"))
        one.plug_in[0](moved)
        assert one.disarmed[0].startswith("certificate 1 of this table is for ")
