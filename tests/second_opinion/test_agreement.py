"""Core and checker read the same random hands and must see the same fouls, to the microsecond."""

import os
from concurrent.futures import ProcessPoolExecutor

import pytest

from table.fouls import FoulKind
from tests.harness.long_figures import write_section
from tests.second_opinion.limits import BEFORE, BOOKS, EARLY, EMPTY, Book
from tests.second_opinion.survey import VERDICTS, Survey, surveyed

SAMPLE, MANY, CHUNK = 60, 10_000, 250
ORDER_ALONE = (EARLY, EMPTY, BEFORE)
"""Kinds without a limit: what counts is which came first."""
_INTRODUCTION = f"""
{MANY:,} random hands of each book, told both to the whole table core and to a naive checker that
types its own limits (`tests/second_opinion`). They agree about a hand when both see the same fouls,
readings too close to call, overruns within the margin of a presumed start (each with its shortest
and longest reading to the microsecond), winners, steps, sanctions, sums and points. A reading is
*near* where it is within 50 ms of its limit, *sharp* where it is at most one microsecond away.
"""


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_core_and_checker_agree_about_random_hands_near_the_limits(book: Book) -> None:
    found = surveyed(book.name, range(SAMPLE))

    assert found.differ == []
    assert found.near >= 0.3 * found.timed
    for kind in kinds(book):
        assert found.counts[kind, "foul"] > 0
        assert kind in ORDER_ALONE or found.counts[kind, "too close"] > 0


def kinds(book: Book) -> list[FoulKind]:
    """Return what a table can see in a book."""
    known = {*book.ladders, *book.per_started}
    return [kind for kind in FoulKind if kind in known and kind is not FoulKind.OVERTIME_SUM]


@pytest.mark.long
@pytest.mark.timeout(10_800)
def test_core_and_checker_agree_about_ten_thousand_hands_of_each_book() -> None:
    found = {book.name: Survey() for book in BOOKS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        chunks = [
            (book.name, range(start, start + CHUNK))
            for book in BOOKS
            for start in range(0, MANY, CHUNK)
        ]
        for (name, _), survey in zip(chunks, pool.map(_chunk, chunks), strict=True):
            found[name].add(survey)
    table = "\n".join([_INTRODUCTION, *_rows(found)])
    write_section("Core and checker", table)
    print(table)  # noqa: T201 - who runs the long tests wants to see them
    differ = [one for survey in found.values() for one in survey.differ]
    assert differ == [], "\n".join(differ)
    assert all(survey.near >= 0.3 * survey.timed for survey in found.values())


def _chunk(chunk: tuple[str, range]) -> Survey:
    return surveyed(*chunk)


def _rows(found: dict[str, Survey]) -> list[str]:
    rows = [
        "| book | hands | that differ | readings | near | sharp |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in found.items():
        differ = len({line.split(":")[0] for line in one.differ})
        near, sharp = share(one.near, one.timed), share(one.sharp, one.timed)
        rows.append(f"| {name} | {one.hands} | {differ} | {one.timed} | {near} | {sharp} |")
    heads = " | ".join(VERDICTS)
    rows += ["", f"| book | kind | {heads} |", "|---|---|---|---|---|---|"]
    for name, one in found.items():
        for kind in FoulKind:
            counts = [one.counts[kind, verdict] for verdict in VERDICTS]
            if any(counts):
                rows.append(f"| {name} | {kind} | {' | '.join(map(str, counts))} |")
    return rows
