"""The daemon is killed at seeded moments: only the turn it cut is judged for nobody."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from table.errors import TablewardenError
from tests.harness.long_figures import write_section
from tests.journeys.kills import SPEED, Blow, Moment, Outcome, late_pungs, struck
from tests.journeys.verdict import found_in, judge

pytestmark = pytest.mark.journey
SAMPLE = {
    Blow.NONE: 1,
    Blow.COMMIT: 2,
    Blow.BOTH: 6,
    Blow.RULING: 1,
    Blow.START: 9,
    Blow.TURN: 9,
    Blow.PRESS: 3,
}
"""Seeds of moments that lie apart, so that the daemons do not all start again at one time."""
MOMENTS = 50
AT_ONCE = 5
_INTRODUCTION = """
{count} seeded moments in a hand with eight late pungs (`tests/journeys/kills.hand`), each in a hall
of its own: simulated table on a pty, mosquitto, daemon, a referee who confirms every alert and asks
again until somebody answers, and a scoreboard. *Good* means: every foul that the outage did not cut
is there once with its own reading, none is there that it cut, every ruling that was answered is in
journal and ledger once, event numbers have no gap, what was told twice was told in the same words,
no alert is left at the broker, and the chain of the journal is whole. Times are seconds of the
script, which is played {speed} times as fast as it says.

| seed | killed | moment | outage | pungs that were cut | verdict |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """What became of one moment."""

    moment: Moment
    outage: str
    cut: str
    verdict: str

    def __str__(self) -> str:
        at = f"{self.moment.at_us / 1_000_000:.3f}"
        words = (self.moment.seed, self.moment.blow, at, self.outage, self.cut, self.verdict)
        return "| " + " | ".join(map(str, words)) + " |"


async def test_a_kill_cuts_the_turn_and_nothing_else(tmp_path: Path) -> None:
    async with asyncio.TaskGroup() as halls:
        for blow, seed in SAMPLE.items():
            halls.create_task(_play(Moment.drawn(seed, blow), tmp_path / blow.name))


async def _play(moment: Moment, folder: Path) -> None:
    folder.mkdir()
    async with struck(moment, folder) as outcome:
        await judge(outcome)


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_fifty_kills_cut_turns_and_nothing_else(tmp_path: Path) -> None:
    free = asyncio.Semaphore(AT_ONCE)
    moments = map(Moment.drawn, range(1, MOMENTS + 1))
    rows = await asyncio.gather(
        *(_row(free, moment, tmp_path / str(moment.seed)) for moment in moments)
    )
    _write(rows)
    assert [str(row) for row in rows if row.verdict != "good"] == []


async def _row(free: asyncio.Semaphore, moment: Moment, folder: Path) -> Row:
    """Play one moment; a hall that fails is told of in the table, beside the others."""
    folder.mkdir()
    outage = cut = ""
    async with free:
        try:
            async with struck(moment, folder) as outcome:
                outage, cut = outcome.outage, _cut(outcome)
                await judge(outcome)
        except (AssertionError, TimeoutError, TablewardenError) as error:
            return Row(moment, outage, cut, " ".join(f"{type(error).__name__}: {error}".split()))
    return Row(moment, outage, cut, "good")


def _cut(outcome: Outcome) -> str:
    missing = set(late_pungs()) - set(found_in(outcome))
    return ", ".join(
        f"{taken / 1_000_000:.1f}" for taken in sorted(one.taken_us for one in missing)
    )


def _write(rows: Iterable[Row]) -> None:
    introduction = _INTRODUCTION.format(count=MOMENTS, speed=SPEED)
    write_section("The daemon killed with -9", introduction + "\n".join(map(str, rows)))
