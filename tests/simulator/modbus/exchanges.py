"""Reads the exchanges in tests/vectors/modbus (exchanges.md there says what a line means)."""

from dataclasses import dataclass
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "vectors" / "modbus"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a maker says that a module does, line by line."""

    title: str
    source: str
    module: str
    lines: tuple[str, ...]


def exchanges() -> list[Exchange]:
    files = sorted(VECTORS.glob("exchange-*.txt"))
    return [_exchange(block) for file in files for block in file.read_text().split("\n\n")]


def _exchange(block: str) -> Exchange:
    title, source, module, *lines = block.strip().splitlines()
    assert title.startswith("# ")
    assert source.startswith("source ")
    assert module.startswith("module ")
    return Exchange(title[2:], source[7:], module[7:], tuple(lines))
