"""What the journal of a real table says of its dice and its machine, in words, JSON and picture."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

from controller.command_line import FAILED, GOOD, USAGE, main
from controller.fairness import TableHistory, fairness
from controller.journal_reader import JournalReader
from table.commands import DrawHand, EnterDice, StartHand
from table.events import (
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    DiscardPressed,
    LinkDown,
    MachineStopped,
    Observed,
    Restarted,
    TableEvent,
    WallRaised,
    WallReady,
)
from table.moment import Interval
from table.seat import Seat
from tests.config.files import GOOD as SETTINGS
from tests.config.files import saved
from tests.controller.live_table import LiveTable, journal_at, running
from tests.harness.virtual_clock import VirtualClock

Read = pytest.CaptureFixture[str]
Play = Callable[[LiveTable], Awaitable[None]]
LOADED = (15, 15, 15, 15, 15, 25)


def told(folder: Path, play: Play) -> TableHistory:
    """Play at a real table and return what its journal tells."""
    asyncio.run(_played(folder / "journal.sqlite", play))
    (table,) = fairness(JournalReader(folder / "journal.sqlite").records()).tables
    return table.history


async def _played(path: Path, play: Play) -> None:
    clock = VirtualClock()
    async with journal_at(path, clock) as journal, running(journal, clock) as table:
        await play(table)


def happening(*events: tuple[float, TableEvent]) -> Play:
    async def play(table: LiveTable) -> None:
        for after, event in events:
            await table.happen(event, after)

    return play


def evening(throws: Iterable[tuple[int, int]], cycles: Iterable[float] = ()) -> Play:
    async def play(table: LiveTable) -> None:
        for pair in throws:
            table.loop.offer(Observed(DiceRolled(pair), Interval.exactly(table.clock.now())))
        await table.clock.settle()
        for seconds in cycles:
            await table.happen(CycleStarted(), 1)
            await table.happen(WallReady(), seconds)

    return play


def dice(number: int, faces: tuple[int, ...] = (1,) * 6) -> list[tuple[int, int]]:
    rng = Random(7)
    return [
        (one, other)
        for one, other in zip(
            rng.choices(range(1, 7), faces, k=number),
            rng.choices(range(1, 7), faces, k=number),
            strict=True,
        )
    ]


def config(folder: Path, play: Play | None = None) -> str:
    if play is not None:
        asyncio.run(_played(folder / "journal.sqlite", play))
    return str(saved(folder, SETTINGS.replace("[event]", 'state_directory = "."\n[event]')))


def test_every_throw_with_known_values_counts_and_unread_ones_are_counted_apart(
    tmp_path: Path,
) -> None:
    seen = told(
        tmp_path,
        happening(
            (0, DiceRolled((3, 4))),
            (1, DiceRolled(None)),
            (1, WallRaised()),
            (1, DiceRolled((6, 6))),
        ),
    )
    assert (seen.throws, seen.unread) == ([(3, 4), (6, 6)], 1)
    assert seen.since
    assert seen.until
    assert seen.until - seen.since == timedelta(seconds=3)


def test_what_a_person_read_takes_the_place_of_what_the_table_said(tmp_path: Path) -> None:
    async def play(table: LiveTable) -> None:
        await table.happen(WallRaised())
        await table.happen(DealEnded())
        await table.happen(DiscardPressed(Seat.ONE))
        await table.happen(DiceRolled(None))
        await table.happen(DiceRolled((1, 1)))
        await table.order(EnterDice(1, (2, 5)), "c1")
        await table.order(EnterDice(2, (1, 2)), "c2")
        await table.order(EnterDice(9, (1, 2)), "c3")
        await table.order(DrawHand(), "c4")
        await table.order(StartHand(), "c5")
        await table.order(EnterDice(1, (6, 5)), "c6")

    seen = told(tmp_path, play)
    assert (seen.throws, seen.unread) == ([(2, 5), (1, 2), (6, 5)], 0)


def test_a_cycle_is_timed_from_its_start_to_the_wall_and_only_if_nothing_cut_it(
    tmp_path: Path,
) -> None:
    async def play(table: LiveTable) -> None:
        await happening((0, CycleStarted()), (38.5, WallReady()))(table)
        await happening((9, CycleStarted()), (5, MachineStopped()), (40, WallReady()))(table)
        paused = (CycleStarted(), CyclePaused(), CycleResumed(), WallReady())
        await happening(*((9, each) for each in paused))(table)
        await happening((9, CycleStarted()))(table)
        table.loop.offer(LinkDown("cable"))
        await happening((50, WallReady()), (9, CycleStarted()))(table)
        table.loop.offer(Restarted("the daemon was started"))
        await happening((50, WallReady()), (9, CycleStarted()), (41, WallReady()))(table)

    seen = told(tmp_path, play)
    assert [took for _, took in seen.cycles] == [
        timedelta(seconds=38.5),
        timedelta(seconds=41),
    ]


def test_fair_dice_and_a_steady_machine_are_nothing_unusual(tmp_path: Path, capsys: Read) -> None:
    file = config(tmp_path, evening(dice(40), [38, 39, 40]))
    assert main(["fairness", "--config", file]) == GOOD
    said = capsys.readouterr().out
    assert "nothing unusual in 40 throws; one face that comes up in a quarter" in said
    assert "3 cycles, half of them within 39.0 s, nine of ten within 40.0 s" in said
    assert "unlikely for" not in said


def test_loaded_dice_are_said_to_be_unlikely_and_nobody_is_accused(
    tmp_path: Path, capsys: Read
) -> None:
    file = config(tmp_path, evening(dice(700, LOADED)))
    assert main(["fairness", "--config", file]) == GOOD
    said = capsys.readouterr().out
    assert "dice: unlikely for fair dice, 700 throws: face 6 came " in said
    assert "That says nothing about people. Look at the dice" in said
    assert not {"cheat", "manipulated", "rigged", "loaded", "fraud"} & set(said.lower().split())


def test_json_has_counts_chances_and_the_sentence(tmp_path: Path, capsys: Read) -> None:
    file = config(tmp_path, evening(dice(200), [40]))
    assert main(["fairness", "--config", file, "--json"]) == GOOD
    found = json.loads(capsys.readouterr().out)
    table = found["tables"]["t1"]
    assert (found["share"], table["throws"], table["odd"]) == (0.001, 200, False)
    assert sum(table["faces"]["counts"].values()) == 400
    assert [*table["sums"]["counts"]] == [str(total) for total in range(2, 13)]
    assert table["sums"]["chance"] <= table["sums"]["corrected"] <= 1
    assert table["said"].startswith("nothing unusual")
    assert (table["cycles"]["count"], table["cycles"]["median_ms"]) == (1, 40_000)


def test_the_picture_shows_every_count_and_every_cycle(tmp_path: Path) -> None:
    file, drawn = config(tmp_path, evening(dice(200), [40] * 9)), tmp_path / "dice.svg"
    assert main(["fairness", "--config", file, "--plot", str(drawn)]) == GOOD
    picture = ET.fromstring(drawn.read_text("utf-8"))  # noqa: S314 - our own
    tag = "{http://www.w3.org/2000/svg}"
    words = [one.text for one in picture.iter(f"{tag}text")]
    faces = [str(sum(pair.count(face) for pair in dice(200))) for face in range(1, 7)]
    assert "Table t1" in words
    assert set(faces) <= {*words}
    assert len([*picture.iter(f"{tag}circle")]) == 9


def test_only_what_is_newer_counts_where_a_day_is_given(tmp_path: Path, capsys: Read) -> None:
    file = config(tmp_path, evening(dice(20)))
    day = (VirtualClock().utc() + timedelta(days=1)).date()
    assert main(["fairness", "--config", file, "--since", str(day)]) == GOOD
    assert "dice: no throw was read yet" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        main(["fairness", "--config", file, "--since", "yesterday"])
    assert left.value.code == USAGE
    assert "'yesterday' is no day; a day is written 2026-07-01" in capsys.readouterr().err


def test_a_table_without_a_record_is_told_of_all_the_same(tmp_path: Path, capsys: Read) -> None:
    async def nothing(_: LiveTable) -> None:
        pass

    assert main(["fairness", "--config", config(tmp_path, nothing)]) == GOOD
    said = capsys.readouterr().out
    assert "table t1\n    dice: no throw was read yet\n" in said
    assert "cycles: none was timed from beginning to end yet" in said


def test_records_of_another_version_are_counted_and_told(tmp_path: Path, capsys: Read) -> None:
    file = config(tmp_path, evening([(1, 2)]))
    with sqlite3.connect(tmp_path / "journal.sqlite") as journal:
        journal.execute(
            "UPDATE records SET stimulus = replace(stimulus, '\"values\"', '\"pips\"')"
            " WHERE stimulus LIKE '%DiceRolled%'"
        )
    journal.close()
    assert main(["fairness", "--config", file]) == GOOD
    assert "1 record of another version could not be read" in capsys.readouterr().out


def test_a_journal_that_is_not_there_is_named(tmp_path: Path, capsys: Read) -> None:
    assert main(["fairness", "--config", config(tmp_path)]) == FAILED
    assert str(tmp_path / "journal.sqlite") in capsys.readouterr().err
