"""From hand to hand: who deals, what is numbered how, and what ends a hand unannounced."""

import pytest

from table.answers import Ignored
from table.commands import ConfirmHu, DrawHand, StartHand, VoidHand
from table.events import (
    CycleStarted,
    DealEnded,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    MachineEvent,
    MachineStopped,
    TableEvent,
    WallRaised,
    WallReady,
)
from table.seat import Seat
from tests.timing.play import Play, dealt, opened
from timing.effects import HandEnded, HandStarted, Result
from timing.hand import running

ENDLESS = Ignored("a wall raised during a hand does not end it")


def test_the_deal_passes_on_after_every_hand() -> None:
    play = Play()
    for hand in range(6):
        play.order(hand * 10, StartHand())
        play.discard(hand % 4 + 1, hand * 10 + 5)
        play.order(hand * 10 + 6, DrawHand())
    assert play.all_of(HandStarted) == [
        HandStarted("t1-1", 1, Seat.ONE),
        HandStarted("t1-2", 2, Seat.TWO),
        HandStarted("t1-3", 3, Seat.THREE),
        HandStarted("t1-4", 4, Seat.FOUR),
        HandStarted("t1-5", 5, Seat.ONE),
        HandStarted("t1-6", 6, Seat.TWO),
    ]


def test_the_winning_dealer_does_not_repeat() -> None:
    play = dealt(holds=True)
    play.hold(1, 5)
    play.order(10, ConfirmHu())
    assert play.deal(20)[0] == HandStarted("t1-2", 2, Seat.TWO)


def test_a_void_hand_is_dealt_again_under_its_number_and_a_new_id() -> None:
    play = opened()
    assert play.order(20, VoidHand("tiles fell"))[-1] == HandEnded(
        "t1-1", Result.VOID, reason="tiles fell"
    )
    assert play.raise_wall(30) == (HandStarted("t1-2", 1, Seat.ONE),)


@pytest.mark.parametrize("event", [DealEnded(), WallRaised()])
def test_a_wall_or_the_end_of_a_deal_begins_the_next_hand(event: TableEvent) -> None:
    play = opened()
    play.order(20, DrawHand())
    assert HandStarted("t1-2", 2, Seat.TWO) in play.sees(40, event)


def test_a_deal_that_ends_in_a_running_turn_ends_the_hand_unannounced() -> None:
    play = opened()
    play.wait(13)
    effects = play.deal(19)
    assert effects[:2] == (
        HandEnded("t1-1", Result.UNANNOUNCED),
        HandStarted("t1-2", 2, Seat.TWO),
    )
    assert play.phase == "Arranging"


def test_a_wall_raised_in_a_running_hand_is_ignored() -> None:
    assert opened().raise_wall(12) == (ENDLESS,)
    assert dealt().raise_wall(12) == (ENDLESS,)


def test_a_second_end_of_the_deal_does_not_start_the_limit_anew() -> None:
    play = dealt()
    assert play.deal(5) == (Ignored("the deal has ended already"),)
    play.discard(1, 20.01)
    assert len(play.fouls) == 1


def test_a_replayed_end_of_the_deal_charges_nobody() -> None:
    play = Play()
    play.sees(0, DealEnded(), replayed=True)
    play.discard(1, 60)
    assert play.fouls == []


def test_the_number_of_fouls_begins_anew_with_each_hand() -> None:
    play = dealt()
    play.discard(1, 21)
    play.deal(30)
    play.discard(2, 51)
    assert [foul.id for foul in play.fouls] == ["t1-1-f1", "t1-2-f1"]


def test_a_hand_runs_from_its_beginning_to_its_end() -> None:
    play = Play()
    assert not running(play.state)
    play.order(1, StartHand())
    assert running(play.state)
    play.order(2, VoidHand("wrong wall"))
    assert not running(play.state)
    assert play.state.on_turn is None


@pytest.mark.parametrize(
    "event",
    [
        CycleStarted(),
        WallReady(),
        MachineStopped(),
        DiceRolled((3, 4)),
        FaultRaised(Fault.TILE_JAM),
        FaultCleared(Fault.TILE_JAM),
    ],
)
def test_what_the_machine_reports_does_not_concern_the_hand(event: MachineEvent) -> None:
    play = opened()
    before = play.state.phase
    assert play.sees(11, event) == ()
    assert play.state.phase == before
