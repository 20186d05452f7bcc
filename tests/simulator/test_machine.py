"""The machine does one thing after another, as long as a real one takes, and can jam."""

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.machine import Happened, Hindrance, Machine, Motion
from table.events import (
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    MachineEvent,
    MachineStopped,
    WallRaised,
    WallReady,
)
from table.moment import Moment

START = Moment(0)


def machine(seed: int = 1, jam_percent: int = 0) -> Machine:
    return Machine(Random(seed), jam_percent=jam_percent)


def run_out(machine: Machine) -> list[Happened]:
    while (at := machine.wake_at()) is not None:
        machine.pass_time(at)
    return machine.told()


def kinds(happened: list[Happened]) -> list[type[MachineEvent]]:
    return [type(each.event) for each in happened]


@given(st.integers(0, 10_000))
def test_a_cycle_takes_18_to_35_s(seed: int) -> None:
    table = machine(seed)
    table.begin(Motion.CYCLE, START)
    started, ready = run_out(table)
    assert (started.event, ready.event) == (CycleStarted(), WallReady())
    assert timedelta(seconds=18) <= ready.at - started.at <= timedelta(seconds=35)


def test_the_start_key_raises_the_wall_and_shuffles_the_next_one_meanwhile() -> None:
    table = machine()
    table.push_start(START)
    happened = run_out(table)
    assert kinds(happened) == [WallRaised, CycleStarted, WallReady]
    assert happened[0].at == happened[1].at
    assert (table.wall_raised, table.wall_ready, table.cycling) == (True, True, False)


def test_the_start_key_waits_for_a_wall_that_is_still_being_stacked() -> None:
    table = machine()
    table.begin(Motion.CYCLE, START)
    table.push_start(START + timedelta(seconds=1))
    assert kinds(run_out(table)) == [CycleStarted, WallReady, WallRaised, CycleStarted, WallReady]


def test_the_start_key_shuffles_first_where_no_wall_is_there() -> None:
    table = machine()
    table.begin(Motion.CYCLE, START)
    table.stop(START)
    table.push_start(START)
    assert kinds(run_out(table))[2:] == [
        CycleStarted,
        WallReady,
        WallRaised,
        CycleStarted,
        WallReady,
    ]


def test_dice_come_to_rest_unread() -> None:
    table = machine()
    table.begin(Motion.DICE, START)
    assert [(each.event, each.ends) for each in run_out(table)] == [(DiceRolled(), (Motion.DICE,))]


@pytest.mark.parametrize("motion", list(Motion))
def test_a_motion_that_runs_cannot_begin_again(motion: Motion) -> None:
    table = machine()
    table.begin(motion, START)
    assert table.hindrance(motion) is Hindrance.BUSY


def test_nothing_lifts_while_the_table_cycles_nor_cycles_while_it_lifts() -> None:
    cycling, lifting = machine(), machine()
    cycling.begin(Motion.CYCLE, START)
    lifting.begin(Motion.LIFT, START)
    assert cycling.hindrance(Motion.LIFT) is Hindrance.INTERLOCK
    assert lifting.hindrance(Motion.CYCLE) is Hindrance.INTERLOCK
    assert cycling.hindrance(Motion.DICE) is None


def test_there_is_no_lifting_without_a_wall() -> None:
    table = machine()
    table.begin(Motion.LIFT, START)
    run_out(table)
    assert table.hindrance(Motion.LIFT) is Hindrance.INTERLOCK


def test_stop_ends_every_motion_and_whatever_was_to_follow() -> None:
    table = machine()
    table.push_start(START)
    table.begin(Motion.DICE, START)
    table.stop(START)
    assert run_out(table) == [
        Happened(START, MachineStopped(), (Motion.LIFT, Motion.DICE), well=False)
    ]


def test_stop_of_a_machine_at_rest_says_nothing() -> None:
    table = machine()
    table.stop(START)
    assert table.told() == []


@given(st.integers(0, 10_000))
def test_a_jam_stops_the_cycle_until_somebody_takes_the_tile_out(seed: int) -> None:
    table = machine(seed, jam_percent=100)
    table.begin(Motion.CYCLE, START)
    jams_at = table.wake_at()
    assert jams_at
    table.pass_time(jams_at)
    started, jammed = table.told()
    assert jammed == Happened(jams_at, FaultRaised(Fault.TILE_JAM), (Motion.CYCLE,), well=False)
    assert table.hindrance(Motion.CYCLE) is Hindrance.FAULT
    assert not table.cycling
    repaired_at = table.wake_at()
    assert repaired_at
    table.pass_time(repaired_at)
    assert [each.event for each in table.told()] == [
        FaultCleared(Fault.TILE_JAM),
        CycleStarted(),
    ]
    assert started.at < jams_at < repaired_at


def test_what_a_written_hand_has_the_machine_say_shows_in_its_picture() -> None:
    table = machine()
    table.report(FaultRaised(Fault.OVERHEAT), START)
    table.report(CycleStarted(), START)
    assert (table.cycling, table.faults) == (True, frozenset({Fault.OVERHEAT}))
    table.report(FaultCleared(Fault.OVERHEAT), START)
    table.report(MachineStopped(), START)
    assert (table.cycling, table.faults, table.wall_ready) == (False, frozenset(), False)
