"""Hands that a fault of the machine makes unfair: who may begin one, and who hears of it."""

import pytest

from table.abilities import Abilities
from table.answers import Code, Refused
from table.commands import Command, EndDeal, Pause, PauseCycle, RestartHand, StartHand
from table.events import (
    Condition,
    CycleStarted,
    Fault,
    FaultCleared,
    FaultRaised,
    LinkUp,
    WallRaised,
)
from table.faults import nature
from tests.controller.pure_table import Table, only
from timing.effects import HandStarted
from timing.machine_effects import PlayInDoubt, SendToTable
from timing.order_effects import Decreed

MISSING = FaultRaised(Fault.TILE_MISSING)
UNFAIR = [fault for fault in Fault if nature(fault).unfair]


def with_fault(fault: Fault = Fault.TILE_MISSING) -> Table:
    table = Table()
    table.sees(0, FaultRaised(fault))
    return table


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("command", [StartHand(), EndDeal()])
def test_only_what_makes_play_unfair_keeps_a_hand_from_beginning(
    fault: Fault, command: Command
) -> None:
    effects = with_fault(fault).order(1, command)
    if fault in UNFAIR:
        refused = only(effects, Refused)
        assert refused.code is Code.FAULT
        assert nature(fault).unfair in refused.reason
    else:
        assert only(effects, HandStarted).hand == "t1-1"


def test_walls_that_can_be_built_by_hand_keep_nobody_from_playing() -> None:
    assert set(UNFAIR) == {
        Fault.TILE_MISSING,
        Fault.COUNT_MISMATCH,
        Fault.LIFT_STUCK,
        Fault.PANEL_DEAD,
        Fault.POWER_LOST,
    }


def test_a_person_who_gives_a_reason_begins_all_the_same_and_the_reason_is_kept() -> None:
    table = with_fault()
    refused = only(table.order(1, StartHand("  ")), Refused)
    assert refused.reason == (
        "a hand would be unfair: tile-missing, as a tile that everybody counts on may not be in the"
        " wall. See to it, or start the hand with the reason why it may be played"
    )
    effects = table.order(2, StartHand("all 144 counted"))
    assert only(effects, Decreed).reason == "all 144 counted"
    assert only(effects, PlayInDoubt).fault is Fault.TILE_MISSING


def test_a_fault_that_is_gone_keeps_nobody_from_playing() -> None:
    table = with_fault()
    table.sees(1, FaultCleared(Fault.TILE_MISSING))
    assert only(table.order(2, StartHand()), HandStarted).number == 1


def test_a_running_hand_goes_on_and_the_referee_hears_of_it_once() -> None:
    table = Table()
    table.order(0, StartHand())
    before = table.state.hand
    effects = table.sees(1, MISSING)
    assert only(effects, PlayInDoubt) == PlayInDoubt(
        "t1-1", Fault.TILE_MISSING, "a tile that everybody counts on may not be in the wall"
    )
    assert table.state.hand.phase == before.phase
    assert not [one for one in table.sees(2, MISSING) if isinstance(one, PlayInDoubt)]


def test_a_hand_that_the_table_shows_is_played_under_the_doubt() -> None:
    effects = with_fault().sees(1, WallRaised())
    assert only(effects, HandStarted).hand == "t1-1"
    assert only(effects, PlayInDoubt).hand == "t1-1"


def test_a_hand_is_not_dealt_again_while_the_fault_stands() -> None:
    table = Table()
    table.order(0, StartHand())
    table.sees(1, MISSING)
    assert only(table.order(2, RestartHand("tile found")), Refused).code is Code.FAULT
    assert table.state.hand.hand == "t1-1"


def test_a_cycle_is_paused_in_a_hand_only_while_play_stands() -> None:
    table = Table()
    found = Condition(cycling=False, wall_ready=False, wall_raised=True)
    table.happens(0, LinkUp(True, False, found, Abilities(reopen=True)))  # noqa: FBT003
    table.order(1, StartHand())
    table.sees(2, CycleStarted())
    refused = only(table.order(3, PauseCycle()), Refused)
    assert (refused.code, refused.reason) == (
        Code.HAND_RUNNING,
        "a hand is being played: pause it before the table opens",
    )
    table.order(4, Pause("a tile on the floor"))
    assert only(table.order(5, PauseCycle()), SendToTable).command == PauseCycle()
