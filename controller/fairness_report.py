"""Dice and machines of a hall in plain words for whoever runs it, and as JSON for others."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from controller.fairness import Fairness, TableFairness
from table.moment import MILLISECOND
from timing.cycle_times import CycleTimes
from timing.fair_dice import PLACES, Comparison, Kind

WHAT_TO_DO = (
    "That says nothing about people. Look at the dice for wear and dirt, at how they are thrown"
    " and at whether they are read rightly; then throw on with other dice and compare."
)
_SECOND = timedelta(seconds=1)


def lines(found: Fairness) -> Iterator[str]:
    """Tell what was found, table by table, and how sure it is."""
    if not found.tables:
        yield "the journal knows no table yet"
        return
    for one in found.tables:
        yield from _table(found, one)
    yield (
        "How sure: with fair dice at every table, a report like this calls any table unlikely at"
        f" most {_once(found.share)}, however many tables it tells of."
    )


def _table(found: Fairness, one: TableFairness) -> Iterator[str]:
    period = (
        f", {_day(one.history.since)} to {_day(one.history.until)}" if one.history.since else ""
    )
    yield f"table {one.table}{period}"
    yield f"    dice: {dice(found, one)}"
    if one.history.unread:
        yield f"    {_many(one.history.unread, 'throw')} more could not be read"
    yield f"    cycles: {cycles(one.cycles)}"
    if one.history.unreadable:
        records = _many(one.history.unreadable, "record")
        yield f"    {records} of another version could not be read and count for nothing"


def dice(found: Fairness, one: TableFairness) -> str:
    """Return what may be said of the dice of one table."""
    throws = one.dice.counts.throws
    if not throws:
        return "no throw was read yet"
    if odd := one.dice.odd:
        said = "; ".join(map(_departure, odd))
        return f"unlikely for fair dice, {_many(throws, 'throw')}: {said}. {WHAT_TO_DO}"
    said = f"nothing unusual in {_many(throws, 'throw')}"
    if not one.dice.comparisons:
        said = f"{_many(throws, 'throw')}, too few to say anything"
    if throws < found.throws_needed:
        needed = f"{found.throws_needed:,}"
        said += (
            f"; one face that comes up in a quarter of the throws instead of a sixth would show"
            f" after about {needed}"
        )
    return said


def _departure(comparison: Comparison) -> str:
    place = comparison.farthest
    seen, due = comparison.observed[place], comparison.expected[place]
    total = sum(comparison.observed)
    shown = f"{comparison.kind.removesuffix('s')} {PLACES[comparison.kind][place]}"
    return (
        f"{shown} came {_many(seen, 'time')} among {total:,}, where fair dice bring about"
        f" {due:,.0f} ({100 * seen / total:.1f} % instead of {100 * due / total:.1f} %);"
        f" by chance alone {_once(comparison.corrected)}"
    )


def _once(chance: float) -> str:
    if chance < 1e-6:  # noqa: PLR2004 - what people can picture
        return "less than once in a million such reports"
    return f"once in {_rounded(1 / chance):,} such reports"


def _rounded(number: float) -> int:
    """Return a number with two figures that count, never more than it is."""
    unit: int = 10 ** max(len(str(int(number))) - 2, 0)
    return int(number) // unit * unit


def cycles(times: CycleTimes | None) -> str:
    """Return what may be said of the machine of one table."""
    if times is None:
        return "none was timed from beginning to end yet"
    said = (
        f"{_many(times.count, 'cycle')}, half of them within {_seconds(times.median)}, nine of ten"
        f" within {_seconds(times.slow)}, the longest {_seconds(times.longest)}"
    )
    if not times.drifts:
        return said
    return (
        f"{said}; the machine grows {times.way}: {_seconds(times.earlier)} in the earlier half,"
        f" {_seconds(times.later)} in the later one"
    )


def _seconds(span: timedelta) -> str:
    return f"{span / _SECOND:.1f} s"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else ""


def as_json(found: Fairness) -> str:
    """Return everything that was found as one JSON object; spans in whole milliseconds."""
    return json.dumps(
        {
            "share": found.share,
            "throws_needed": found.throws_needed,
            "tables": {one.table: _fields(found, one) for one in found.tables},
        },
        ensure_ascii=False,
    )


def _fields(found: Fairness, one: TableFairness) -> dict[str, Any]:
    history = one.history
    compared = {comparison.kind: comparison for comparison in one.dice.comparisons}
    return {
        "since": history.since and history.since.isoformat(),
        "until": history.until and history.until.isoformat(),
        "throws": one.dice.counts.throws,
        "unread": history.unread,
        "unreadable": history.unreadable,
        "odd": bool(one.dice.odd),
        "said": dice(found, one),
        **{str(kind): _compared(one, kind, compared.get(kind)) for kind in Kind},
        "cycles": one.cycles and _cycles(one.cycles),
    }


def _compared(one: TableFairness, kind: Kind, comparison: Comparison | None) -> dict[str, Any]:
    counts = dict(zip(map(str, PLACES[kind]), one.dice.counts.of(kind), strict=True))
    if comparison is None:
        return {"counts": counts}
    return {
        "counts": counts,
        "statistic": comparison.statistic,
        "degrees": comparison.degrees,
        "chance": comparison.chance,
        "corrected": comparison.corrected,
        "effect": comparison.effect,
        "odd": comparison in one.dice.odd,
    }


def _cycles(times: CycleTimes) -> dict[str, int | bool]:
    return {
        f"{name}_ms" if isinstance(value, timedelta) else name: (
            value // MILLISECOND if isinstance(value, timedelta) else value
        )
        for name, value in asdict(times).items()
    }
