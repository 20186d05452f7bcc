"""Lays out rows of text for a terminal, with Chinese characters at their true width."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest
from unicodedata import east_asian_width

WIDTHS = (30, 38, 64)
"""Columns of characters; with mark and gaps a line has at most 138."""
GAP = "  "


@dataclass(frozen=True, slots=True)
class Row:
    """One row under a heading."""

    heading: str
    mark: str
    cells: tuple[str, str, str]


def columns(rows: list[Row]) -> Iterator[str]:
    """Return the rows as lines, each heading after an empty line; long cells go on below."""
    widths = [
        min(most, max(map(width, cells))) for most, cells in zip(WIDTHS, _cells(rows), strict=True)
    ]
    for heading, under in groupby(rows, key=lambda row: row.heading):
        yield from ("", heading)
        for row in under:
            yield from _lines(row, widths)


def _cells(rows: list[Row]) -> Iterator[list[str]]:
    return ([row.cells[place] for row in rows] for place in range(len(WIDTHS)))


def _lines(row: Row, widths: list[int]) -> Iterator[str]:
    wrapped = [list(_wrapped(cell, most)) for cell, most in zip(row.cells, widths, strict=True)]
    for number, parts in enumerate(zip_longest(*wrapped, fillvalue="")):
        filled = [
            part + " " * (most - width(part)) for part, most in zip(parts, widths, strict=True)
        ]
        mark = row.mark if number == 0 else " "
        yield f"{mark} {GAP.join(filled)}".rstrip()


def _wrapped(text: str, most: int) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer) > most:
            yield line
            longer = word
        line = longer
    yield line


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
