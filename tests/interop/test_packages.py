"""What npm installs for the tests is pinned, as what pip installs is."""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WANTED = {"mqtt", "@asyncapi/parser"}
ITSELF = ""


def read(name: str, part: str) -> dict[str, Any]:
    return dict(json.loads((HERE / name).read_text(encoding="utf-8"))[part])


def test_two_packages_are_wanted_each_in_one_version() -> None:
    wanted = read("package.json", "dependencies")

    assert wanted.keys() == WANTED
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


def test_the_lock_pins_everything_by_hash_and_names_no_host() -> None:
    packages = read("package-lock.json", "packages")
    packages.pop(ITSELF)

    assert {f"node_modules/{name}" for name in WANTED} <= packages.keys()
    assert [name for name, package in packages.items() if "integrity" not in package] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []
