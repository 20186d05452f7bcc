"""A disarmed table: no hand begins, no motor runs, and the hand that is played goes on."""

import pytest

from controller.table_core import fresh
from controller.table_memory import EFFECTS, MEMORY, STIMULUS, nothing
from table.answers import Code, Ignored, Refused
from table.arming import Arming, TableArmed, TableDisarmed
from table.commands import (
    Command,
    DrawHand,
    EndDeal,
    Lift,
    RestartHand,
    RollDice,
    Shuffle,
    StartHand,
    Stop,
)
from table.events import (
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    LinkUp,
    Restarted,
    TableEvent,
    WallRaised,
    WallReady,
)
from table.fouls import FoulSeen
from table.seat import Seat
from tests.controller.pure_table import Table, only
from timing.effects import HandEnded, HandStarted, Result
from timing.machine_effects import SendToTable

WHY = "certificate 2026-7 of box A ended on 2026-07-01"
NO_HAND = f"no hand begins: {WHY}"


def disarmed(at: float = 0) -> Table:
    table = Table()
    table.happens(at, Arming(WHY))
    return table


def test_a_change_is_told_once_with_its_reason() -> None:
    table = Table()
    assert table.happens(0, Arming("")) == ()
    assert table.happens(1, Arming(WHY)) == (TableDisarmed(WHY),)
    assert table.happens(2, Arming(WHY)) == ()
    assert table.happens(3, Arming("swapped")) == (TableDisarmed("swapped"),)
    assert table.happens(4, Arming("")) == (TableArmed(),)


@pytest.mark.parametrize("command", [StartHand(), EndDeal()])
def test_no_order_begins_a_hand(command: Command) -> None:
    table = disarmed()
    assert table.order(1, command) == (Refused(Code.DISARMED, NO_HAND),)
    table.happens(2, Arming(""))
    assert only(table.order(3, command), HandStarted).number == 1


@pytest.mark.parametrize("event", [WallRaised(), DealEnded()])
def test_a_hand_that_the_table_shows_is_not_timed_and_said_to_be_so(event: TableEvent) -> None:
    table = disarmed()
    assert Ignored(NO_HAND) in table.sees(1, event)
    assert not table.state.hand.deals
    effects = table.sees(100, DiscardPressed(Seat.ONE))
    assert not any(isinstance(one, FoulSeen) for one in effects)


@pytest.mark.parametrize("command", [Shuffle(), RollDice()])
def test_no_motor_runs_but_stop_is_always_taken(command: Command) -> None:
    table = disarmed()
    assert table.order(1, command) == (Refused(Code.DISARMED, f"no motor runs: {WHY}"),)
    assert only(table.order(2, Stop()), SendToTable).command == Stop()


def test_no_wall_is_lifted() -> None:
    table = disarmed()
    table.sees(1, WallReady())
    assert only(table.order(2, Lift()), Refused).code is Code.DISARMED


def test_a_hand_that_is_played_goes_on_to_its_end_and_the_next_does_not_begin() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.happens(1, Arming(WHY))
    assert only(table.order(2, RollDice()), SendToTable).command == RollDice()
    assert only(table.sees(60, DiscardPressed(Seat.ONE)), FoulSeen).seat is Seat.ONE
    assert only(table.order(61, RestartHand("again")), Refused).code is Code.DISARMED
    assert only(table.order(62, DrawHand()), HandEnded).result is Result.DRAW
    assert only(table.order(63, StartHand()), Refused).reason == NO_HAND


@pytest.mark.parametrize("event", [WallRaised(), DealEnded()])
def test_what_shows_that_a_hand_is_over_still_ends_it(event: TableEvent) -> None:
    table = Table()
    table.happens(0, LinkUp(holds=True, draws=False))
    table.sees(0, DealEnded())
    table.sees(5, DiscardPressed(Seat.ONE))
    table.sees(5, DiscardReleased(Seat.ONE), late=0.1)
    table.sees(7, HuDeclared(Seat.TWO))
    table.happens(8, Arming(WHY))
    effects = table.sees(9, event)
    assert only(effects, HandEnded).winner is Seat.TWO
    assert Ignored(NO_HAND) in effects
    assert table.state.hand.deals == 1


def test_a_restart_changes_nothing_of_it() -> None:
    table = disarmed()
    table.happens(5, Restarted("the daemon was started"))
    assert only(table.order(6, StartHand()), Refused).code is Code.DISARMED


def test_what_an_earlier_version_kept_is_armed() -> None:
    text = MEMORY.encode(nothing("t1"))
    kept = ',"disarmed":""'
    assert kept in text
    assert MEMORY.decode(text.replace(kept, ""), "here").state == fresh("t1")


def test_stimulus_and_effects_are_kept_as_they_are() -> None:
    stimulus, effects = Arming(WHY), (TableDisarmed(WHY), TableArmed())
    assert STIMULUS.decode(STIMULUS.encode(stimulus), "here") == stimulus
    assert EFFECTS.decode(EFFECTS.encode(effects), "here") == effects
