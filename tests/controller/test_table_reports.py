"""What a box tells again counts once, and is acknowledged once it cannot be lost any more."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal_absent import NoJournal
from controller.recovery import recover
from controller.table_memory import STIMULUS
from controller.table_reports import Reports
from table.events import DealEnded, DiscardPressed, Observed, TableEvent
from table.moment import DeviceNumber, Interval, Moment, Quality
from table.seat import Seat
from tests.controller.journal_entries import full_disk
from tests.controller.live_table import RULES, LiveTable, journal_at, running
from tests.harness.virtual_clock import VirtualClock

BOOT, NEXT_BOOT = "TL-1/00000011", "TL-1/00000022"
LAST = 65535


def numbered(
    number: int, event: TableEvent | None = None, *, boot: str = BOOT, replayed: bool = False
) -> Observed:
    """Return what a box says under a number."""
    when = Interval.exactly(Moment(number), Quality.DEVICE)
    said = event or DiscardPressed(Seat.ONE)
    return Observed(said, when, replayed, DeviceNumber(boot, number, LAST))


@contextmanager
def told(table: LiveTable) -> Iterator[list[Observed]]:
    """Collect what the table's box is told to be recorded."""
    recorded: list[Observed] = []

    def take(observed: Observed) -> None:
        recorded.append(observed)
        table.press.stirred.set()

    table.loop.reports.recorded = take
    yield recorded


@pytest.mark.parametrize(("newest", "again"), [(7, 7), (7, 6), (3, 65533), (255, 65535)])
def test_a_number_covers_itself_and_those_right_before_it(newest: int, again: int) -> None:
    assert DeviceNumber(BOOT, newest, LAST).covers(DeviceNumber(BOOT, again, LAST))


@pytest.mark.parametrize(("newest", "later"), [(7, 8), (65535, 1), (65534, 200), (100, 40_000)])
def test_a_number_does_not_cover_later_ones_however_far_they_have_run(
    newest: int, later: int
) -> None:
    assert not DeviceNumber(BOOT, newest, LAST).covers(DeviceNumber(BOOT, later, LAST))


def test_a_number_says_nothing_of_another_boot() -> None:
    assert not DeviceNumber(BOOT, 7, LAST).covers(DeviceNumber(NEXT_BOOT, 7, LAST))


def test_what_is_told_again_before_it_is_durable_waits_for_that() -> None:
    recorded: list[Observed] = []
    reports = Reports(None)
    reports.recorded = recorded.append
    press = numbered(1)
    assert not reports.repeats(press)
    assert reports.repeats(press)
    assert recorded == []
    reports.settle(press)
    assert recorded == [press]
    assert reports.repeats(press)
    assert recorded == [press, press]


def test_what_an_earlier_run_recorded_is_acknowledged_and_not_taken() -> None:
    recorded: list[Observed] = []
    reports = Reports(DeviceNumber(BOOT, 5, LAST))
    reports.recorded = recorded.append
    assert [reports.repeats(numbered(number)) for number in (4, 5, 6)] == [True, True, False]
    assert recorded == [numbered(4), numbered(5)]


def test_reports_without_a_number_are_always_taken() -> None:
    reports = Reports(DeviceNumber(BOOT, 5, LAST))
    press = Observed(DiscardPressed(Seat.ONE), Interval.exactly(Moment(1), Quality.POLLED))
    assert not reports.repeats(press)
    assert not reports.repeats(press)


async def test_a_press_is_acknowledged_when_it_is_in_the_journal(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        with told(table) as recorded:
            deal = numbered(1, DealEnded())
            table.loop.offer(deal)
            await table.press.until(lambda: bool(recorded))
            assert recorded == [deal]
            stimuli = [STIMULUS.decode(one.stimulus, "journal") for one in journal.records("t1")]
            assert stimuli.count(deal) == 1
            assert recover(journal, RULES, "t1").heard == deal.number


async def test_a_press_told_to_two_runs_of_the_daemon_is_in_the_journal_once(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    deal, press = numbered(1, DealEnded()), numbered(2, replayed=True)
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        with told(table) as recorded:
            table.loop.offer(deal)
            await table.press.until(lambda: bool(recorded))
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        with told(table) as recorded:
            table.loop.offer(numbered(1, DealEnded(), replayed=True))
            table.loop.offer(press)
            await table.press.until(lambda: press in recorded)
        stimuli = [STIMULUS.decode(one.stimulus, "journal") for one in journal.records("t1")]
    numbers = [one.number for one in stimuli if isinstance(one, Observed)]
    assert numbers == [deal.number, press.number]


async def test_without_a_journal_a_press_is_acknowledged_at_once() -> None:
    async with running(NoJournal("none")) as table:
        with told(table) as recorded:
            table.loop.offer(numbered(1))
            await table.clock.settle()
            assert recorded == [numbered(1)]


async def test_a_full_disk_does_not_keep_presses_in_the_box(tmp_path: Path) -> None:
    clock, path = VirtualClock(), tmp_path / "j"
    async with journal_at(path, clock) as journal, running(journal, clock) as table:
        with full_disk(Path(f"{path}-wal").stat().st_size), told(table) as recorded:
            table.loop.offer(numbered(1))
            await table.press.until(lambda: bool(recorded))
        assert recorded == [numbered(1)]
        assert not journal.healthy
