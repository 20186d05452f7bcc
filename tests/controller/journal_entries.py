"""Entries and starts that the tests of the journal write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

from controller.journal import Boot, Entry, Origin, Outgoing
from table.moment import MILLISECOND, Moment

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def boot(utc: datetime = NOON) -> Boot:
    return Boot("9f3c", Moment(5_000_000), utc, "0.1.0")


def entry(number: int, table: str = "t1", events: int = 2) -> Entry:
    moment = Moment(5_000_000) + number * MILLISECOND
    return Entry(
        table=table,
        moment=moment,
        utc=NOON + number * MILLISECOND,
        stimulus=f'{{"type":"LinkDown","cause":"断 {number}"}}',
        effects="[]",
        seq=number,
        events=tuple(
            Outgoing("step-lost", table, number, f"{table} {number} {place}".encode())
            for place in range(events)
        ),
    )


def command(number: int, reply: bytes, after: timedelta = timedelta(0)) -> Entry:
    origin = Origin("board", "r-west", f"cmd-{number}")
    return replace(entry(number), origin=origin, reply=reply, utc=NOON + after)


def whole(number: int, table: str = "t1") -> Entry:
    """An entry that carries the whole state."""
    return replace(entry(number, table), state=f"state {number}".encode())


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as a full disk would."""
    before = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, before)
