"""The throws that a table reports and a person enters."""

import pytest

from table.answers import Code, Refused
from table.commands import EnterDice
from table.events import (
    Condition,
    CycleStarted,
    DiceRolled,
    LinkUp,
    Observed,
    TableEvent,
    WallRaised,
    WallReady,
)
from tests.timing.books import JINGJI_WALL, MCR_WALL
from tests.timing.play import exactly, moment
from timing.machine import DiceEntry, Machine, fresh, step
from timing.machine_effects import DiceThrown, MachineEffect
from timing.machine_rules import MachineRules
from timing.rules import WallRules


def reported(*events: TableEvent) -> Machine:
    state = fresh()
    for event in events:
        state = step(MachineRules(), state, Observed(event, exactly(1)), moment(1)).state
    return state


def entered(
    state: Machine, throw: int, values: tuple[int, int], rules: WallRules = MCR_WALL
) -> tuple[Machine, tuple[MachineEffect, ...]]:
    done = step(MachineRules(), state, DiceEntry(EnterDice(throw, values), rules), moment(2))
    return done.state, done.effects


def test_every_throw_since_the_wall_was_raised_is_kept() -> None:
    state = reported(WallRaised(), DiceRolled((2, 5)), DiceRolled(None), DiceRolled((1, 1)))
    assert state.throws == ((2, 5), None, (1, 1))
    assert state.dice == (1, 1)


@pytest.mark.parametrize("values", [(3,), (1, 2, 3), (0, 4), (7, 1), ()])
def test_what_is_not_two_dice_is_told_and_counts_as_unread(values: tuple[int, ...]) -> None:
    done = step(MachineRules(), fresh(), Observed(DiceRolled(values), exactly(1)), moment(1))
    assert done.effects == (DiceThrown(values),)
    assert done.state.throws == (None,)


def test_a_raised_wall_forgets_the_throws_before_it() -> None:
    state = reported(DiceRolled((2, 5)), CycleStarted(), WallReady())
    assert state.throws == ((2, 5),)
    assert reported(DiceRolled((2, 5)), CycleStarted(), WallReady(), WallRaised()).throws == ()


@pytest.mark.parametrize(
    ("before", "kept"),
    [((WallReady(), DiceRolled((2, 5))), False), ((WallRaised(), DiceRolled((2, 5))), True)],
)
def test_a_wall_that_was_raised_during_an_outage_forgets_them_too(
    before: tuple[TableEvent, ...], *, kept: bool
) -> None:
    raised = Condition(cycling=False, wall_ready=False, wall_raised=True)
    link = LinkUp(holds=True, draws=False, condition=raised)
    done = step(MachineRules(), reported(*before), link, moment(2))
    assert bool(done.state.throws) is kept


def test_a_throw_that_nobody_read_can_be_entered() -> None:
    state, told = entered(reported(DiceRolled(None), DiceRolled((1, 1))), 1, (3, 4))
    assert state.throws == ((3, 4), (1, 1))
    assert told == (DiceThrown((3, 4)),)


def test_a_table_without_dice_has_both_throws_entered() -> None:
    state, _ = entered(fresh(), 2, (6, 6))
    assert state.throws == (None, (6, 6))
    state, _ = entered(state, 1, (1, 2))
    assert state.throws == ((1, 2), (6, 6))


def test_a_person_corrects_what_the_table_reported() -> None:
    state, _ = entered(reported(DiceRolled((3, 4))), 1, (3, 5))
    assert state.throws == ((3, 5),)


def test_a_person_who_enters_after_too_many_throws_begins_anew() -> None:
    state, _ = entered(reported(*[DiceRolled((1, 1))] * 3), 2, (3, 4))
    assert state.throws == (None, (3, 4))


@pytest.mark.parametrize(
    ("rules", "throw", "values", "reason"),
    [
        (MCR_WALL, 3, (1, 1), "throw 3 does not exist; allowed: 1 to 2"),
        (MCR_WALL, 0, (1, 1), "throw 0 does not exist; allowed: 1 to 2"),
        (JINGJI_WALL, 2, (1, 1), "throw 2 does not exist; allowed: 1 to 1"),
        (MCR_WALL, 1, (0, 6), "0 and 6 is no throw; allowed: two dice of 1 to 6"),
        (MCR_WALL, 1, (1, 7), "1 and 7 is no throw; allowed: two dice of 1 to 6"),
    ],
)
def test_what_no_throw_can_show_is_refused_and_changes_nothing(
    rules: WallRules, throw: int, values: tuple[int, int], reason: str
) -> None:
    before = reported(DiceRolled((2, 2)))
    state, told = entered(before, throw, values, rules)
    assert state.throws == before.throws
    assert told == (Refused(Code.BAD_VALUE, reason),)
