"""Reads the bytes in tests/vectors/table-link."""

from dataclasses import dataclass
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "vectors" / "table-link"


@dataclass(frozen=True, slots=True)
class Vector:
    """One example: header and payload, check, and the bytes on the line."""

    title: str
    plain: bytes
    check: bytes
    wire: bytes


def vectors(name: str) -> dict[str, Vector]:
    """Return the vectors of a file by their titles."""
    read = map(_vector, (VECTORS / f"{name}.txt").read_text().split("\n\n"))
    return {vector.title: vector for vector in read}


def _vector(block: str) -> Vector:
    title, *lines = block.strip().splitlines()
    *fields, check, wire = lines
    plain = b"".join(bytes.fromhex(field.split("|")[0]) for field in fields)
    return Vector(
        title.removeprefix("# "),
        plain,
        bytes.fromhex(check.removeprefix("check")),
        bytes.fromhex(wire.removeprefix("wire")),
    )
