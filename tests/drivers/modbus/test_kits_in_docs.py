"""The settings that docs show for each kit: good, and of what the drawing beside them shows."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from controller.processes import ours
from drivers.modbus.wiring_checks import miswired
from tests.config.files import loaded

DOCS = Path(__file__).parents[3] / "docs"
NODE = '[node]\nid = "a"\nvenue = "v"\n[event]\nruleset = "mcr-2014"\n'
KITS = {
    "basic": "Basic kit",
    "counted": "Counted kit",
    "ethernet": "Ethernet kit",
    "single": "Single-board kit",
}


def block(kit: str) -> str:
    """Return the settings below the heading of a kit."""
    text = (DOCS / "hardware.md").read_text("utf-8")
    section = text.partition(f"\n## {KITS[kit]}\n")[2].partition("\n## ")[0]
    (settings,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    return str(settings)


@pytest.mark.parametrize("kit", KITS)
def test_the_settings_of_a_kit_are_good(tmp_path: Path, kit: str) -> None:
    assert miswired(loaded(tmp_path, NODE + block(kit))) == []


@pytest.mark.parametrize("kit", KITS)
def test_the_settings_of_a_kit_name_what_its_drawing_shows(kit: str) -> None:
    drawing = (DOCS / "images" / f"kit-{kit}.svg").read_text("utf-8")
    texts = set(re.findall(r">([^<]+)<", drawing))
    ranges = [re.match(r"([a-z]+)(\d) to (?:[a-z]+)?(\d)\b", text) for text in texts]
    drawn = texts | {
        f"{one[1]}{number}"
        for one in ranges
        if one
        for number in range(int(one[2]), int(one[3]) + 1)
    }
    table = tomllib.loads(block(kit))["tables"]["t1"]
    assert {f"profile {one['profile']}" for one in table["modules"].values()} <= texts
    assert {place.partition(".")[2] for place in table["signals"].values()} <= drawn


def test_staff_find_the_example_good() -> None:
    words = ("check", "--config", str(DOCS / "examples" / "modbus-table.toml"))
    checked = subprocess.run(
        ours("controller", *words), capture_output=True, text=True, timeout=60, check=False
    )
    assert (checked.stderr, checked.returncode) == ("", 0)
    assert checked.stdout.endswith("modbus-table.toml is good; tables: t1 (modules seats, keys)\n")
