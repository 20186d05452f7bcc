"""Dice and cycle times of a hall as one picture, an SVG that any browser shows.

One row for each table: how often each face came, each sum, and every cycle by its number. The grey
band is where 99 counts of 100 lie with fair dice, taken one by one; a bar outside is no verdict,
the sentence above the row is.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import timedelta
from html import escape

from controller.fairness import Fairness, TableFairness
from timing.cycle_times import CycleTimes
from timing.fair_dice import OF_FAIR_DICE, PLACES, Kind

_SPREADS_OF_99 = 2.576
"""Of 100 normally distributed values 99 lie within so many standard deviations."""
_WIDTH, _ROW, _HEAD = 1080, 266, 74
_PLOT_TOP, _PLOT_HEIGHT = 82, 140
_BAR, _ODD, _BAND, _INK, _FAINT = "#3b6ea5", "#b4552d", "#d9d9d9", "#222222", "#666666"
_GREY = f' fill="{_FAINT}"'
_TITLE, _NAME, _SMALL = ' font-size="20"', ' font-size="16"', ' font-size="11"'
_MIDDLE, _END = ' text-anchor="middle"', ' text-anchor="end"'
_STEPS, _MOST_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500), 5
_SECOND = timedelta(seconds=1)


def svg(found: Fairness) -> str:
    """Return the picture."""
    height = _HEAD + _ROW * max(len(found.tables), 1)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"'
        f' viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{_INK}">'
    )
    parts = (
        head,
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(20, 30, "Dice and cycle times", _TITLE),
        _text(
            20,
            54,
            "Grey: where 99 counts of 100 lie with fair dice, each taken alone. A bar outside of it"
            " is no verdict; the sentence at the table is.",
            _GREY,
        ),
        *(part for row, one in enumerate(found.tables) for part in _row(one, _HEAD + row * _ROW)),
        "</svg>",
    )
    return "\n".join(parts) + "\n"


def _row(one: TableFairness, top: int) -> Iterator[str]:
    odd = bool(one.dice.odd)
    verdict = "unlikely for fair dice" if odd else "nothing unusual"
    if not one.dice.comparisons:
        verdict = "too few throws to say anything"
    yield f'<line x1="20" y1="{top}" x2="{_WIDTH - 20}" y2="{top}" stroke="{_BAND}"/>'
    yield _text(20, top + 24, f"Table {one.table}", _NAME)
    yield _text(20, top + 44, f"{one.dice.counts.throws:,} throws read: {verdict}", _GREY)
    yield _text(710, top + 44, _short(one.cycles), _GREY)
    unlikely = {comparison.kind for comparison in one.dice.odd}
    yield from _bars(one, Kind.FACES, 50, top + _PLOT_TOP, odd=Kind.FACES in unlikely)
    yield from _bars(one, Kind.SUMS, 330, top + _PLOT_TOP, odd=Kind.SUMS in unlikely)
    yield from _dots(one, 740, top + _PLOT_TOP)


def _short(times: CycleTimes | None) -> str:
    if times is None:
        return "no cycle was timed from beginning to end yet"
    if not times.drifts:
        median, slow = times.median / _SECOND, times.slow / _SECOND
        return f"cycles: half within {median:.1f} s, nine of ten within {slow:.1f} s"
    earlier, later = times.earlier / _SECOND, times.later / _SECOND
    return f"cycles grow {times.way}: {earlier:.1f} s at first, {later:.1f} s later"


def _bars(one: TableFairness, kind: Kind, left: int, top: int, *, odd: bool) -> Iterator[str]:
    counts, step = one.dice.counts.of(kind), 38 if kind is Kind.FACES else 31
    total, width = sum(counts), len(counts) * step
    bands = [_band(total, chance) for chance in OF_FAIR_DICE[kind]]
    most = max(*counts, *(high for _, high in bands), 1)
    yield _axis(left, top, width)
    yield _text(left, top - 14, f"{kind}".capitalize(), _GREY)
    for place, (count, (low, high)) in enumerate(zip(counts, bands, strict=True)):
        x, middle = left + place * step, left + place * step + step / 2
        y = top + _PLOT_HEIGHT * (1 - count / most)
        yield _rect(x + 1, step - 2, top, (low / most, high / most), _BAND)
        yield _rect(x + step / 4, step / 2, top, (0, count / most), _ODD if odd else _BAR)
        yield _text(middle, y - 4, f"{count:,}", _SMALL + _MIDDLE)
        yield _text(middle, top + _PLOT_HEIGHT + 16, str(PLACES[kind][place]), _MIDDLE)


def _band(total: int, chance: float) -> tuple[float, float]:
    due, spread = total * chance, math.sqrt(total * chance * (1 - chance))
    return max(due - _SPREADS_OF_99 * spread, 0), due + _SPREADS_OF_99 * spread


def _dots(one: TableFairness, left: int, top: int) -> Iterator[str]:
    """Draw every cycle by its number; the line is the median."""
    spans = [took / _SECOND for _, took in one.history.cycles]
    width = _WIDTH - 40 - left
    yield _axis(left, top, width)
    yield _text(left, top - 14, "Seconds of each cycle, oldest first", _GREY)
    if not spans or one.cycles is None:
        return
    most = max(spans) * 1.1
    yield from _scale(left, top, most)
    y = top + _PLOT_HEIGHT * (1 - one.cycles.median / _SECOND / most)
    yield f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="{_ODD}"/>'
    yield from _circles(spans, left, top, width / len(spans), most)
    yield _text(left + width, top + _PLOT_HEIGHT + 16, f"{len(spans):,}", _END)


def _scale(left: int, top: int, most: float) -> Iterator[str]:
    step = next((one for one in _STEPS if most / one <= _MOST_STEPS), most)
    for number in range(int(most / step) + 1):
        y = top + _PLOT_HEIGHT * (1 - number * step / most)
        yield _text(left - 6, y + 4, f"{number * step:g}", _SMALL + _END)


def _circles(
    spans: Sequence[float], left: int, top: int, step: float, most: float
) -> Iterator[str]:
    for place, span in enumerate(spans):
        x, y = left + (place + 0.5) * step, top + _PLOT_HEIGHT * (1 - span / most)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{_BAR}" fill-opacity="0.6"/>'


def _axis(left: int, top: int, width: int) -> str:
    y = top + _PLOT_HEIGHT
    return f'<line x1="{left}" y1="{y}" x2="{left + width}" y2="{y}" stroke="{_FAINT}"/>'


def _rect(x: float, width: float, top: int, heights: tuple[float, float], fill: str) -> str:
    low, high = heights
    y, height = top + _PLOT_HEIGHT * (1 - high), _PLOT_HEIGHT * (high - low)
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'
    )


def _text(x: float, y: float, said: str, look: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{look}>{escape(said)}</text>'
